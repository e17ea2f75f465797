import Foundation

/// A collection as the evaluator walks it.
package struct PredicateCollection {
    /// What it came as, and is handed out as.
    package let original: Any
    package let kind: Kind
    /// The elements; a dictionary's are its values.
    package let elements: [Any]

    package enum Kind: Sendable {
        case array, set, orderedSet, dictionary
    }

    package init(_ original: Any, kind: Kind, elements: [Any]) {
        self.original = original
        self.kind = kind
        self.elements = elements
    }

    /// A collection that the evaluator itself made.
    init(array elements: [Any]) {
        self.init(elements, kind: .array, elements: elements)
    }

    /// The value for a key, of a dictionary alone.
    func value(forKey key: Any) -> Any? {
        guard let key = key as? AnyHashable else { return nil }
        return (original as? any DictionarySource)?.value(forHashable: key)
    }
}

/// What can be walked as a collection.
protocol PredicateCollectionSource {
    var predicateCollection: PredicateCollection { get }
}

/// A dictionary of any type.
protocol DictionarySource {
    var entries: [(key: Any, value: Any)] { get }
    func value(forHashable key: AnyHashable) -> Any?
}

extension Array: PredicateCollectionSource {
    var predicateCollection: PredicateCollection {
        PredicateCollection(self, kind: .array, elements: openedElements(self))
    }
}

extension ArraySlice: PredicateCollectionSource {
    var predicateCollection: PredicateCollection {
        PredicateCollection(Array(self), kind: .array, elements: openedElements(self))
    }
}

extension Set: PredicateCollectionSource {
    var predicateCollection: PredicateCollection {
        PredicateCollection(self, kind: .set, elements: openedElements(self))
    }
}

extension Dictionary: PredicateCollectionSource, DictionarySource {
    var predicateCollection: PredicateCollection {
        PredicateCollection(self, kind: .dictionary, elements: openedElements(values))
    }

    var entries: [(key: Any, value: Any)] { map { (opened($0.key), opened($0.value)) } }

    func value(forHashable key: AnyHashable) -> Any? {
        (key.base as? Key).flatMap { self[$0] }
    }
}

extension NSArray: PredicateCollectionSource {
    var predicateCollection: PredicateCollection {
        PredicateCollection(self, kind: .array, elements: map { $0 })
    }
}

extension NSSet: PredicateCollectionSource {
    var predicateCollection: PredicateCollection {
        PredicateCollection(self, kind: .set, elements: allObjects)
    }
}

extension NSOrderedSet: PredicateCollectionSource {
    var predicateCollection: PredicateCollection {
        PredicateCollection(self, kind: .orderedSet, elements: map { $0 })
    }
}

extension NSDictionary: PredicateCollectionSource, DictionarySource {
    var predicateCollection: PredicateCollection {
        PredicateCollection(self, kind: .dictionary, elements: allValues)
    }

    var entries: [(key: Any, value: Any)] { map { ($0.key, $0.value) } }

    func value(forHashable key: AnyHashable) -> Any? { object(forKey: key.base) }
}
