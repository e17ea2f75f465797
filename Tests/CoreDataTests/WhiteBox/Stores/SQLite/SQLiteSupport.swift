import Foundation
import ModelArchive
import Testing

@testable import CoreData

/// A folder for one test's stores, removed with this object.
final class StoreFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("sqlite-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}

/// Builds descriptions in few words.
struct SchemaBuilder {
    private(set) var entities: [NSEntityDescription] = []

    mutating func entity(
        _ name: String, parent: NSEntityDescription? = nil, isAbstract: Bool = false,
        _ attributes: [(String, NSAttributeType)] = []
    ) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.isAbstract = isAbstract
        entity.properties = attributes.map { name, type in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            return attribute
        }
        if let parent { parent.subentities.append(entity) }
        entities.append(entity)
        return entity
    }

    /// Adds a relationship; `isOrdered` matters for to-manys.
    @discardableResult
    func relationship(
        _ name: String, from source: NSEntityDescription, to destination: NSEntityDescription, isToMany: Bool,
        isOrdered: Bool = false
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.maxCount = isToMany ? 0 : 1
        relationship.isOrdered = isOrdered
        source.properties.append(relationship)
        return relationship
    }

    func pair(_ a: NSRelationshipDescription, _ b: NSRelationshipDescription) {
        a.inverseRelationship = b
        b.inverseRelationship = a
    }

    /// The layouts with an identity that does for a store of one test.
    func model() -> StoreModel {
        StoreModel(
            layouts: ModelLayout(entities: entities), owner: entities as NSArray, entities: nil,
            hashes: Dictionary(
                uniqueKeysWithValues: entities.map { ($0.name ?? "", Data(repeating: 7, count: 32)) }),
            versionIdentifiers: ["1"], digest: "digest", checksum: "checksum", archive: { Data("archive".utf8) })
    }
}

/// A model with every kind of relationship.
enum League {
    static func model() -> StoreModel { builder().model() }

    static func builder() -> SchemaBuilder {
        var builder = SchemaBuilder()
        let person = builder.entity("Person", isAbstract: true, [("name", .stringAttributeType)])
        let coach = builder.entity("Coach", parent: person, [("badge", .stringAttributeType)])
        let player = builder.entity("Player", parent: person, [("salary", .decimalAttributeType)])
        let team = builder.entity("Team", [("name", .stringAttributeType), ("founded", .dateAttributeType)])
        let tag = builder.entity("Tag", [("word", .stringAttributeType)])
        let note = builder.entity("Note", [("text", .stringAttributeType)])
        builder.pair(
            builder.relationship("team", from: player, to: team, isToMany: false),
            builder.relationship("players", from: team, to: player, isToMany: true, isOrdered: true))
        builder.pair(
            builder.relationship("fans", from: coach, to: person, isToMany: true),
            builder.relationship("favourites", from: person, to: coach, isToMany: true, isOrdered: true))
        let cousins = builder.relationship("cousins", from: person, to: person, isToMany: true)
        cousins.inverseRelationship = cousins
        builder.relationship("tags", from: note, to: tag, isToMany: true)
        builder.pair(
            builder.relationship("author", from: note, to: person, isToMany: false),
            builder.relationship("notes", from: person, to: note, isToMany: true))
        team.uniquenessConstraints = [["name"]]
        return builder
    }
}

/// A store, and changes to it in few words.
final class StoreUnderTest {
    let store: SQLiteStore
    var layouts: ModelLayout { store.layouts }

    /// A store with history goes on to record its changes.
    init(_ url: URL, _ model: StoreModel = League.model(), options: [AnyHashable: Any]? = nil) throws {
        let history = options == nil && AppleStores.hasHistory(url) ? HistoryStack.options : nil
        store = try SQLiteStore(model: model, configurationName: nil, url: url, options: options ?? history)
        store.token.number = 0
    }

    func reference(_ entity: String, _ key: Int64) -> ObjectReference {
        ObjectReference(key: key, entity: layouts.layout(named: entity)!.number, store: 0)
    }

    func newReference(_ entity: String) throws -> ObjectReference {
        reference(entity, try store.allocateKeys(for: layouts.layout(named: entity)!, count: 1))
    }

    func slot(_ entity: String, _ name: String) -> PropertySlot { layouts.layout(named: entity)!.slot(named: name)! }

