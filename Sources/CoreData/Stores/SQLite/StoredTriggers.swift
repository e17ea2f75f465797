import Foundation

/// The triggers in a store's file, and the functions of Apple's framework that they call.
struct StoredTriggers {
    let all: [(name: String, sql: String)]

    init(_ connection: SQLiteConnection) throws {
        let statement = try SQLiteStatement(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND sql IS NOT NULL", on: connection)
        var found: [(name: String, sql: String)] = []
        while try statement.step() { found.append((statement.text(0) ?? "", statement.text(1) ?? "")) }
        all = found
    }

    /// The triggers that keep a derived attribute: their names have the entity, and they tell which object's value they
    /// changed.
    func keeping(_ slot: PropertySlot, of layout: EntityLayout) -> [(name: String, sql: String)] {
        all.filter {
            $0.name.hasPrefix("Z_DA_") && $0.name.contains("_\(layout.name)_")
                && $0.sql.contains(" Z_PK, \(slot.name.sqlLiteral),")
        }
    }

    /// The functions that are called for nothing but the call, `SELECT name(…)`: those tell that rows changed.
    var tellingFunctions: Set<String> {
        Set(all.flatMap { Self.calls(in: $0.sql).filter(\.isStatement).map(\.name) })
    }

    /// The functions that a trigger calls for a value.
    static func valueFunctions(in sql: String) -> Set<String> {
        Set(calls(in: sql).filter { !$0.isStatement }.map(\.name))
    }

    /// What stands before opening parentheses and has a name as Apple's functions have.
    private static func calls(in sql: String) -> [(name: String, isStatement: Bool)] {
        sql.split(separator: "(", omittingEmptySubsequences: false).dropLast().compactMap { part in
            let name = part.reversed().prefix { $0.isLetter || $0.isNumber || $0 == "_" }.reversed()
            guard name.starts(with: "NS") else { return nil }
            let before = part.dropLast(name.count).trimmingSuffix { $0.isWhitespace }
            return (String(name), before.uppercased().hasSuffix("SELECT"))
        }
    }
}

extension Substring {
    fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> Substring {
        var rest = self
        while let last = rest.last, isTrimmed(last) { rest.removeLast() }
        return rest
    }
}
