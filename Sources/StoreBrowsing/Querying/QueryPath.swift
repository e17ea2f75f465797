import CoreData
import PropertyLists

/// A key path through relationships, elements of composite attributes and collection operators.
package struct QueryPath {
    /// The attribute that the path ends in; nil for a relationship, and for a count.
    package let attribute: NSAttributeDescription?
    /// Whether the path leads to one number: by `@count`, `@sum` and the like.
    package let isComputed: Bool

    private static let operators: Set = ["@count", "@sum", "@avg", "@min", "@max"]

    /// - Throws: ``ToolFailure`` where the entity has no such path.
    package init(_ path: String, of entity: NSEntityDescription) throws {
        var walk = Walk(path: path, place: .entity(entity))
        let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        for (index, key) in keys.enumerated() { try walk.step(key, isLast: index == keys.count - 1) }
        try walk.checkOperand()
        (attribute, isComputed) = (walk.attribute, walk.isComputed)
    }

    /// Where a path has come to.
    private struct Walk {
        enum Place {
            case entity(NSEntityDescription)
            case composite(NSCompositeAttributeDescription)
            case value
        }

        let path: String
        var place: Place
        var attribute: NSAttributeDescription?
        var isComputed = false
        private var passedToMany = false
        /// The operator that the rest of the path is the operand of.
        private var pending: String?

        init(path: String, place: Place) { (self.path, self.place) = (path, place) }

        mutating func step(_ key: String, isLast: Bool) throws {
            if key.hasPrefix("@") { return try compute(key, isLast: isLast) }
            switch place {
            case .entity(let entity):
                guard let property = entity.propertiesByName[key] else {
                    throw failure(
                        "\(entity.name ?? "") has no property “\(key)”; it has \(list: entity.propertiesByName.keys.sorted { $0.precedesByCodePoint($1) })"
                    )
                }
                try enter(property)
            case .composite(let composite):
                guard let element = composite.elements.first(where: { $0.name == key }) else {
                    throw failure(
                        "\(composite.name) has no element “\(key)”; it has \(list: composite.elements.map(\.name).sorted { $0.precedesByCodePoint($1) })"
                    )
                }
                try enter(element)
            case .value:
                throw failure("“\(key)” can't follow: what stands before it is no relationship")
            }
        }

        private mutating func enter(_ property: NSPropertyDescription) throws {
            attribute = property as? NSAttributeDescription
            if let relationship = property as? NSRelationshipDescription, let next = relationship.destinationEntity {
                if relationship.isToMany, let pending {
                    throw failure("“\(pending)” takes one value of each member, and “\(relationship.name)” has many")
                }
                passedToMany = passedToMany || relationship.isToMany
                place = .entity(next)
            } else if let composite = property as? NSCompositeAttributeDescription {
                place = .composite(composite)
            } else {
                place = .value
            }
        }

        private mutating func compute(_ key: String, isLast: Bool) throws {
            guard QueryPath.operators.contains(key) else {
                throw failure("“\(key)” is none of \(list: QueryPath.operators.sorted())")
            }
            guard passedToMany else { throw failure("“\(key)” needs a to-many relationship before it") }
            guard (key == "@count") == isLast else {
                throw failure(key == "@count" ? "nothing can follow “@count”" : "“\(key)” needs a key behind it")
            }
            guard pending == nil else { throw failure("“\(key)” can't follow “\(pending ?? "")”") }
            isComputed = true
            if key == "@count" { (attribute, place) = (nil, .value) } else { pending = key }
        }

        /// Whether an operator can work with the values that the path ends in.
        func checkOperand() throws {
            guard let pending else { return }
            let isSum = pending == "@sum" || pending == "@avg"
            switch attribute?.attributeType {
            case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .decimalAttributeType,
                .doubleAttributeType, .floatAttributeType, .booleanAttributeType:
                return
            case .stringAttributeType, .dateAttributeType: if !isSum { return }
            default: break
            }
            throw failure("“\(pending)” needs \(isSum ? "numbers" : "numbers, texts or dates")")
        }

        private func failure(_ message: Sentence) -> ToolFailure {
            ToolFailure(.invalidQuery, "\(whole: message) (in the key path “\(path)”).")
        }
    }
}
