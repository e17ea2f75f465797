import CoreData
import Foundation
import ModelArchive
import ModelDocument
import StoreInspection

/// A store opened for looking, with its identity, its model if there is one, and its entity numbers.
package final class OpenedStore {
    package let place: StorePlace
    /// The look at the tables of an SQLite file; nil for other stores.
    private let file: StoreInspection?
    package let identifier: String?
    package let metadata: [String: Any]
    /// The model that the store carries, or the one that was given in its place.
    package let model: Model?
    package let modelOrigin: ModelOrigin
    /// `Z_ENT` by entity name. Entities that were renamed in place have their new names here.
    package let numbers: [String: Int64]
    /// The names of the entities by number.
    package let names: [Int64: String]
    private let parents: [Int64: Int64]
    private var inferred: Model?
    /// What counts the objects of other stores.
    private var counting: QuerySession?
    /// What was left out of the model because it was not understood.
    private let notes = ReadingNotes()
    /// Told of what the user should know, a line each, as it is found.
    private let tell: (String) -> Void

    package enum ModelOrigin {
        /// The model lies in the store.
        case store
        /// The user gave it.
        case given
        /// There is none.
        case none
        /// The one in the store can't be read, for this reason.
        case damaged(String)
    }

    /// Opens the store that a STORE argument names.
    ///
    /// - Parameters:
    ///   - models: The paths of the models to use instead of the store's own.
    ///   - tellsOddities: Whether what is odd, but no fault, is told.
    ///   - tell: Takes lines for the user, such as warnings.
    /// - Throws: ``ToolFailure``, each kind of unusable file with its own code.
    package convenience init(
        _ place: StorePlace, models: [String] = [], tellsOddities: Bool = true,
        telling tell: @escaping (String) -> Void
    ) throws {
        switch place {
        case .file(let url) where place.isSQLite || StoreFileCheck.isForeignXML(url):
            try self.init(url: url, models: models, tellsOddities: tellsOddities, telling: tell)
        default: try self.init(withoutTables: place, models, telling: tell)
        }
    }

    /// Looks at a store in a database, or in a file that is read as a whole. It has its entities' numbers for itself.
    private init(
        withoutTables place: StorePlace, _ models: [String], telling tell: @escaping (String) -> Void
    ) throws {
        do {
            (self.place, file, self.tell) = (place, nil, tell)
            metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: place.type, at: place.url)
            identifier = metadata[NSStoreUUIDKey] as? String
            (model, modelOrigin) = try Self.model(metadata, models, notes, tell) {
                try StoreKinds.modelArchive(of: place.type.rawValue, at: place.url)
            }
            (numbers, names, parents) = ([:], [:], [:])
        } catch {
            throw Self.failure(error)
        }
    }

    /// Looks at an SQLite file.
    package init(
        url: URL, models: [String] = [], tellsOddities: Bool = true, telling tell: @escaping (String) -> Void
    ) throws {
        self.tell = tell
        try StoreFileCheck.check(url)
        do {
            place = .file(url)
            let inspection = try StoreInspection(contentsOf: url)
            file = inspection
            guard inspection.isStore else {
                throw ToolFailure(.foreign, "\(url.path) is an SQLite database, but not a Core Data store.")
            }
            let look = try inspection.metadata()
            (identifier, metadata) = (look.identifier, look.values)
            if let problem = look.problem, tellsOddities { tell("warning: \(problem)") }
            if look.values[UnfinishedCopy.key] != nil, tellsOddities {
                tell("warning: the store is an unfinished copy of another one")
            }
            (model, modelOrigin) = try Self.model(look.values, models, notes, tell) { try inspection.modelArchive() }
            let rows = try inspection.entities()
            parents = Dictionary(rows.map { ($0.number, $0.parent) }, uniquingKeysWith: { first, _ in first })
            numbers = Self.numbers(rows, model: model, telling: tellsOddities ? tell : { _ in })
            names = Dictionary(numbers.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
        } catch let failure as ToolFailure {
            throw failure
        } catch {
            throw Self.failure(error)
        }
    }

    private static func model(
        _ metadata: [String: Any], _ paths: [String], _ notes: ReadingNotes, _ tell: (String) -> Void,
        _ archive: () throws -> Data?
    ) throws -> (Model?, ModelOrigin) {
        if !paths.isEmpty {
            let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
            return (try StoreModels.read(paths, hashes: hashes, telling: tell), .given)
        }
        do {
            guard let archive = try archive() else { return (nil, .none) }
            let model = try ModelArchive.read(archive, leavingOut: notes)
            notes.lines.forEach { tell("warning: in the store's model: \($0)") }
            return (model, .store)
        } catch {
            let reason = ToolFailure(error).message
            tell("warning: the model in the store can't be read: \(reason)")
            return (nil, .damaged(reason))
        }
    }

    /// What can't be read of a file that is a database is damaged.
    package static func failure(_ error: any Error) -> ToolFailure {
        if let failure = error as? ToolFailure { return failure }
        return switch (error as NSError).code {
        case CocoaError.Code.fileReadCorruptFile.rawValue: ToolFailure(error, code: .damaged)
        case CocoaError.Code.fileReadNoSuchFile.rawValue: ToolFailure(error, code: .missingFile)
        default: ToolFailure(error)
        }
    }

    // MARK: Files and databases

    /// The look at the file.
    ///
    /// - Parameter purpose: What asks for it, as a sentence begins: "`check` reads SQLite files".
    /// - Throws: ``ToolFailure`` for a store that is no SQLite file.
    package func inspection(for purpose: String) throws -> StoreInspection {
        if let file { return file }
        throw ToolFailure(.other, "\(purpose), and \(place.name) is \(place.kindTitle).")
    }

    /// The archive of the model that the store carries; nil where it carries none, or another one was given.
    package func modelArchive() throws -> Data? {
        guard case .store = modelOrigin else { return nil }
        if let file { return try file.modelArchive() }
        return try StoreKinds.modelArchive(of: place.type.rawValue, at: place.url)
    }

    /// Whether the store has recorded changes.
    package func hasHistory() throws -> Bool {
        if let file { return file.hasHistory }
        return try QuerySession(self).hasHistory
    }

    private static func numbers(
        _ rows: [StoreInspection.NumberedEntity], model: Model?, telling tell: (String) -> Void
    ) -> [String: Int64] {
        var numbers = Dictionary(rows.map { ($0.name, $0.number) }, uniquingKeysWith: { _, last in last })
        for entity in model?.entitiesByName ?? [] where numbers[entity.name] == nil {
            guard let old = entity.renamingIdentifier, let number = numbers.removeValue(forKey: old) else { continue }
            tell("warning: \(entity.name) still is \(old) in Z_PRIMARYKEY")
            numbers[entity.name] = number
        }
        return numbers
    }

    // MARK: The model

    /// The store's own model or the one given for it, for what can't be done with a guess.
    ///
    /// - Throws: ``ToolFailure``.
    package func requiredModel() throws -> Model {
        if let model { return model }
        if case .damaged(let reason) = modelOrigin {
            throw ToolFailure(.damaged, "The model in \(place.name) can't be read: \(whole: reason)")
        }
        let reason = place.isSQLite ? ": it was made before Core Data kept one in each store" : ""
        throw ToolFailure(
            .noModel, "\(place.name) carries no model\(reason). Its app has one, which `--model` takes.")
    }

    /// The model to read objects with: where there is none, what can be inferred from the tables. The first call says
    /// so.
    package func readingModel() throws -> Model {
        if let known = model ?? inferred { return known }
        guard place.isSQLite else { return try requiredModel() }
        let guess = try InferredModel(inspection(for: "A model is inferred from the tables of SQLite files"))
        tell(
            "note: there is no model; entities and columns are inferred from Z_PRIMARYKEY and the schema, so that names "
                + "are in lower case and a subentity has its root's properties")
        for line in guess.notes { tell("note: \(line)") }
        inferred = guess.model
        return guess.model
    }

    /// The reading model as descriptions, all objects being plain ones: classes and transformers are the app's.
    package func readingDescriptions() throws -> NSManagedObjectModel {
        let model = try readingModel().withoutForeignCode
        let told = notes.lines.count
        do {
            let descriptions = try NSManagedObjectModel(document: model, leavingOut: notes)
            notes.lines.dropFirst(told).forEach { tell("warning: in the model: \($0)") }
            return descriptions
        } catch {
            throw ToolFailure(error, code: .damaged)
        }
    }

    // MARK: Counts

    /// The names of the entities, in the order of the model.
    ///
    /// Without a model they are those of `Z_PRIMARYKEY`, by their numbers. The framework's own entities, which have
    /// high numbers, are left out.
    package var entityNames: [String] {
        model?.entities.map(\.name) ?? numbers.filter { $0.value < 16_000 }.sorted { $0.value < $1.value }.map(\.key)
    }

    /// The number of rows of exactly each entity in ``entityNames``. Abstract entities are left out, but for one that
    /// has rows all the same.
    package func rowCounts() throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for name in entityNames {
            let count = try rowCount(of: name)
            if count > 0 || model?.entity(named: name)?.isAbstract != true { counts[name] = count }
        }
        return counts
    }

    /// The number of objects of exactly an entity.
    package func rowCount(of name: String) throws -> Int {
        guard let file else { return try session().count(of: name) }
        guard let number = numbers[name] else { return 0 }
        return try file.rowCount(of: table(ofEntity: number), number: number)
    }

    private func session() throws -> QuerySession {
        if let counting { return counting }
        let new = try QuerySession(self)
        counting = new
        return new
    }

    /// The number of the root of an entity's tree.
    package func root(ofEntity number: Int64) -> Int64 {
        var root = number
        // A damaged table may have parents in a circle.
        for _ in parents {
            guard let parent = parents[root], parent != 0 else { break }
            root = parent
        }
        return root
    }

    private func table(ofEntity number: Int64) -> String { "Z" + (names[root(ofEntity: number)] ?? "").uppercased() }

    /// How many keys that were handed out have no row, by root entity.
    package func vacantKeys() throws -> [String: Int64] {
        let inspection = try inspection(for: "Keys without a row are counted in SQLite files")
        var vacant: [String: Int64] = [:]
        for (name, number) in numbers where number < 16_000 && root(ofEntity: number) == number {
            vacant[name] = try inspection.vacantKeyCount(of: table(ofEntity: number), root: number)
        }
        return vacant
    }
}

extension Model {
    /// The model with plain objects and with transformables as they are stored.
    package var withoutForeignCode: Model {
        var model = self
        for entity in model.entities.indices {
            model.entities[entity].representedClass = nil
            model.entities[entity].attributes.storeRaw()
        }
        for composite in model.composites.indices { model.composites[composite].elements.storeRaw() }
        return model
    }
}

extension [Model.Attribute] {
    fileprivate mutating func storeRaw() {
        for index in indices where self[index].type == .transformable {
            self[index].valueTransformerName = RawTransformer.name
        }
    }
}
