import ArgumentParser
import CoreData
import Foundation

/// `coredata query STORE ENTITY`: objects as a table.
struct QueryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query", abstract: "Show objects of an entity and of its subentities as a table.",
        discussion: """
            Key paths follow relationships: team.name, team.players.@count, players.lastName (all of them), \
            players.@max.salary, address.city.

            EXAMPLES
              coredata query Moody.sqlite Mood
              coredata query Moody.sqlite Mood --where 'country.numericISO3166Code == 710' --format csv
              coredata query Moody.sqlite Mood --columns 'date,country.moods.@count'
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case table, jsonl, csv
    }

    @OptionGroup var source: StoreSource

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

    @Option(
        help:
            "Key paths to show, separated by commas; “id” is the object's identifier, or “self” where id is a property."
    )
    var columns: String?

    @Option(help: "A table for the eye, a JSON object per line, or comma-separated values as by export.")
    var format = Format.table

    @Flag(help: "Comma-separated values for programs: every text exactly as it is.")
    var exact = false

    @Flag(
        help:
            "Print the SQL with its parameters, SQLite's plan, and in words what is scanned and which fetch index would help; do not run it."
    )
    var explain = false

    @OptionGroup var values: ValueOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1 on.") }
        if exact, format != .csv { throw ValidationError("--exact is for --format csv; JSON always is.") }
    }

    func run() throws {
        try source.look { store in
            let session = try QuerySession(store)
            let description = try session.entity(named: entity)
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.predicate = try predicate.map(QuerySession.predicate)
            request.sortDescriptors = try Self.sortDescriptors(sort, of: description)
            request.fetchLimit = limit ?? 0
            var renderer = try values.renderer(for: store)
            renderer.abbreviatesData = format == .table
            let output = try session.perform { context in
                explain
                    ? try Self.explanation(of: request, in: context).asText
                    : try text(of: request, in: context, columns: selectedColumns(of: description), renderer)
            }
            print(output, terminator: "")
        }
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
            _ = try QueryPath(key, of: entity)
            return NSSortDescriptor(key: key, ascending: !isDescending)
        }
    }

    // MARK: Results

    private func text(
        of request: NSFetchRequest<NSManagedObject>, in context: NSManagedObjectContext, columns: [QueryColumn],
        _ renderer: ValueRenderer
    ) throws -> String {
        let objects = try context.fetch(request)
        switch format {
        case .table:
            var table = TextTable(
                header: columns.map(\.title), rightAligned: Set(columns.filter(\.isNumeric).map(\.title)))
            for object in objects { table.rows.append(try columns.map { try $0.json(of: object, renderer).fieldText }) }
            let count = table.rows.count
            return (table.lines + ["", "\(count) \(count == 1 ? "object" : "objects")"]).asText
        case .jsonl:
            return try objects.map { object in
                let members = try columns.map { ($0.title, try $0.json(of: object, renderer)) }
                let object = JSONValue.object(Dictionary(members, uniquingKeysWith: { first, _ in first }))
                return JSONWriter(layout: .compact).string(object)
            }.asText
        case .csv:
            let csv = CSV(isExact: exact)
            let lines = try objects.map { object in
                csv.line(try columns.map { try $0.json(of: object, renderer).fieldText })
            }
            return csv.start + csv.line(columns.map(\.title)) + lines.joined()
        }
    }

    private static func explanation(of request: AnyFetchRequest, in context: NSManagedObjectContext) throws -> [String]
    {
        try context.explain(request).flatMap { explanation -> [String] in
            let parameters = explanation.bindings.enumerated().map { "?\($0 + 1) = \(literal($1))" }
            return [explanation.text] + section("parameters", parameters) + section("plan", explanation.plan)
                + section("in words", explanation.sentences)
        }
    }

    private static func section(_ title: String, _ lines: [String]) -> [String] {
        ["", title] + (lines.isEmpty ? ["none"] : lines).map { "  " + $0 }
    }

    /// A parameter as SQL would write it.
    private static func literal(_ value: SQLValue) -> String {
        switch value {
        case .null: "NULL"
        case .int(let value): String(value)
        case .double(let value): value.pythonRepresentation
        case .text(let value): "'" + TextTable.singleLine(value).replacing("'", with: "''") + "'"
        case .blob(let value): "x'" + value.hexadecimal + "'"
        }
    }
}

extension [String] {
    /// The lines, each with a line feed at its end.
    fileprivate var asText: String { map { $0 + "\n" }.joined() }
}
