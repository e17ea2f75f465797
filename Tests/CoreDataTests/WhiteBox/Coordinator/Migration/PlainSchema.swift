import Foundation

@testable import CoreData

/// What a store's database is made of, without the order of columns and the quotes that changes of names leave.
struct PlainSchema: Equatable {
    let statements: Set<String>

    /// The schema of a store's file.
    init(_ url: URL) throws {
        let connection = try SQLiteConnection(path: url.path, access: .readWrite)
        let rows = try SQLiteStatement("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL", on: connection)
        var found: Set<String> = []
        while try rows.step() {
            let text = rows.text(0) ?? ""
            // A spatial index has tables of its own.
            if !text.contains("_node\"") && !text.contains("_rowid\"") && !text.contains("_parent\"") {
                found.insert(Self.plain(text))
            }
        }
        statements = found
    }

    /// The schema of a new store of a model.
    init(_ model: NSManagedObjectModel) throws {
        let schema = SQLSchema.derived(from: try model.storeModel(configuration: nil).layouts)
        statements = Set(try schema.creationStatements().map(Self.plain))
    }

    /// What the one has and the other has not.
    func differences(from other: PlainSchema) -> [String] {
        statements.subtracting(other.statements).map { "+ \($0)" }.sorted()
            + other.statements.subtracting(statements).map { "- \($0)" }.sorted()
    }

    private static func plain(_ text: String) -> String {
        let plain = text.replacing("\"", with: "")
        guard plain.hasPrefix("CREATE TABLE "), let open = plain.firstIndex(of: "(") else { return plain }
        let columns = parts(plain[plain.index(after: open)...].dropLast())
        return plain[..<open].trimmingCharacters(in: .whitespaces) + " (" + columns.sorted().joined(separator: ", ")
            + ")"
    }

    /// The parts between commas that are in no parentheses of their own.
    private static func parts(_ text: Substring) -> [String] {
        var (parts, depth) = ([""], 0)
        for character in text {
            depth += character == "(" ? 1 : character == ")" ? -1 : 0
            if character == ",", depth == 0 { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        return parts.map { $0.trimmingCharacters(in: .whitespaces) }
    }
}

extension SQLiteConnection {
    /// What is wrong in a store that the format does not allow: the file, the numbers of entities, and the keys.
    static func problems(in url: URL, _ model: NSManagedObjectModel) throws -> [String] {
        let connection = try SQLiteConnection(path: url.path, access: .readWrite)
        var problems: [String] = []
        if let check = try connection.text("PRAGMA integrity_check"), check != "ok" { problems.append(check) }
        let schema = SQLSchema.derived(from: try model.storeModel(configuration: nil).layouts)
        let rows = try SQLiteStatement(
            "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY Z_ENT", on: connection)
        var found: [String] = []
        while try rows.step() { found.append("\(rows.int(0)) \(rows.text(1) ?? "") \(rows.int(2))") }
        let expected = schema.layouts.layouts.map { layout in
            "\(schema.number(of: layout) ?? 0) \(layout.name) \(layout.parent.flatMap { schema.number(of: $0) } ?? 0)"
        }
        if found != expected { problems.append("entities \(found) for \(expected)") }
        for table in schema.tables {
            let numbers = schema.layouts[table.root].selfAndDescendants.filter { !$0.isAbstract }
                .compactMap { schema.number(of: $0).map { "\($0)" } }
            let strays = try connection.integer(
                "SELECT count(*) FROM \(table.name) WHERE Z_ENT NOT IN (\(numbers.joined(separator: ", ")))")
            if strays != 0 { problems.append("\(strays ?? 0) rows of \(table.name) are of no entity") }
        }
        return problems
    }
}
