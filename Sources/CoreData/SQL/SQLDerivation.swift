import FoundationGaps

/// What a derived attribute's value is computed from, as its expression says.
package struct SQLDerivation {
    enum Source {
        /// The time of the row's last save: `now()`.
        case now
        /// An attribute of the object itself or, over to-ones, of another: `parent.name`, `canonical:(name)`.
        case value(path: [PropertySlot], attribute: PropertySlot, transform: SQLRoutine?)
        /// How many members a to-many relationship has: `pages.@count`; or the sum of one of their attributes.
        case members(PropertySlot, summed: PropertySlot?)
    }

    /// The entity that declares the attribute.
    let layout: EntityLayout
    let slot: PropertySlot
    let source: Source

    /// The function that the value goes through; nil where SQL itself can tell the value.
    var transform: SQLRoutine? {
        if case .value(_, _, let transform) = source { transform } else { nil }
    }

    /// - Throws: 134020 for an expression that no store can keep.
    init(_ slot: PropertySlot, _ description: NSDerivedAttributeDescription, of layout: EntityLayout) throws {
        self.layout = layout
        self.slot = slot
        guard description.filterPredicate == nil, !slot.isExternal, let expression = description.derivationExpression,
            let source = Source(expression, layout)
        else {
            throw Self.refusal(slot, description, layout)
        }
        self.source = source
    }

    private static func refusal(
        _ slot: PropertySlot, _ description: NSDerivedAttributeDescription, _ layout: EntityLayout
    ) -> NSError {
        let filter = description.filterPredicate == nil ? "" : ", with a filter"
        let expression = description.derivationExpression?.description ?? ""
        return .cocoa(
            NSPersistentStoreIncompatibleSchemaError,
            "The store can't keep the derived attribute “\(layout.name).\(slot.name)” (“\(expression)”\(filter)).",
            reason: "A derivation is now(), a key path over to-one relationships to a stored attribute, canonical:(…), "
                + "lowercase:(…) or uppercase:(…) of a string so reached, relationship.@count, or "
                + "relationship.@sum.attribute; without a filter, and nothing in it in external storage.")
    }
}

extension SQLDerivation {
    /// The function that a derived attribute's expression puts a value through; nil where there is none.
    static func transform(of slot: PropertySlot) -> SQLRoutine? {
        guard let description = slot.property as? NSDerivedAttributeDescription,
            case .function(let function, let arguments)? = description.derivationExpression?.node, arguments.count == 1
        else { return nil }
        return Source.transform(function)
    }
}

extension SQLDerivation.Source {
    fileprivate init?(_ expression: NSExpression, _ layout: EntityLayout) {
        switch expression.node {
        case .function(.now, let arguments) where arguments.isEmpty: self = .now
        // Compiled models spell `pages.@count` and `pages.@sum.words` so.
        case .function(let aggregate, let arguments) where aggregate == .count || aggregate == .sum:
            guard arguments.count == 1, case .keyPath(let operand, let path) = arguments[0].node,
                case .evaluatedObject = operand.node, !path.hasOperator, let relationship = path.keys.first,
                let source = Self.members(
                    [relationship, aggregate == .count ? "@count" : "@sum"] + path.keys.dropFirst(), layout)
            else { return nil }
            self = source
        case .function(let function, let arguments) where arguments.count == 1:
            guard let transform = Self.transform(function), case .keyPath(_, let path) = arguments[0].node,
                case .value(let hops, let attribute, _)? = Self.value(path.keys, layout), attribute.kind == .string
            else { return nil }
            self = .value(path: hops, attribute: attribute, transform: transform)
        case .keyPath(let operand, let path):
            guard case .evaluatedObject = operand.node,
                let source = path.hasOperator ? Self.members(path.keys, layout) : Self.value(path.keys, layout)
            else { return nil }
            self = source
        default: return nil
        }
    }

    fileprivate static func transform(_ function: PredicateFunction) -> SQLRoutine? {
        switch function {
        case .canonical: .canonical
        case .lowercase: .lowercase
        case .uppercase: .uppercase
        default: nil
        }
    }

    private static func value(_ keys: [String], _ layout: EntityLayout) -> Self? {
        var hops: [PropertySlot] = []
        var here = layout
        for (index, key) in keys.enumerated() {
            // The elements of composite attributes have dotted names.
            let rest = keys[index...].joined(separator: ".")
            if let attribute = here.slot(named: rest), attribute.isStoredInRow, attribute.kind != .toOne {
                return attribute.isExternal ? nil : .value(path: hops, attribute: attribute, transform: nil)
            }
            guard let hop = here.slot(named: key), hop.kind == .toOne, hop.isStoredInRow else { return nil }
            hops.append(hop)
            here = layout.model[hop.destination]
        }
        return nil
    }

    private static func members(_ keys: [String], _ layout: EntityLayout) -> Self? {
        guard keys.count >= 2, let relationship = layout.slot(named: keys[0]), relationship.kind.isToMany,
            !relationship.isTransient, relationship.destination > 0
        else { return nil }
        if keys.count == 2, keys[1] == "@count" { return .members(relationship, summed: nil) }
        let name = keys.dropFirst(2).joined(separator: ".")
        guard keys[1] == "@sum", let summed = layout.model[relationship.destination].slot(named: name),
            summed.isStoredInRow, summed.kind.isNumber
        else { return nil }
        return .members(relationship, summed: summed)
    }
}

extension SlotKind {
    fileprivate var isNumber: Bool {
        switch self {
        case .int16, .int32, .int64, .boolean, .double, .float, .decimal: true
        default: false
        }
    }
}
