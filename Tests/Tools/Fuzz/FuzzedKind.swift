import CSQLite
import CoreData
import Foundation
import ModelArchive
import ModelDocument
import ModelExchange
import StoreInspection

/// What a hostile file may pretend to be.
enum FuzzedKind: String, CaseIterable {
    /// The text of a model, a mapping model, or a document's list of versions.
    case documents
    /// A compiled model.
    case archives
    /// A store's metadata, and the model that it carries.
    case metadata
    /// A whole store.
    case stores
    /// A mapping model: a document of Xcode's, a compiled one, or the resource of a build.
    case mappings
    /// A binary store, with right checksums.
    case binary
    /// An XML store.
    case xml
    /// A script of SQL, of which a model is drafted.
    case scripts
    /// Samples in JSON, of which a model is drafted.
    case samples
    /// An SQLite file, of whose tables a model is drafted.
    case tables

    func read(_ data: Data) throws {
        switch self {
        case .documents: try Self.readDocument(data)
        case .archives: try Self.readArchive(data)
        case .metadata: try Self.readMetadata(data)
        case .stores: try Self.readStore(data)
        case .mappings: try Self.readMapping(data)
        case .binary: try Self.read(data.withChecksums, NSBinaryStoreType)
        case .xml: try Self.read(data, NSXMLStoreType)
        case .scripts: try Self.use(DraftSource.source(data, named: "Script.sql").draft(named: "Script.sql"))
        case .samples: try Self.use(DraftSource.source(data, named: "Samples.json").draft(named: "Samples.json"))
        case .tables: try Self.readTables(data)
        }
    }

    // MARK: Models

    private static func readDocument(_ data: Data) throws {
        if let mapping = try? XMLStoreDocument(data: data) { _ = try mapping.data() }
        if let list = try? ModelVersionList(data: data) { _ = try list.data() }
        let model = try Model(contents: data)
        _ = model.diagnostics
        // What is written is read back as the same.
        let written = try model.contents()
        let back = try Model(contents: written)
        precondition(back == model, "a model changed on its way through a document")
        try use(model)
    }

    private static func readArchive(_ data: Data) throws { try use(ModelArchive.read(data)) }

    /// Everything that is made of a model that came from somewhere.
    private static func use(_ model: Model) throws {
        _ = try? VersionHashes(model)
        _ = try? ModelArchive.write(model, as: .file)
        let descriptions = try NSManagedObjectModel(document: model.withoutClasses)
        _ = descriptions.entityVersionHashesByName
        _ = NSPersistentStoreCoordinator(managedObjectModel: descriptions)
    }

    // MARK: Drafts

    private static func readTables(_ data: Data) throws {
        try data.write(to: file)
        try use(DraftSource.draft(file.path).draft)
    }

    /// A draft is a model that is written and read as it is.
    private static func use(_ draft: ModelDraft) throws {
        let model = draft.document(named: "Draft").currentModel
        let back = try Model(contents: model.contents())
        precondition(back == model, "a draft changed on its way through a document")
        precondition(draft.notes.allSatisfy { !$0.isEmpty }, "a note says nothing")
        try use(model)
    }

    // MARK: Mapping models

    private static func readMapping(_ data: Data) throws {
        if MappingBundleFile.isSigned(data) {
            let file = try MappingBundleFile(data: data)
            precondition(file.data() == data, "a mapping resource changed on its way")
            return try use(
                CompiledMapping(file.mapping(), source: file.sourceModel(), destination: file.destinationModel()))
        }
        if let document = try? XMLStoreDocument(data: data) {
            let mapping = try MappingModel(document)
            // What the document left open is written out once, and stays then.
            var written = document
            written.update(with: mapping)
            let back = try MappingModel(written)
            written.update(with: back)
            let again = try MappingModel(written)
            precondition(again == back, "a mapping changed on its way through a document")
            let (source, destination) = models(of: mapping)
            return try use(CompiledMapping(mapping, source: source, destination: destination))
        }
        try use(CompiledMapping(data))
    }

    /// Models with the entities that a mapping names.
    private static func models(of mapping: MappingModel) -> (Model, Model) {
        func model(_ names: [String?]) -> Model {
            Model(entities: Set(names.compactMap(\.self)).sorted().map { Model.Entity(name: $0) })
        }
        return (model(mapping.entityMappings.map(\.sourceName)), model(mapping.entityMappings.map(\.destinationName)))
    }