    /// A change of a row: of a new one where there is no snapshot.
    func change(
        _ reference: ObjectReference, _ snapshot: RowSnapshot? = nil, _ values: [String: Slot] = [:],
        members: [MemberChange] = []
    ) -> RowChange {
        let layout = layouts[reference.entity]
        var row = [Slot](repeating: snapshot == nil ? .null : .unset, count: layout.slots.count)
        for (name, value) in values { row[layout.indexByName[name]!] = value }
        return RowChange(reference: reference, layout: layout, snapshot: snapshot, values: .make(row), members: members)
    }

    func members(
        _ entity: String, _ name: String, added: [ObjectReference] = [], removed: [ObjectReference] = [],
        order: [ObjectReference]? = nil
    ) -> MemberChange {
        MemberChange(slot: slot(entity, name), added: added, removed: removed, order: order)
    }

    @discardableResult
    func save(
        inserts: [RowChange] = [], updates: [RowChange] = [], deletes: [RowChange] = []
    ) throws -> [RowSnapshot] {
        var changes = StoreChanges()
        changes.inserts = RowChanges(inserts)
        changes.updates = RowChanges(updates)
        changes.deletes = RowChanges(deletes)
        return try store.save(changes)
    }

    func row(_ reference: ObjectReference) throws -> RowSnapshot? {
        let root = layouts[layouts[reference.entity].rootNumber]
        return try store.rows(rootedAt: root, keys: [reference.key]).first
    }

    func memberKeys(_ entity: String, _ name: String, of reference: ObjectReference) throws -> [Int64] {
        try store.members(of: reference, slot: slot(entity, name)).map(\.key)
    }

    func string(_ row: RowSnapshot, _ name: String) -> String? {
        let cell = row.layout.slot(named: name)!.cell
        return row.isNull(cell) ? nil : row.string(cell)
    }

    func integer(_ sql: String) throws -> Int64? { try store.connection.integer(sql) }
}

/// Files of the shared folder beside the package, where it is at hand.
enum SharedFixtures {
    static let folder = TestFolders.shared
    static let stores = folder.appendingPathComponent("fixtures/stores")
    static var isAtHand: Bool { FileManager.default.fileExists(atPath: stores.path) }
}

/// Stores that Apple's framework wrote, and that carry their model.
enum AppleStores {
    /// All stores of the shared folder where it is at hand, else the committed ones.
    static let allNames: [String] = {
        let all = FileManager.default.enumerator(atPath: home.path)?.compactMap { $0 as? String } ?? []
        return all.filter { ["sqlite", "moody", "db"].contains(($0 as NSString).pathExtension) }.sorted()
    }()

    /// Those that carry their model.
    static let names: [String] = allNames.filter {
        (try? SQLiteStore.modelArchive(
            at: home.appendingPathComponent($0), options: [SQLiteEvidenceOption: NSNumber(value: true)])) != nil
    }

    /// The store of a Photos library: the app has migrated it many times, its rows break some of the model's rules, and
    /// its model bounds most numbers. It has tests of its own.
    static let photos = "osxphotos-13/Photos.sqlite"
    /// Those that carry their model and were made by it.
    static let namesOfOneVersion = names.filter { $0 != photos }

    private static var home: URL { SharedFixtures.isAtHand ? SharedFixtures.stores : committed }

    private static let committed = TestFolders.fixtures.appendingPathComponent("Stores")

    /// Whether a file has the tables of persistent history.
    static func hasHistory(_ url: URL) -> Bool {
        guard FileManager.default.fileExists(atPath: url.path),
            let connection = try? SQLiteConnection(path: url.path, access: .readOnly)
        else { return false }
        defer { connection.close() }
        return (try? connection.integer("SELECT count(*) FROM sqlite_master WHERE name = 'ACHANGE'")) == 1
    }

    /// A copy of a store with its log, and its own model.
    static func copy(
        _ name: String, to folder: StoreFolder
    ) throws -> (url: URL, model: NSManagedObjectModel, identity: StoreModel) {
        let original = home.appendingPathComponent(name)
        let url = folder.file(original.lastPathComponent)
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: original.path + suffix) {
            try FileManager.default.copyItem(atPath: original.path + suffix, toPath: url.path + suffix)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path + suffix)
        }
        let archive = try #require(try SQLiteStore.modelArchive(at: url))
        let model = try NSManagedObjectModel(document: ModelArchive.read(archive))
        return (url, model, try model.storeModel(configuration: nil))
    }
}
