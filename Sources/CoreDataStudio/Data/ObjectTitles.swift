import CoreData
import Foundation

/// What objects are called: by attributes that the user chose, or that are names by the look of them.
struct ObjectTitles: Sendable {
    /// The attributes that were chosen, by entity.
    var chosen: [String: [String]] = [:]

    private static let names = [
        "name", "title", "fullName", "displayName", "label", "localizedName", "caption", "subject", "username", "text",
        "identifier", "code", "symbol", "email",
    ]

    /// The attributes that make an entity's title.
    func keys(of entity: NSEntityDescription) -> [String] {
        var ancestor: NSEntityDescription? = entity
        while let each = ancestor {
            let known = (chosen[each.name ?? ""] ?? []).filter { entity.attributesByName[$0] != nil }
            if !known.isEmpty { return known }
            ancestor = each.superentity
        }
        return Self.guess(entity)
    }

    private static func guess(_ entity: NSEntityDescription) -> [String] {
        let texts = entity.properties.compactMap { $0 as? NSAttributeDescription }
            .filter { $0.attributeType == .stringAttributeType && !$0.isTransient }.map(\.name)
        func find(_ name: String) -> String? { texts.first { $0.caseInsensitiveCompare(name) == .orderedSame } }
        if let first = find("firstName") ?? find("givenName"), let last = find("lastName") ?? find("familyName") {
            return [first, last]
        }
        if let known = names.lazy.compactMap(find).first { return [known] }
        let ending = texts.first { $0.lowercased().hasSuffix("name") || $0.lowercased().hasSuffix("title") }
        return (ending ?? texts.first).map { [$0] } ?? []
    }

    /// The title of an object; nil where its attributes are empty.
    func title(of object: NSManagedObject) -> String? {
        let parts = keys(of: object.entity).compactMap { object.value(forKey: $0) }.map { "\($0)" }
        let title = parts.filter { !$0.isEmpty }.joined(separator: " ")
        return title.isEmpty ? nil : String(title.prefix(80))
    }
}
