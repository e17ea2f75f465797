import Foundation

/// An object that stands for something else when predicates compare it: a managed object for its ID.
package protocol PredicateIdentity: AnyObject {
    var predicateIdentity: AnyObject { get }
    /// Whether the identity may be another one later, as that of an object which is still to be saved.
    var isPredicateIdentityTemporary: Bool { get }
}

// Cocoa's equality: numbers by value whatever their kind, texts by their code units, objects by `isEqual:`; nil equals
// nil alone, and values of different kinds differ.
extension PredicateValue: Hashable {
    package static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let a), .integer(let b)): a == b
        case (.double(let a), .double(let b)): a == b
        case (.integer, _), (.double, _), (.decimal, _): left.numericOrder(right) == .orderedSame
        case (.string(let a), .string(let b)): StringComparison.equal(a, b)
        case (.date(let a), .date(let b)): a == b
        case (.data(let a), .data(let b)): a == b
        case (.uuid(let a), .uuid(let b)): a == b
        case (.url(let a), .url(let b)): a == b
        case (.collection(let a), .collection(let b)): a == b
        case (.object(let a), .object(let b)): equalObjects(a, b)
        case (.other(let a), .other(let b)): equalValues(a, b)
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let value): hasher.combine(Double(value))
        case .double(let value): hasher.combine(value)
        case .decimal(let value): hasher.combine(value.nearestDouble)
        case .string(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value)
        case .data(let value): hasher.combine(value)
        case .uuid(let value): hasher.combine(value)
        case .url(let value): hasher.combine(value)
        case .collection(let collection): hasher.combine(collection.elements.count)
        case .object(let object): Self.hash(object, into: &hasher)
        case .other(let value): if let value = value as? AnyHashable { hasher.combine(value) }
        }
    }

    private static func equalObjects(_ left: AnyObject, _ right: AnyObject) -> Bool {
        if left === right { return true }
        let left = identity(left)
        let right = identity(right)
        if left === right { return true }
        if let left = left as? NSObject { return left.isEqual(right) }
        return equalValues(left, right)
    }

    private static func equalValues(_ left: Any, _ right: Any) -> Bool {
        guard let left = left as? AnyHashable, let right = right as? AnyHashable else { return false }
        return left == right
    }

    private static func hash(_ object: AnyObject, into hasher: inout Hasher) {
        let object = identity(object)
        if let object = object as? NSObject {
            hasher.combine(object.hash)
        } else if let object = object as? AnyHashable {
            hasher.combine(object)
        } else {
            hasher.combine(ObjectIdentifier(object))
        }
    }

    private static func identity(_ object: AnyObject) -> AnyObject {
        (object as? any PredicateIdentity)?.predicateIdentity ?? object
    }
}

extension PredicateCollection: Equatable {
    /// Sets and dictionaries compare without order, everything else in order.
    package static func == (left: Self, right: Self) -> Bool {
        guard left.elements.count == right.elements.count else { return false }
        if left.kind == .dictionary || right.kind == .dictionary { return left.equalsDictionary(right) }
        if left.kind == .set || right.kind == .set { return left.members == right.members }
        return zip(left.elements, right.elements).allSatisfy { PredicateValue($0) == PredicateValue($1) }
    }

    /// The elements for tests of membership.
    package var members: Set<PredicateValue> {
        Set(elements.lazy.map { PredicateValue($0) })
    }

    private func equalsDictionary(_ other: Self) -> Bool {
        guard let left = entries, let right = other.entries else { return false }
        return left == right
    }

    /// What a dictionary has for its keys; nil for other collections.
    private var entries: [PredicateValue: PredicateValue]? {
        guard let entries = (original as? any DictionarySource)?.entries else { return nil }
        return Dictionary(entries.map { (PredicateValue($0.key), PredicateValue($0.value)) }) { first, _ in first }
    }
}
