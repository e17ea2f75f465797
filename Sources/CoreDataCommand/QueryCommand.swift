import ArgumentParser
import CoreData
import Foundation

/// `coredata query STORE ENTITY`: objects as a table.
struct QueryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query", abstract: "Show objects of an entity and of its subentities as a table.")

    @Argument(help: "The store's file.", completion: .file())
    var store: String

    @Argument(help: "The entity.")
    var entity: String

    @Option(
        name: .customLong("where"),
        help: "Only the objects that this predicate is true for, such as 'team.name BEGINSWITH[c] \"b\"'.")
    var predicate: String?

    @Option(
        parsing: .unconditional,
        help: "Key paths to sort by, separated by commas; a minus in front turns the order round.")
    var sort: String?

    @Option(help: "Show that many objects at most.")
    var limit: Int?

    @Option(help: "Key paths to show, separated by commas; “id” is the object's identifier.")
    var columns: String?

    @Flag(help: "Print the SQL with its parameters and SQLite's plan, and do not run it.")
    var explain = false

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1 on.") }
    }

    func run() throws {
        let session = try QuerySession(OpenedStore(path: store))
        let description = try session.entity(named: entity)
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = try predicate.map(QuerySession.predicate)
        request.sortDescriptors = try Self.sortDescriptors(sort, of: description)
        request.fetchLimit = limit ?? 0
        let lines = try session.perform { context in
            explain
                ? try Self.explanation(of: request, in: context)
                : try Self.table(of: request, in: context, columns: selectedColumns(of: description))
        }
        lines.forEach { print($0) }
    }

    private func selectedColumns(of entity: NSEntityDescription) throws -> [QueryColumn] {
        guard let columns else { return try QueryColumn.standard(for: entity) }
        return try Self.list(columns).map { try QueryColumn(path: $0, of: entity) }
    }

    private static func list(_ text: String) -> [String] {
        text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private static func sortDescriptors(_ text: String?, of entity: NSEntityDescription) throws -> [NSSortDescriptor] {
        try list(text ?? "").map { item in
            let isDescending = item.hasPrefix("-")
            let key = isDescending ? String(item.dropFirst()) : item
            _ = try QueryColumn.property(at: key, of: entity)
            return NSSortDescriptor(key: key, ascending: !isDescending)
        }
    }

    private static func table(
        of request: NSFetchRequest<NSManagedObject>, in context: NSManagedObjectContext, columns: [QueryColumn]
    ) throws -> [String] {
        let numeric = Set(columns.filter(\.isNumeric).map(\.title))
        var table = TextTable(header: columns.map(\.title), rightAligned: numeric)
        for object in try context.fetch(request) { table.rows.append(columns.map { $0.text(of: object) }) }
        return table.lines + ["", "\(table.rows.count) \(table.rows.count == 1 ? "object" : "objects")"]
    }

    private static func explanation(of request: AnyFetchRequest, in context: NSManagedObjectContext) throws -> [String]
    {
        try context.explain(request).flatMap { explanation in
            let parameters = explanation.bindings.enumerated().map { "  ?\($0 + 1) = \(literal($1))" }
            return [explanation.text, "", "parameters"] + (parameters.isEmpty ? ["  none"] : parameters)
                + ["", "plan"] + explanation.plan.map { "  " + $0 }
        }
    }

    /// A parameter as SQL would write it.
    private static func literal(_ value: SQLValue) -> String {
        switch value {
        case .null: "NULL"
        case .int(let value): String(value)
        case .double(let value): value.pythonRepresentation
        case .text(let value): "'" + TextTable.singleLine(value).replacing("'", with: "''") + "'"
        case .blob(let value): "x'" + value.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
        }
    }
}