    private static func use(_ compiled: CompiledMapping) throws {
        _ = try? compiled.data()
        _ = try NSMappingModel(compiled).compiled
    }

    // MARK: Stores

    /// In memory where the system has a file system for it: nothing of this is worth a disk's time.
    private static let file: URL = {
        let folder = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
        return URL(filePath: folder).appending(path: "coredata-fuzz-\(getpid()).sqlite")
    }()

    /// The input's first two bytes say where the metadata end and the model's archive begins.
    private static func readMetadata(_ data: Data) throws {
        guard data.count >= 2 else { return }
        let length = min(Int(data[0]) << 8 | Int(data[1]), data.count - 2)
        let (metadata, archive) = (data.dropFirst(2).prefix(length), data.dropFirst(2 + length))
        try? FileManager.default.removeItem(at: file)
        var database: OpaquePointer?
        defer { sqlite3_close_v2(database) }
        guard sqlite3_open(file.path, &database) == SQLITE_OK else { fatalError("\(file.path) can't be written") }
        sqlite3_exec(
            database,
            """
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
            CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            INSERT INTO Z_METADATA VALUES (1, 'A', x'\(metadata.hexadecimal)');
            INSERT INTO Z_MODELCACHE VALUES (x'\(archive.hexadecimal)');
            """, nil, nil, nil)
        try readStore()
    }

    private static func readStore(_ data: Data) throws {
        try data.write(to: file)
        try readStore()
    }

    // MARK: Stores that are read as a whole

    private static func read(_ data: Data, _ type: String) throws {
        let store = FuzzedFileStore(type: type, url: file)
        if data.isEmpty { return }
        try data.write(to: file)
        try store.read(FuzzedFileStore.model())
    }

    /// Puts a first input into a folder, for kinds whose stores are no fixtures of tests.
    func makeSeed(in folder: URL) throws {
        let types: [FuzzedKind: String] = [.binary: NSBinaryStoreType, .xml: NSXMLStoreType]
        let seed = folder.appending(path: "seed")
        guard let type = types[self], !FileManager.default.fileExists(atPath: seed.path) else { return }
        try FuzzedFileStore(type: type, url: seed).make()
    }

    // MARK: Databases

    /// What the command's subcommands read of a store.
    private static func readStore() throws {
        let inspection = try StoreInspection(contentsOf: file)
        guard inspection.isStore else { return }
        _ = try inspection.metadata()
        _ = try inspection.entities()
        _ = try? inspection.deletions()
        let carried = try? inspection.modelArchive().map { try ModelArchive.read($0) }
        let model = try carried ?? InferredModel(inspection).model
        let descriptions = try NSManagedObjectModel(document: model.withoutClasses)
        for finding in StoreCheck(inspection, model: descriptions).run() { _ = finding.description }
        try fetchAll(descriptions)
    }

    /// Every value of every object.
    private static func fetchAll(_ model: NSManagedObjectModel) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: file,
            options: [SQLiteEvidenceOption: NSNumber(value: true), SQLiteAnyModelOption: NSNumber(value: true)])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.unreadableFaultHandler = { _ in }
        try context.performAndWait {
            for entity in model.entities where !entity.isAbstract {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
                request.fetchLimit = 200
                request.includesSubentities = false
                for object in try context.fetch(request) {
                    for attribute in object.entity.attributesByName.keys { _ = object.value(forKey: attribute) }
                    for relationship in object.entity.relationshipsByName.keys {
                        _ = object.objectIDs(forRelationshipNamed: relationship)
                    }
                }
            }
            context.reset()
        }
        try coordinator.remove(store)
    }
}

extension Model {
    /// The model without classes and transformers, which the program does not have.
    fileprivate var withoutClasses: Model {
        var model = self
        for entity in model.entities.indices {
            model.entities[entity].representedClass = nil
            for attribute in model.entities[entity].attributes.indices {
                model.entities[entity].attributes[attribute].valueTransformerName = nil
            }
        }
        for composite in model.composites.indices {
            for element in model.composites[composite].elements.indices {
                model.composites[composite].elements[element].valueTransformerName = nil
            }
        }
        return model
    }
}

extension Data {
    fileprivate var hexadecimal: String { map { String(format: "%02x", $0) }.joined() }
}
