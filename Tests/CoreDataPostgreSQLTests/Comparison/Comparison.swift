import CoreData
import Foundation
import Testing

@testable import CoreDataPostgreSQL

/// Asks both stores the same, all requests in one script.
struct Comparison {
    let store: ComparedStore
    let server: PostgreSQLTestServer
    private(set) var equal = 0
    /// Requests that PostgreSQL refuses, by the reason.
    private(set) var refused: [String: Int] = [:]
    /// Requests that no SQL store answers.
    private(set) var unanswered = 0

    init(_ store: ComparedStore, _ server: PostgreSQLTestServer) { (self.store, self.server) = (store, server) }

    private struct Asked {
        let request: ComparedRequest
        let wanted: [[ComparedValue]]
        let query: PostgreSQLQuery
    }

    mutating func check(_ requests: [ComparedRequest], _ label: String = "") throws {
        let translator = PostgreSQLTranslator(schema: store.schema, store: 1)
        var asked: [Asked] = []
        for request in requests {
            guard let wanted = try? rows(request) else {
                unanswered += 1
                #expect(throws: (any Error).self) { try translator.translate(request.fetch(store.schema.layouts)) }
                continue
            }
            do {
                let query = try translator.translate(request.fetch(store.schema.layouts))
                asked.append(Asked(request: request, wanted: wanted, query: query))
            } catch {
                refused["\((error as NSError).localizedDescription)", default: 0] += 1
            }
        }
        var script = PostgreSQLScript()
        asked.forEach { script.add($0.query) }
        for (asked, answer) in zip(asked, try script.answers(of: server, in: store.database)) {
            compare(asked, answer, label)
        }
    }

    // MARK: SQLite's answer

    private func rows(_ request: ComparedRequest) throws -> [[ComparedValue]] {
        try store.context.performAndWait {
            let found = try store.context.fetch(request.request)
            switch request.output {
            case .keys: return found.map { [ComparedValue($0)] }
            case .count: return found.map { [ComparedValue($0)] }
            case .dictionaries(let columns, _, _, _):
                return found.map { row in
                    let row = row as? NSDictionary ?? [:]
                    return columns.map { ComparedValue(row[$0.name]) }
                }
            }
        }
    }

    // MARK: PostgreSQL's answer

    private mutating func compare(_ asked: Asked, _ answer: PostgreSQLScript.Answer, _ label: String) {
        let what = Comment(
            rawValue: "\(asked.request.title) \(label)\n\(asked.query.text)\n\(asked.query.parameters.map(\.literal))")
        switch answer {
        case .failure(let error): Issue.record("\(error.text)\n\(what)")
        case .success(let rows):
            var found = rows.map { values($0, asked.query.result) }
            var wanted = asked.wanted
            if !asked.request.isSorted {
                // Byte by byte: Swift takes texts for equal that are composed differently.
                found.sort { "\($0)".utf8.lexicographicallyPrecedes("\($1)".utf8) }
                wanted.sort { "\($0)".utf8.lexicographicallyPrecedes("\($1)".utf8) }
            }
            // What is no decimal has no place in an order.
            let isOpen = !asked.request.isSorted && found.joined().contains { $0.isNoDecimal }
            if found == wanted || isOpen && found.count == wanted.count {
                equal += 1
            } else {
                record(found, wanted, what)
            }
        }
    }

    private func values(_ row: [String?], _ result: SQLResult) -> [ComparedValue] {
        switch result {
        case .rows, .references, .count: [ComparedValue(row[0], as: .value(.integer(.bits64)))]
        case .dictionaries(let columns): columns.map { ComparedValue(row[$0.index], as: $0.kind) }
        }
    }

    private func record(_ found: [[ComparedValue]], _ wanted: [[ComparedValue]], _ what: Comment) {
        let first = zip(found, wanted).first { $0 != $1 }
        Issue.record(
            """
            PostgreSQL has \(found.count) rows, SQLite \(wanted.count); the first that differ: \
            \(first.map { "\($0.0) and \($0.1)" } ?? "behind the others")
            PostgreSQL: \(found.prefix(12))
            SQLite:     \(wanted.prefix(12))
            \(what)
            """)
    }
}
