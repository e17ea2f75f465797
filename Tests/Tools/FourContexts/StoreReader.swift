import CSQLite
import Foundation

/// Reads a store as what it is, an SQLite file: no part of CoreData between.
final class StoreReader {
    private var connection: OpaquePointer?
    private var statements: [String: OpaquePointer] = [:]

    init(_ url: URL) throws {
        guard sqlite3_open_v2(url.path, &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
            throw Failure("can't open \(url.path)")
        }
        sqlite3_busy_timeout(connection, 5000)
    }

    deinit {
        statements.values.forEach { sqlite3_finalize($0) }
        sqlite3_close(connection)
    }

    /// - Parameter numbers: The oracle's number of an entity's row.
    func read(_ number: (String, Int64) -> Int?) throws -> StoreState {
        try each("BEGIN") { _ in }
        defer { try? each("COMMIT") { _ in } }
        var state = StoreState()
        func known(_ entity: String, _ key: Int64) throws -> Int {
            if let number = number(entity, key) { return number }
            throw Failure("the store has an unknown \(entity) \(key)")
        }
        for entity in Schema.entities {
            let toOnes = Schema.relations(of: entity).filter { !$0.isToMany }
            let columns = ["Z_PK", "Z_OPT", "ZNAME", "ZNUMBER"] + toOnes.map { "Z" + $0.name.uppercased() }
            try each("SELECT \(columns.joined(separator: ", ")) FROM Z\(entity.uppercased())") { row in
                var values = Row(entity: entity, version: Int(row.integer(1) ?? 0))
                values.attributes["name"] = row.text(2)
                values.attributes["number"] = row.text(3)
                for (index, relation) in toOnes.enumerated() {
                    guard let key = row.integer(Int32(4 + index)) else { continue }
                    values.toOne[relation.name] = try known(relation.destination, key)
                }
                state.rows[try known(entity, row.integer(0) ?? 0)] = values
            }
        }
        try readOrder(&state, known)
        try readLinks(&state, known)
        return state
    }

    /// Matches keep their place themselves.
    private func readOrder(_ state: inout StoreState, _ known: (String, Int64) throws -> Int) throws {
        try each("SELECT ZTEAM, Z_PK FROM ZMATCH WHERE ZTEAM IS NOT NULL ORDER BY ZTEAM, Z_FOK_TEAM, Z_PK") { row in
            let (team, match) = (row.integer(0) ?? 0, row.integer(1) ?? 0)
            state.lists[try known("Team", team), default: [:]]["matches", default: []].append(try known("Match", match))
        }
    }

    private func readLinks(_ state: inout StoreState, _ known: (String, Int64) throws -> Int) throws {
        for link in Links.all {
            let sql =
                "SELECT \(link.source), \(link.target) FROM \(link.table) ORDER BY \(link.order ?? link.source), \(link.target)"
            try each(sql) { row in
                let source = try known(link.relation.owner, row.integer(0) ?? 0)
                let target = try known(link.relation.destination, row.integer(1) ?? 0)
                state.link(source, target, link.relation)
            }
        }
    }

    private struct Line {
        let statement: OpaquePointer?

        func integer(_ column: Int32) -> Int64? {
            sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : sqlite3_column_int64(statement, column)
        }

        func text(_ column: Int32) -> String? { sqlite3_column_text(statement, column).map { String(cString: $0) } }
    }

    private func each(_ sql: String, _ body: (Line) throws -> Void) throws {
        var statement = statements[sql]
        if statement == nil {
            guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else {
                throw Failure("\(String(cString: sqlite3_errmsg(connection))): \(sql)")
            }
            statements[sql] = statement
        }
        defer { sqlite3_reset(statement) }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: try body(Line(statement: statement))
            case SQLITE_DONE: return
            default: throw Failure("\(String(cString: sqlite3_errmsg(connection))): \(sql)")
            }
        }
    }
}

/// The join tables, as Apple's framework would name them for this model.
private struct Links {
    let relation: Relation
    let table: String
    let source: String
    let target: String
    var order: String?

    static let all = [
        Links(
            relation: Schema.relation("Team", "lineup"), table: "Z_2LINEUPS", source: "Z_4LINEUPS", target: "Z_2LINEUP",
            order: "Z_FOK_2LINEUP"),
        Links(
            relation: Schema.relation("Team", "sponsors"), table: "Z_3TEAMS", source: "Z_4TEAMS", target: "Z_3SPONSORS"),
        Links(
            relation: Schema.relation("Player", "friends"), table: "Z_2FRIENDS", source: "Z_2FRIENDS",
            target: "REFLEXIVE"),
    ]
}
