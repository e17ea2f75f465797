import CoreData
import Foundation
import Testing

@testable import CoreDataPostgreSQL

/// Constants that no column of PostgreSQL can have find the same as in SQLite.
@Suite("Constants that no column can have")
struct UnstorableComparisonTests {
    private let store: ComparedStore
    private let server: PostgreSQLTestServer

    init() throws {
        server = try PostgreSQLTestServer.shared
        let name = "unstorable_\(UUID().uuidString.prefix(8).lowercased())"
        store = try ComparedStore(ValueModel.make(), name: name, server: server) { context in
            let names = [nil, "", "a", "a", "a\u{1}", "a\u{1}b", "ab", "A", "b", "ä"]
            let parents = names.map { context.insert("Item", ["name": $0]) }
            for (place, parent) in parents.enumerated() {
                _ = context.insert(
                    "Item",
                    [
                        "name": names[(place + 3) % names.count], "note": names[place], "parent": parent,
                        "small": place - 4, "large": Int64(place) << 55, "real": Double(place) - 0.5,
                        "single": Float(place), "price": NSDecimalNumber(value: place - 2),
                    ])
            }
        }
    }

    /// - Parameter arguments: What stands for `%@`, in each of the formats.
    private func check(_ formats: [String], _ arguments: [[Any]]) throws {
        var requests: [ComparedRequest] = []
        for format in formats {
            for values in arguments {
                let count = format.components(separatedBy: "%@").count - 1
                var request = try ComparedRequest("Item")
                request.predicate = NSPredicate(format: format, argumentArray: Array(values.prefix(count)))
                request.title = "\(format) \(values)".debugDescription
                requests.append(request)
            }
        }
        var comparison = Comparison(store, server)
        try comparison.check(requests)
        #expect(comparison.equal == requests.count)
        #expect(comparison.refused.isEmpty && comparison.unanswered == 0)
    }

    @Test(
        "a text with U+0000 compares as in SQLite, and is in no row",
        arguments: ["%@", "NOT (%@)", "(%@) OR name == 'b'", "parent.name == 'a' AND (%@)"])
    func texts(around form: String) throws {
        let operators = [
            "==", "!=", "<", "<=", ">", ">=", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "==[c]", "!=[cd]",
            "CONTAINS[cd]",
            "LIKE[c]", "MATCHES",
        ]
        let formats = operators.flatMap { ["name \($0) %@", "parent.name \($0) %@", "ANY children.name \($0) %@"] }
        let others = [
            "%@ == name", "%@ < name", "%@ >= parent.name", "name == %@ OR note == %@", "children.@max.name < %@",
            "children.@min.name != %@", "SUBQUERY(children, $c, $c.name == %@ OR $c.name > %@).@count == 0",
            "TERNARY(name == %@, 1, 2) == 2", "ALL children.name != %@", "NONE children.name <= %@", "%@ == %@",
            "%@ < %@",
            "name BETWEEN {%@, 'b'}", "name BETWEEN {'', %@}", "%@ IN children.name", "page == %@",
        ]
        let texts = [["a\0b", "a\0b"], ["a\0", "b"], ["\0", "a\0b"], ["ab\0", "a"]]
        try check((formats + others).map { form.replacing("%@", with: $0) }, texts)
    }

    @Test("lists with such texts find the others")
    func lists() throws {
        let lists: [[Any]] = [
            ["a", "a\0b"], ["a\0b"], ["a\0b", "\0"], ["a", "a\0b", "b", "\0"], ["a\0b", NSNull()],
        ]
        try check(["name IN %@", "NOT (name IN %@)", "name IN[c] %@", "ANY children.name IN %@"], lists.map { [$0] })
        try check(
            ["name BETWEEN %@", "NOT (name BETWEEN %@)"], [[["a", "a\0b"]], [["a\0", "b\0"]], [["\0", "a\0"]]])
    }

    @Test("infinite numbers, and what is no number, compare as in SQLite")
    func numbers() throws {
        let keys = ["small", "medium", "large", "real", "single", "price", "parent.large", "children.@sum.large"]
        let formats = keys.flatMap { key in
            ["==", "!=", "<", "<=", ">", ">="].flatMap { ["\(key) \($0) %@", "NOT (\(key) \($0) %@)"] }
        }
        try check(formats, [[Double.infinity], [-Double.infinity], [Double.nan]])
        let lists = keys.flatMap { ["\($0) IN %@", "NOT (\($0) IN %@)"] }
        try check(lists, [[[1, Double.infinity]], [[-Double.infinity]], [[0.5, 1, Double.nan]]])
        let bounds = keys.map { "\($0) BETWEEN %@" }
        try check(bounds, [[[-Double.infinity, 1]], [[1, Double.infinity]]])
    }
}
