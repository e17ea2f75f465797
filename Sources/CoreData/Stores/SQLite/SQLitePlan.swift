import Foundation

/// A step of SQLite's plan for a statement, as `EXPLAIN QUERY PLAN` says it.
enum SQLitePlanStep: Equatable {
    /// All rows of a table are looked at, or walked in the order of an index.
    case scan(alias: String, index: String?)
    /// Rows are looked up, by an index (nil: by their key) and the terms that it answers.
    case search(alias: String, index: String?, terms: String)
    /// An index is made for this statement alone.
    case automaticIndex(alias: String, terms: String)
    /// A temporary table brings the results in order, or finds equal ones: `ORDER BY`, `GROUP BY`, `DISTINCT`.
    case temporaryTable(String)
    case other

    init(_ line: String) {
        // Before 3.36 the library said "SCAN TABLE ZTEAM AS t0".
        let line = line.replacing(#/TABLE \S+ AS /#, with: "")
        if let match = line.firstMatch(of: #/^SCAN (t\d+)(?: USING (?:COVERING )?INDEX (\S+))?$/#) {
            self = .scan(alias: String(match.1), index: match.2.map(String.init))
        } else if let match = line.firstMatch(of: #/^SEARCH (t\d+) USING AUTOMATIC .*?INDEX \((.*)\)/#) {
            self = .automaticIndex(alias: String(match.1), terms: String(match.2))
        } else if let match = line.firstMatch(of: #/^SEARCH (t\d+) USING (?:COVERING )?INDEX (\S+) \((.*)\)/#) {
            self = .search(alias: String(match.1), index: String(match.2), terms: String(match.3))
        } else if let match = line.firstMatch(of: #/^SEARCH (t\d+) USING INTEGER PRIMARY KEY/#) {
            self = .search(alias: String(match.1), index: nil, terms: "")
        } else if let match = line.firstMatch(of: #/^USE TEMP B-TREE FOR (?:.*OF )?(.*)$/#) {
            self = .temporaryTable(String(match.1))
        } else {
            self = .other
        }
    }
}
