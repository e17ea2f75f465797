import CoreData
import Foundation
import SQLSamples

@testable import CoreDataPostgreSQL

/// The same objects in a store of SQLite and in tables of PostgreSQL.
final class ComparedStore {
    let context: NSManagedObjectContext
    let schema: SQLSchema
    let database: String
    private let coordinator: NSPersistentStoreCoordinator
    private let folder: URL
    private let server: PostgreSQLTestServer

    /// - Parameter fill: Inserts the objects.
    init(
        _ model: NSManagedObjectModel, name: String, server: PostgreSQLTestServer,
        fill: (NSManagedObjectContext) throws -> Void
    ) throws {
        SQLTintTransformer.register()
        self.server = server
        database = name
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("compared-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.appendingPathComponent("store.sqlite"),
            options: nil)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        schema = .derived(from: model.seal(), entities: nil, naming: PostgreSQLNaming())
        try context.performAndWait {
            try fill(context)
            try context.save()
        }
        try copy()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    // MARK: Tables

    private func copy() throws {
        try server.makeDatabase(database)
        var script = PostgreSQLScript()
        script.add("BEGIN")
        for statement in PostgreSQLFunctions.creation + PostgreSQLFunctions.creation { script.add(statement) }
        for statement in creation { script.add(statement) }
        try context.performAndWait {
            for table in schema.tables {
                let request = NSFetchRequest<NSManagedObject>(entityName: schema.layouts[table.root].name)
                for object in try context.fetch(request) { insertions(of: object).forEach { script.add($0) } }
            }
        }
        script.add("COMMIT")
        script.add("ANALYZE")
        for answer in try script.answers(of: server, in: database) { _ = try answer.get() }
    }

    private var creation: [String] {
        let dialect = PostgreSQLDialect()
        let tables = schema.tables.map { table in
            let columns = table.columns.map { column in
                "\(dialect.identifier(column.name)) \(column.type)\(column.type == "text" ? " COLLATE \"C\"" : "")"
            }
            return "CREATE TABLE \(dialect.identifier(table.name)) (\(columns.joined(separator: ", ")))"
        }
        let pairs = schema.joinTables.map { table in
            let columns = table.columns.map { "\(dialect.identifier($0)) bigint" }
            return "CREATE TABLE \(dialect.identifier(table.name)) (\(columns.joined(separator: ", ")))"
        }
        let typing = PostgreSQLTyping(schema)
        let indexes = schema.allIndexes(dialect).compactMap { try? typing.typed($0) }
        return tables + pairs + indexes.map { dialect.text(of: .createIndex($0)) }
    }

    private func key(_ object: NSManagedObject) -> Int64 { object.reference.key }

    private func insertions(of object: NSManagedObject) -> [String] {
        guard let layout = schema.layouts.layout(named: object.entity.name ?? "") else { return [] }
        let dialect = PostgreSQLDialect()
        var values = [
            ("Z_PK", "\(key(object))"), ("Z_ENT", "\(schema.number(of: layout) ?? 0)"), ("Z_OPT", "1"),
        ]
        var pairs: [String] = []
        for slot in layout.slots where !slot.isTransient {
            if let column = schema.column(of: layout, slot: slot.index) {
                if slot.kind == .toOne {
                    guard let destination = object.value(forKey: slot.name) as? NSManagedObject else { continue }
                    values.append((column.name, "\(key(destination))"))
                    let entity = schema.layouts.layout(named: destination.entity.name ?? "")
                    if let name = column.entityColumn {
                        values.append((name, "\(entity.flatMap { schema.number(of: $0) } ?? 0)"))
                    }
                } else if let value = object.value(forKeyPath: slot.name) {
                    values.append((column.name, Self.literal(value, slot)))
                }
            } else if case .joinTable(let name, let source, let target, _)? = schema.link(of: layout, slot: slot.index),
                schema.layouts[slot.destination].slots[slot.inverse].name > slot.name
            {
                for member in (object.value(forKey: slot.name) as? NSSet)?.allObjects as? [NSManagedObject] ?? [] {
                    let columns = "\(dialect.identifier(source)), \(dialect.identifier(target))"
                    pairs.append(
                        "INSERT INTO \(dialect.identifier(name)) (\(columns)) VALUES (\(key(object)), \(key(member)))")
                }
            }
        }
        let names = values.map { dialect.identifier($0.0) }.joined(separator: ", ")
        let table = dialect.identifier(schema.table(of: layout).name)
        return ["INSERT INTO \(table) (\(names)) VALUES (\(values.map(\.1).joined(separator: ", ")))"] + pairs
    }

    private static func literal(_ value: Any, _ slot: PropertySlot) -> String {
        let type = PostgreSQLType(slot.kind)
        switch value {
        case let text as String where slot.kind == .transformable:
            return PostgreSQLParameter.literal(.blob(Data(text.utf8.reversed())), type)
        case let text as String: return PostgreSQLParameter.literal(.text(text), type)
        case let number as NSDecimalNumber:
            return PostgreSQLParameter.literal(.text(number.description(withLocale: nil)), type)
        case let number as NSNumber where type == .double:
            return PostgreSQLParameter.literal(.double(number.doubleValue), type)
        case let number as NSNumber: return PostgreSQLParameter.literal(.int(number.int64Value), type)
        case let date as Date:
            return PostgreSQLParameter.literal(.double(date.timeIntervalSinceReferenceDate), type)
        case let data as Data: return PostgreSQLParameter.literal(.blob(data), type)
        case let uuid as UUID:
            return PostgreSQLParameter.literal(.blob(withUnsafeBytes(of: uuid.uuid) { Data($0) }), type)
        case let url as URL: return PostgreSQLParameter.literal(.text(url.absoluteString), type)
        default: fatalError("No column holds \(value).")
        }
    }
}
