import Foundation
import Testing

@testable import CoreDataStudio

/// Filters and sorts by values that are in the store.
extension StoreTour {
    /// Filters an entity by values of its objects, in each way that the page offers.
    ///
    /// - Parameter lines: What the export of the entity's own objects has.
    /// - Returns: How many values there were to filter by.
    func find(in entity: Entity, _ lines: [String: [String: JSON]], _ count: Int) throws -> Int {
        var tried = 0
        for property in shownFirst(entity, lines) {
            guard let (id, line) = lines.sorted(by: { $0.key < $1.key }).first(where: { $1[property.name] != .null }),
                let value = line[property.name]
            else { continue }
            let cell = try ask(
                "rows",
                [
                    "query": ["entity": .text(entity.name), "object": .text(id)], "from": 0, "count": 1,
                    "columns": [.text(property.name)],
                ])["rows"]?.array?.first?["cells"]?.array?.first
            guard let condition = Self.condition(property, cell ?? .null) else { continue }
            let same = lines.values.filter { $0[property.name] == value }.count
            try check(condition, entity, finds: id, property.type == "date" ? nil : same, count)
            if property.type == "string", let text = value.text { try search(text, entity, property, id, lines, count) }
            tried += 1
        }
        return tried
    }

    /// The properties that are filtered by: attributes with values, then relationships.
    private func shownFirst(_ entity: Entity, _ lines: [String: [String: JSON]]) -> [Property] {
        let filled = entity.attributes.filter { property in
            lines.values.contains { ($0[property.name] ?? .null) != .null }
        }
        let others = entity.properties.filter { $0.kind != "attribute" }
        return Array(filled.prefix(Self.attributes) + others.prefix(Self.attributes))
    }

    /// Searches for a part of a text, with other cases.
    private func search(
        _ text: String, _ entity: Entity, _ property: Property, _ id: String, _ lines: [String: [String: JSON]],
        _ count: Int
    ) throws {
        let part = String(text.dropFirst(text.count / 3).prefix(4))
        guard !part.isEmpty, part.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else { return }
        let same = lines.values.filter {
            $0[property.name]?.text?.range(of: part, options: [.caseInsensitive, .diacriticInsensitive]) != nil
        }
        try check(
            "\(property.name) CONTAINS[cd] \(Self.quoted(part.uppercased()))", entity, finds: id, same.count, count)
        try check("\(property.name) LIKE \(Self.quoted("*\(part)*"))", entity, finds: id, nil, count)
    }

    /// Checks what a filter finds.
    ///
    /// - Parameters:
    ///   - expected: How many of the entity's own objects; nil where only the one has to be among them.
    ///   - count: How many objects there are without a filter.
    private func check(_ predicate: String, _ entity: Entity, finds id: String, _ expected: Int?, _ count: Int) throws {
        let checked = try ask(
            "filter", ["entity": .text(entity.name), "text": .text(predicate), "cursor": .integer(predicate.count)])
        #expect(checked["isValid"] == true, "\(entity.name): \(predicate): \(checked)")
        var query: [String: JSON] = [
            "entity": .text(entity.name), "predicate": .text(predicate), "includesSubentities": false,
        ]
        let found = try rows(.object(query), Array(entity.columns.prefix(1)))
        if let expected { #expect(found.total == expected, "\(entity.name): \(predicate)") }
        #expect(found.total <= count)
        try explain(.object(query))
        query["object"] = .text(id)
        #expect(try total(.object(query)) == 1, "\(entity.name): \(predicate) does not find \(id)")
    }

    /// The statement behind a query is told where the store is one that has statements.
    private func explain(_ query: JSON) throws {
        let statements = try ask("explain", query)["statements"]?.array ?? []
        for statement in statements {
            #expect(statement["text"]?.text?.hasPrefix("SELECT") == true, "\(query)")
            #expect(statement["plan"]?.array?.isEmpty == false, "\(query)")
        }
    }

    // MARK: Sorting

    /// Sorts by attributes in both directions, and by two at once.
    func sort(_ entity: Entity, _ count: Int) throws {
        let keys = entity.attributes.filter { !["binary", "transformable"].contains($0.type) }.prefix(Self.attributes)
        for key in keys.map(\.name) {
            let up = try sorted(entity, [(key, true)])
            let down = try sorted(entity, [(key, false)])
            #expect(up.total == count && down.total == count, "\(entity.name) by \(key)")
            if count <= 200 { #expect(up.cells == down.cells.reversed(), "\(entity.name) by \(key)") }
        }
        guard let (first, last) = keys.first.flatMap({ first in keys.last.map { (first.name, $0.name) } }) else {
            return
        }
        #expect(try sorted(entity, [(last, true), (first, false), ("objectID", false)]).total == count)
    }

    /// The values of the first key, from the first row on.
    private func sorted(_ entity: Entity, _ keys: [(String, Bool)]) throws -> (cells: [JSON], total: Int) {
        let query: JSON = [
            "entity": .text(entity.name),
            "sort": .array(keys.map { ["key": .text($0.0), "ascending": .bool($0.1)] }),
        ]
        let found = try rows(query, [keys[0].0])
        try explain(query)
        return (found.rows.compactMap { $0["cells"]?.array?.first }, found.total)
    }

    // MARK: Conditions

    /// The predicate that is true for objects with a value, as the page makes it; nil where the page has none.
    private static func condition(_ property: Property, _ value: JSON) -> String? {
        let name = property.name
        switch property.kind {
        case "toMany": return value["count"]?.int.map { "\(name).@count == \($0)" }
        case "toOne": return value["id"]?.text.map { "\(name) == $\($0.replacing("/", with: "_"))" }
        default: break
        }
        if case .bool(let flag) = value { return "\(name) == \(flag)" }
        if let date = value["date"]?.text { return "\(name) == CAST(\(date), \"NSDate\")" }
        guard let text = value.text else { return nil }
        switch property.type {
        case "float": return Float(text).map { "\(name) == \(Double($0))" }
        case "integer16", "integer32", "integer64", "decimal", "double": return "\(name) == \(text)"
        case "uuid": return "\(name) == CAST(\(quoted(text)), \"NSUUID\")"
        case "string", "uri": return "\(name) == \(quoted(text))"
        default: return nil
        }
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
