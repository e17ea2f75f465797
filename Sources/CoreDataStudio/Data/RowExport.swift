import CoreData
import Foundation
import StoreBrowsing

/// What is exported: a query's objects, with some of their properties.
struct ExportRequest: Sendable, Decodable {
    enum Format: String, Sendable, Decodable {
        case csv, json, jsonl, sqlite

        var type: String {
            switch self {
            case .csv: "text/csv; charset=utf-8"
            case .json: "application/json"
            case .jsonl: "application/jsonl"
            case .sqlite: "application/vnd.sqlite3"
            }
        }
    }

    var query: RowQuery
    var columns: [String]
    var format: Format

    /// The name of the file.
    var fileName: String { query.entity + "." + format.rawValue }
}

/// Writes objects part by part, so that no export is in memory as a whole.
struct RowExport {
    /// As many objects as are read at once at most.
    private static let mostRows = 500

    private let request: ExportRequest
    private let csv = CSV()
    private let json = JSONWriter(layout: .compact)

    init(_ request: ExportRequest) { self.request = request }

    /// What the file begins with.
    func start() -> String {
        switch request.format {
        case .csv: csv.start + csv.line(titles)
        case .json: "[\n"
        case .jsonl, .sqlite: ""
        }
    }

    /// What it ends with.
    func end(isEmpty: Bool) -> String { request.format == .json ? (isEmpty ? "]\n" : "\n]\n") : "" }

    /// How the objects are read.
    ///
    /// - Throws: `ToolFailure` for columns that the entity does not have.
    func parts(_ session: QuerySession) throws -> RowParts {
        let entity = try session.entity(named: request.query.entity)
        let properties = try request.columns.map { try ExportedColumn($0, of: entity).property }
        return RowParts(of: properties, most: Self.mostRows)
    }

    /// The text of some objects.
    ///
    /// - Parameter isFirst: Whether they are the first ones.
    func part(_ references: [ObjectReference], isFirst: Bool, _ session: QuerySession) throws -> String {
        var text = ""
        try forEach(references, session) { identifier, values in
            text += line(identifier, values, isFirst: isFirst && text.isEmpty)
        }
        return text
    }

    /// The titles of the columns, the identifier's first.
    var titles: [String] { ["id"] + request.columns }

    /// Calls `body` with the identifier and the values of each object that is there.
    func forEach(
        _ references: [ObjectReference], _ session: QuerySession, _ body: (String, [JSONValue]) throws -> Void
    ) throws {
        let entity = try session.entity(named: request.query.entity)
        let columns = try request.columns.map { try ExportedColumn($0, of: entity) }
        let ids = try references.map(session.objectID(of:))
        let properties = columns.map(\.property)
        let found = try session.objects(ids, of: entity, with: properties)
        let counts = try MemberCounts(properties.filter { $0.kind == .toMany }, of: entity, ids, session)
        for object in ids.compactMap({ found[$0] }) {
            try body(object.objectID.shortIdentifier, try columns.map { try $0.json(of: object, counts) })
        }
    }

    private func line(_ identifier: String, _ values: [JSONValue], isFirst: Bool) -> String {
        if request.format == .csv { return csv.line([identifier] + values.map(\.fieldText)) }
        var members = Dictionary(zip(request.columns, values), uniquingKeysWith: { first, _ in first })
        // A property of that name has the better right to it.
        if members["id"] == nil { members["id"] = .string(identifier) } else { members["self"] = .string(identifier) }
        let object = json.string(.object(members))
        if request.format == .jsonl { return object + "\n" }
        return (isFirst ? "" : ",\n") + object
    }
}

/// A property of the objects that are exported. Of to-manys it is the number of members.
private struct ExportedColumn {
    let property: ShownProperty
    private let column: QueryColumn
    private let renderer = ValueRenderer()

    init(_ path: String, of entity: NSEntityDescription) throws {
        guard let property = ShownProperty.all(of: entity).first(where: { $0.path == path }) else {
            throw ToolFailure(.invalidQuery, "\(entity.name ?? "") has no column \(path).")
        }
        self.property = property
        column = try QueryColumn(path: path, of: entity)
    }

    func json(of object: NSManagedObject, _ counts: MemberCounts) throws -> JSONValue {
        if property.kind == .toMany { return .int(Int64(counts.count(property.path, object.objectID))) }
        return try column.json(of: object, renderer)
    }
}
