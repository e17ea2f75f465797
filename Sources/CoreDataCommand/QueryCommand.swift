import ArgumentParser
import CoreData
import Foundation
import StoreBrowsing

/// `coredata query STORE ENTITY`: objects as a table.
struct QueryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query", abstract: "Show objects of an entity and of its subentities as a table.",
        discussion: """
            Key paths follow relationships: team.name, team.players.@count, players.lastName (all of them), \
            players.@max.salary, address.city.

            With --group-by there is a row for each group. --columns are then the aggregates of a group: @count, and @sum, \
            @avg, @min and @max with a key path behind, as @sum.salary; --sort takes the columns that are shown. Missing \
            values are left out of sums, averages, least and greatest values.

            The objects that --where is true for are read into memory, also for groups and distinct rows; --count without \
            --distinct lets the store count. Of a large store, export --format sqlite and a statement of SQL need less.

            EXAMPLES
              coredata query Moody.sqlite Mood
              coredata query Moody.sqlite Mood --where 'country.numericISO3166Code == 710' --format csv
              coredata query Moody.sqlite Mood --columns 'date,country.moods.@count'
              coredata query Moody.sqlite Mood --count
              coredata query Moody.sqlite Mood --group-by country --columns '@count,@max.date' --sort -@count
              coredata query Moody.sqlite Mood --columns country --distinct --format tsv --output countries.tsv
            """)

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

    @Option(help: "Key paths to group by, separated by commas: a row for each combination of their values.")
    var groupBy: String?

    @Flag(help: "Print the number of objects, of groups' objects, or of distinct rows.")
    var count = false

    @Flag(help: "Show each combination of the values of --columns once.")
    var distinct = false

    @OptionGroup var rows: RowOptions

    @Flag(
        help:
            "Print the SQL with its parameters, SQLite's plan, and in words what is scanned and which fetch index would help; do not run it."
    )
    var explain = false

    @OptionGroup var values: ValueOptions

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1 on.") }
        if distinct, columns == nil { throw ValidationError("--distinct needs --columns: no object is there twice.") }
        if groupBy != nil, distinct { throw ValidationError("--group-by has no row twice; leave out --distinct.") }
        if explain, groupBy != nil || count || distinct {
            throw ValidationError("--explain shows the statement that fetches objects; leave out the aggregates.")
        }
    }

    func run() throws {
        try source.look { store in
            let session = try QuerySession(store)
            let description = try session.entity(named: entity)
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.predicate = try predicate.map(QuerySession.predicate)
            var renderer = try values.renderer(for: store)
            renderer.abbreviatesData = (rows.format ?? .table).isForTheEye
            if explain {
                request.sortDescriptors = try Self.sortDescriptors(sort, of: description)
                request.fetchLimit = limit ?? 0
                let lines = try session.perform { try Self.explanation(of: request, in: $0) }
                if lines.isEmpty { throw CommandFailure(.other, "\(store.place.name) does not explain its fetches.") }
                let sink = try rows.sink([source.store])
                for line in lines { try sink.write(line + "\n") }
                return try sink.finish()
            }
            let found = try session.perform { try result(of: request, description, $0, renderer) }
            let printer = try rows.printer(
                found.columns, standard: .table, table: entity, stores: [source.store])
            for row in found.rows { try printer.write(row) }
            try printer.finish(counting: found.noun)
        }
    }

    private func selectedColumns(of entity: NSEntityDescription) throws -> [QueryColumn] {
        guard let columns else { return try QueryColumn.standard(for: entity) }
        return try Self.list(columns).map { try QueryColumn(path: $0, of: entity) }
    }

    static func list(_ text: String) -> [String] {
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

    /// What is printed.
    private struct Result {
        var columns: [RowColumn]
        var rows: [[JSONValue]]
        var noun: (one: String, many: String)?
    }

    private func result(
        of request: NSFetchRequest<NSManagedObject>, _ entity: NSEntityDescription, _ context: NSManagedObjectContext,
        _ renderer: ValueRenderer
    ) throws -> Result {
        if let groupBy {
            let grouping = try QueryGrouping(
                keys: Self.list(groupBy), aggregates: columns.map(Self.list) ?? (count ? ["@count"] : []), of: entity)
            let order = try grouping.order(sort.map(Self.list) ?? [])
            let objects = try context.fetch(request)
            let bar = ProgressBar("Reading", besides: self.rows) { objects.count }
            let rows = try grouping.rows(of: objects, renderer, order: order, bar)
            return Result(
                columns: grouping.columns, rows: Array(rows.prefix(limit ?? rows.count)), noun: ("group", "groups"))
        }
        if count, !distinct { return Self.counted(try min(context.count(for: request), limit ?? .max)) }
        request.sortDescriptors = try Self.sortDescriptors(sort, of: entity)
        if !distinct { request.fetchLimit = limit ?? 0 }
        let columns = try selectedColumns(of: entity)
        var rows: [[JSONValue]] = []
        var seen: Set<[JSONValue]> = []
        let objects = try context.fetch(request)
        let bar = ProgressBar("Reading", besides: self.rows) { objects.count }
        defer { bar?.finish() }
        for object in objects {
            bar?.advance()
            let row = try columns.map { try $0.json(of: object, renderer) }
            if distinct, !seen.insert(row).inserted { continue }
            rows.append(row)
            if let limit, rows.count == limit { break }
        }
        if count { return Self.counted(rows.count) }
        return Result(
            columns: columns.map { RowColumn(title: $0.title, isNumeric: $0.isNumeric) }, rows: rows,
            noun: distinct ? ("row", "rows") : ("object", "objects"))
    }

    private static func counted(_ count: Int) -> Result {
        Result(columns: [RowColumn(title: "count", isNumeric: true)], rows: [[.int(Int64(count))]], noun: nil)
    }

    private static func explanation(of request: AnyFetchRequest, in context: NSManagedObjectContext) throws -> [String]
    {
        try context.explain(request).flatMap { explanation -> [String] in
            let parameters = explanation.bindings.enumerated().map {
                "\(explanation.parameterMark)\($0 + 1) = \(literal($1))"
            }
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
