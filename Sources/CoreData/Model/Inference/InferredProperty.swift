import FoundationGaps

/// A stored property of a new model's entity with what its values come from.
package struct InferredProperty {
    package let destination: PropertySlot
    /// The former property; nil where it is new.
    package let source: PropertySlot?
    package let value: ValueSource

    package enum ValueSource: Sendable {
        /// The former value.
        case copied
        /// The former value; the default where it is nil.
        case copiedOrDefault
        /// The default, or nothing: the property is new.
        case initial
        /// What the store computes: a derived attribute whose expression is new.
        case computed
    }

    init(_ destination: PropertySlot, source: PropertySlot?) {
        (self.destination, self.source) = (destination, source)
        value = Self.value(destination, source)
    }

    private static func value(_ destination: PropertySlot, _ source: PropertySlot?) -> ValueSource {
        if destination.isDerived { return destination.isDerived(like: source) ? .copied : .computed }
        guard let source else { return .initial }
        return source.isOptional && !destination.isOptional && destination.hasDefault ? .copiedOrDefault : .copied
    }
}

extension PropertySlot {
    var isDerived: Bool { property is NSDerivedAttributeDescription }

    /// Whether another attribute is derived in the same way. What the derivation reads may be otherwise.
    fileprivate func isDerived(like other: PropertySlot?) -> Bool {
        guard let mine = property as? NSDerivedAttributeDescription,
            let others = other?.property as? NSDerivedAttributeDescription
        else { return false }
        return mine.derivationExpression == others.derivationExpression && kind == other?.kind
    }

    /// Whether new objects have a value.
    var hasDefault: Bool { attribute?.defaultValue.map { !($0 is NSNull) } ?? false }
}
