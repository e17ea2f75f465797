import CoreData
import ModelDocument
import StoreBrowsing
import StoreInspection

/// What the persistent history says of an object that is gone.
struct DeletedObject {
    /// The entity's name; nil where its number is no entity's.
    let entity: String?
    /// Everything that is known, by name; what was kept of the object's values has the columns' names.
    let members: [String: JSONValue]

    /// The deletions in a store's history, in their order.
    ///
    /// - Throws: ``CommandFailure`` where a value that was kept can't be written to a file.
    static func all(in store: OpenedStore, renderer: ValueRenderer) throws -> [DeletedObject] {
        let names = store.names
        let inspection = try store.inspection(for: "What is kept of deleted objects is read in SQLite files")
        return try inspection.deletions().map { try DeletedObject($0, names, renderer) }
    }

    private init(_ deletion: StoreInspection.Deletion, _ names: [Int64: String], _ renderer: ValueRenderer) throws {
        entity = names[deletion.entity]
        let identifier = "\(entity ?? "entity \(deletion.entity)")/p\(deletion.key)"
        var members: [String: JSONValue] = [
            "id": .string(identifier), "entity": .optional(entity), "author": .optional(deletion.author),
            "context": .optional(deletion.contextName), "bundle": .optional(deletion.bundle),
            "process": .optional(deletion.process), "transaction": deletion.transaction.map(JSONValue.int) ?? .null,
            "date": deletion.timestamp.map { .string(renderer.date($0)) } ?? .null,
        ]
        if !deletion.tombstone.isEmpty {
            var kept: [String: JSONValue] = [:]
            for (column, value) in deletion.tombstone {
                let type: Model.AttributeType = if case .blob = value { .binary } else { .undefined }
                kept[column] = try renderer.json(value, as: type, at: "\(identifier).\(column)")
            }
            members["tombstone"] = .object(kept)
        }
        self.members = members
    }

    private static let fixedColumns = [
        "id", "entity", "date", "transaction", "author", "context", "bundle", "process",
    ]

    /// The columns of a table of deletions: the tombstones' only where there are any.
    static func columns(of objects: [DeletedObject]) -> [String] {
        let kept = Set(objects.flatMap { $0.tombstone.keys })
        return fixedColumns + kept.sorted { $0.precedesByCodePoint($1) }
    }

    private var tombstone: [String: JSONValue] {
        if case .object(let kept)? = members["tombstone"] { kept } else { [:] }
    }

    func values(_ columns: [String]) -> [JSONValue] { columns.map { members[$0] ?? tombstone[$0] ?? .null } }

    func fields(_ columns: [String]) -> [String] { values(columns).map(\.fieldText) }

    /// Prints deletions as rows.
    static func write(
        _ objects: [DeletedObject], _ options: RowOptions, standard: RowFormat, stores: [String]
    ) throws {
        let columns = columns(of: objects)
        let printer = try options.printer(
            columns.map { RowColumn(title: $0) }, standard: standard, table: "deletions", stores: stores)
        for object in objects { try printer.write(object.values(columns), object: .object(object.members)) }
        try printer.finish()
    }
}
