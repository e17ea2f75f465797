import CoreData
import Foundation
import StoreBrowsing

/// One object, with the attributes that make titles, by entity.
struct ObjectRequest: Sendable, Decodable {
    var object: String
    var titles: [String: [String]]?
}

extension StoreSession {
    /// As many bytes of a value as a response has at most.
    static let mostBytes = 16 << 20

    /// All properties of an object, those of its own entity included.
    func object(_ request: ObjectRequest) async throws -> JSON {
        let titles = ObjectTitles(chosen: request.titles ?? [:])
        let staged = try await current(request.object) { (id: $1, json: $0.shown($1, titles)) }
        if let json = staged?.json { return json }
        let id = staged?.id ?? request.object
        return try await screen.read { session in
            let object = try session.object(id)
            let properties = ShownProperty.all(of: object.entity)
            let counts = try MemberCounts(
                properties.filter { $0.kind == .toMany }, of: object.entity, [object.objectID], session)
            let places = try ExternalPlaces(properties, [object.objectID], session)
            return [
                "id": .text(object.objectID.shortIdentifier), "entity": .optional(object.entity.name),
                "title": .optional(titles.title(of: object)),
                "values": .array(
                    properties.map { property in
                        property.json(of: object, titles, places) { counts.count(property.path, object.objectID) }
                    }),
            ]
        }
    }

    /// A part of the bytes of a value: of data, or of a text in UTF-8.
    ///
    /// - Parameter range: Cut to what there is, and to what a response may have.
    func bytes(_ object: String, _ key: String, _ range: Range<Int>) async throws -> Data {
        try await read(object) { object in
            let data = try object.bytes(key)
            let start = min(max(0, range.lowerBound), data.count)
            let end = min(max(start, range.upperBound), data.count, start + Self.mostBytes)
            return Data(data.dropFirst(start).prefix(end - start))
        }
    }

    /// A property list or a keyed archive as a tree. No class is instantiated.
    func tree(_ object: String, _ key: String) async throws -> JSON {
        let value = try await read(object) { ArchivedJSON.decode(try $0.bytes(key), dates: .utc) }
        guard let value else {
            throw StudioError(
                .invalidRequest, "\(object).\(key) is no property list, or one that nests or grows without end.")
        }
        var room = 20_000
        guard let tree = JSON(value, room: &room) else {
            throw StudioError(.tooLarge, "The tree of \(object).\(key) has too many branches to be shown.")
        }
        return ["tree": tree]
    }

    /// Reads an object, with its changes if it has some.
    private func read<Result: Sendable>(
        _ identifier: String, _ body: @escaping @Sendable (NSManagedObject) throws -> Result
    ) async throws -> Result {
        let staged = try await current(identifier) { (id: $1, result: try $0.staged($1).map(body)) }
        if let result = staged?.result { return result }
        let id = staged?.id ?? identifier
        return try await screen.read { try body($0.object(id)) }
    }
}

extension ShownProperty {
    /// The property with its value of an object.
    ///
    /// - Parameters:
    ///   - places: Where values are kept; nil for an object with changes, whose values are in memory.
    ///   - count: Gives the number of members of a to-many relationship.
    func json(
        of object: NSManagedObject, _ titles: ObjectTitles, _ places: ExternalPlaces? = nil, _ count: () -> Int
    ) -> JSON {
        guard case .object(var members) = json else { return json }
        members["value"] =
            switch kind {
            case .attribute: shownValue(of: object, places)
            case .toOne: titles.link(to: object.value(forKey: path) as? NSManagedObject)
            case .toMany: ["count": .integer(count())]
            }
        return .object(members)
    }

    private func shownValue(of object: NSManagedObject, _ places: ExternalPlaces?) -> JSON {
        let value = ShownValue(longest: 20_000).json(
            object.value(forKeyPath: path), attribute?.attributeType ?? .undefinedAttributeType)
        return places?.marked(value, path, of: object.objectID) ?? value
    }
}

extension NSManagedObject {
    /// The bytes of an attribute's value.
    ///
    /// - Throws: `ToolFailure` for what is neither data nor text.
    fileprivate func bytes(_ path: String) throws -> Data {
        guard ShownProperty.all(of: entity).contains(where: { $0.path == path && $0.kind == .attribute }) else {
            throw ToolFailure(.invalidQuery, "\(entity.name ?? "") has no attribute \(path).")
        }
        switch value(forKeyPath: path) {
        case let data as Data: return data
        case let text as String: return Data(text.utf8)
        case let url as URL: return Data(url.absoluteString.utf8)
        default: throw ToolFailure(.invalidQuery, "\(path) of this object holds no data.")
        }
    }
}

extension JSON {
    /// - Parameter room: How many values there may be; what is left.
    /// - Returns: Nil where there are more.
    fileprivate init?(_ value: JSONValue, room: inout Int) {
        room -= 1
        guard room > 0 else { return nil }
        switch value {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .int(let number): self = number.magnitude < 1 << 53 ? .integer(Int(number)) : .text(String(number))
        case .double(let number): self = .number(number)
        case .string(let text): self = .text(text.utf8.count > 4_000 ? text.prefix(4_000) + "…" : text)
        case .array(let items):
            var list: [JSON] = []
            for item in items {
                guard let item = JSON(item, room: &room) else { return nil }
                list.append(item)
            }
            self = .array(list)
        case .object(let members):
            var all: [String: JSON] = [:]
            for (name, member) in members {
                guard let member = JSON(member, room: &room) else { return nil }
                all[name] = member
            }
            self = .object(all)
        }
    }
}
