import CoreData
import Foundation
import ModelArchive
import ModelDocument

/// A store opened for looking, with its identity, its model if it carries one, and its entity numbers.
struct OpenedStore {
    let inspection: StoreInspection
    let identifier: String?
    let metadata: [String: Any]
    /// The model that the store carries.
    let model: Model?
    /// `Z_ENT` by entity name. Entities that were renamed in place have their new names here.
    let numbers: [String: Int64]
    private let parents: [Int64: Int64]

    /// - Throws: ``CommandFailure``, each kind of unusable file with its own code.
    init(path: String) throws {
        let url = URL(fileURLWithPath: path)
        try StoreFileCheck.check(url)
        do {
            inspection = try StoreInspection(contentsOf: url)
            guard inspection.isStore else {
                throw CommandFailure(.foreign, "\(path) is an SQLite database, but not a Core Data store.")
            }
            (identifier, metadata) = try inspection.metadata()
            model = try inspection.modelArchive().map { try ModelArchive.read($0) }
            let rows = try inspection.entities()
            parents = Dictionary(rows.map { ($0.number, $0.parent) }, uniquingKeysWith: { first, _ in first })
            numbers = Self.numbers(rows, model: model)
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw Self.failure(error)
        }
    }

    /// What can't be read of a file that is a database is damaged.
    static func failure(_ error: any Error) -> CommandFailure {
        let isDamage = (error as NSError).code == CocoaError.Code.fileReadCorruptFile.rawValue
        return CommandFailure(error, code: isDamage ? .damaged : .other)
    }

    private static func numbers(_ rows: [StoreInspection.NumberedEntity], model: Model?) -> [String: Int64] {
        var numbers = Dictionary(rows.map { ($0.name, $0.number) }, uniquingKeysWith: { _, last in last })
        for entity in model?.entitiesByName ?? [] where numbers[entity.name] == nil {
            guard let old = entity.renamingIdentifier, let number = numbers.removeValue(forKey: old) else { continue }
            report("warning: \(entity.name) still is \(old) in Z_PRIMARYKEY")
            numbers[entity.name] = number
        }
        return numbers
    }

    /// The names of the entities by number.
    var names: [Int64: String] {
        Dictionary(numbers.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    }

    /// The model, for what can't be done without.
    func requiredModel() throws -> Model {
        guard let model else {
            throw CommandFailure(
                .noModel,
                "\(inspection.url.path) carries no model: it was made before Core Data kept one in each store. "
                    + "Only `inspect` can tell anything of it.")
        }
        return model
    }

    /// The model as descriptions, all objects being plain ones: the classes are somebody else's.
    func requiredManagedModel() throws -> NSManagedObjectModel {
        var model = try requiredModel()
        for index in model.entities.indices { model.entities[index].representedClass = nil }
        do { return try NSManagedObjectModel(document: model) } catch { throw CommandFailure(error, code: .damaged) }
    }

    // MARK: Counts

    /// The number of rows of exactly each entity. Abstract entities are left out, but for one that has rows all the same.
    ///
    /// Without a model the entities are those of `Z_PRIMARYKEY` but for the framework's own, which have high numbers.
    func rowCounts() throws -> [String: Int] {
        let names = model?.entitiesByName.map(\.name) ?? numbers.filter { $0.value < 16_000 }.map(\.key)
        var counts: [String: Int] = [:]
        for name in names {
            let count = try rowCount(of: name)
            if count > 0 || model?.entity(named: name)?.isAbstract != true { counts[name] = count }
        }
        return counts
    }

    private func rowCount(of name: String) throws -> Int {
        guard let number = numbers[name] else { return 0 }
        var root = number
        // A damaged table may have parents in a circle.
        for _ in parents {
            guard let parent = parents[root], parent != 0 else { break }
            root = parent
        }
        let table = "Z" + (names[root] ?? name).uppercased()
        return try inspection.rowCount(of: table, number: number)
    }
}
