import CoreData

extension Resource {
    /// An object in lists and events: its attributes, and what its relationships lead to.
    func summary(of object: NSManagedObject) -> JSON {
        var values = writableValues(of: object)
        values["version"] = .text(Self.version(of: values))
        for key in toOnes {
            values[key] = (object.value(forKey: key) as? NSManagedObject).map(Self.reference(to:)) ?? .null
        }
        for key in toManys { values[key] = .list(references(of: object, key)) }
        values["id"] = .text(object.publicID?.uuidString.lowercased() ?? "")
        return .object(values)
    }

    /// A single object, with the members of all its relationships.
    func detail(of object: NSManagedObject) -> JSON {
        guard case .object(var values) = summary(of: object) else { return .null }
        for key in members { values[key] = .list(references(of: object, key)) }
        return .object(values)
    }

    /// A digest of what a client may write. It changes with every change of these values, whatever program makes it.
    func version(of object: NSManagedObject) -> String { Self.version(of: writableValues(of: object)) }

    private static func version(of values: [String: JSON]) -> String {
        let digest = JSON.object(values).data.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        let digits = String(digest, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private func writableValues(of object: NSManagedObject) -> [String: JSON] {
        var values: [String: JSON] = [:]
        for key in attributes { values[key] = JSON(attribute: object.value(forKey: key)) }
        for key in toOnes { values[key] = Self.id(of: object.value(forKey: key)) }
        for key in toManys {
            values[key] = .list(objects(of: object, key).map(Self.id(of:)).sorted { "\($0)" < "\($1)" })
        }
        return values
    }

    private static func id(of value: Any?) -> JSON {
        (value as? NSManagedObject)?.publicID.map { .text($0.uuidString.lowercased()) } ?? .null
    }

    private func objects(of object: NSManagedObject, _ key: String) -> [NSManagedObject] {
        (object.value(forKey: key) as? NSSet)?.allObjects as? [NSManagedObject] ?? []
    }

    private func references(of object: NSManagedObject, _ key: String) -> [JSON] {
        objects(of: object, key).map { ($0.title, Self.reference(to: $0)) }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    private static func reference(to object: NSManagedObject) -> JSON {
        var values: [String: JSON] = ["id": id(of: object), "title": .text(object.title)]
        if let id = object.publicID, let resource = named(object.entity.name) {
            values["href"] = .text(resource.path(id))
        }
        return .object(values)
    }
}

extension NSManagedObject {
    /// How a person names the object.
    var title: String {
        switch self {
        case let team as Team: team.name ?? ""
        case let player as Player: [player.firstName, player.lastName].compactMap { $0 }.joined(separator: " ")
        case let coach as Coach: coach.name ?? ""
        default: ""
        }
    }
}

extension JSON {
    /// The value of an attribute.
    fileprivate init(attribute value: Any?) {
        switch value {
        case let value as NSDecimalNumber: self = .number(value.decimalValue)
        case let value as NSNumber: self = .number(value.decimalValue)
        case let value as String: self = .text(value)
        case let value as Date: self = .text(value.formatted(CalendarDay.style))
        default: self = .null
        }
    }
}

/// A date without a time, as in `2001-04-25`.
enum CalendarDay {
    static let style = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()

    /// - Returns: nil for a text that is no day of the calendar.
    static func date(_ text: String) -> Date? {
        // The parser accepts days such as 2001-2-31: what it read has to be what was written.
        guard let date = try? Date(text, strategy: style), date.formatted(style) == text else { return nil }
        return date
    }
}
