import CoreData
import Foundation

@testable import CoreDataPostgreSQL

/// A script of statements with the answers to each of them.
struct PostgreSQLScript {
    /// What a statement gives: rows of columns, nil for null; or an error.
    typealias Answer = Result<[[String?]], PostgreSQLScriptError>

    private var text: String
    private var count = 0

    /// - Parameter preamble: Statements without answers.
    init(_ preamble: [String] = []) {
        text = "SET timezone = 'UTC'; SET client_min_messages = error; SET plan_cache_mode = auto;\n"
        text += preamble.map { $0 + ";\n" }.joined()
    }

    mutating func add(_ statement: String) {
        text += "\\echo \u{1d}\n" + statement + ";\n"
        count += 1
    }

    /// Prepares a query and runs it with its values, as a client does.
    ///
    /// - Parameter explained: Whether the plan is wanted, and not the rows.
    mutating func add(_ query: PostgreSQLQuery, explained: Bool = false) {
        let types = query.parameters.map { $0.type.rawValue + ($0.isArray ? "[]" : "") }
        let declared = types.isEmpty ? "" : "(" + types.joined(separator: ", ") + ")"
        let values = query.parameters.map(\.literal)
        let given = values.isEmpty ? "" : "(" + values.joined(separator: ", ") + ")"
        text += "\\echo \u{1d}\nPREPARE q\(declared) AS \(query.text);\n"
        text += "\(explained ? "EXPLAIN " : "")EXECUTE q\(given);\nDEALLOCATE q;\n"
        count += 1
    }

    func answers(of server: PostgreSQLTestServer, in database: String) throws -> [Answer] {
        let output = try server.run(text, database: database)
        let parts = output.components(separatedBy: "\u{1d}\n").dropFirst()
        precondition(parts.count == count, "\(parts.count) answers to \(count) statements: \(output.prefix(500))")
        return parts.map { part in
            if part.contains("ERROR:") { return .failure(PostgreSQLScriptError(text: part)) }
            // The end of the answer is the end of a line, and that of a row unless it is the last.
            let rows = part.hasSuffix("\n") ? String(part.dropLast()) : part
            if rows.isEmpty { return .success([]) }
            return .success(
                rows.components(separatedBy: "\u{1e}").map { row in
                    row.components(separatedBy: "\u{1f}").map { $0 == "\u{2400}" ? nil : $0 }
                })
        }
    }
}

struct PostgreSQLScriptError: Error {
    let text: String
}

extension PostgreSQLParameter {
    /// The value in a script.
    var literal: String {
        if !isArray { return Self.literal(values[0], type) }
        return "ARRAY[\(values.map { Self.literal($0, type) }.joined(separator: ", "))]::\(type.rawValue)[]"
    }

    static func literal(_ value: SQLValue, _ type: PostgreSQLType) -> String {
        let text: String
        switch (value, type) {
        case (.null, _): return "NULL::\(type.rawValue)"
        case (.int(let number), .boolean): return number == 0 ? "false" : "true"
        case (.double(let seconds), .timestamp): text = PostgreSQLType.date(seconds)
        case (.int(let number), _): text = "\(number)"
        case (.double(let number), _): text = number.isFinite ? "\(number)" : number > 0 ? "Infinity" : "-Infinity"
        case (.text(let string), _): text = string
        case (.blob(let data), .uuid):
            text = data.map { String(format: "%02x", $0) }.joined()
        case (.blob(let data), _): text = "\\x" + data.map { String(format: "%02x", $0) }.joined()
        }
        return "'" + text.replacing("'", with: "''") + "'::\(type.rawValue)"
    }
}
