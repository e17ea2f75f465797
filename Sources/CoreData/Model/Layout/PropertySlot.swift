import FoundationGaps

/// How the value of a property is held, decided once per model so that no type is looked up per read.
package enum SlotKind: UInt8, Sendable {
    case int16, int32, int64, boolean, double, float, decimal, string, date, binary, uuid, uri, transformable, objectID
    /// A transient attribute of undefined type: any value, in memory only.
    case undefined
    /// Several attributes under one name; its elements are slots of their own (`PropertySlot.elements`).
    case composite
    case toOne, toMany, orderedToMany, fetched

    package var isRelationship: Bool { self == .toOne || self == .toMany || self == .orderedToMany }
    package var isToMany: Bool { self == .toMany || self == .orderedToMany }
    package var isAttribute: Bool { rawValue <= SlotKind.composite.rawValue }

    /// Whether a snapshot holds the value as bytes behind the cells instead of in a cell.
    package var isVariable: Bool {
        switch self {
        case .decimal, .string, .binary, .uuid, .uri, .transformable, .objectID: true
        default: false
        }
    }
}

/// One property of an entity as the runtime sees it: its index, its kind, and where a snapshot has its value.
package final class PropertySlot: @unchecked Sendable {
    // Unchecked, and no exclusive access is checked at run time: all is set while the model is sealed, under a lock,
    // and immutable from then on, as are the descriptions (their setters trap).

    /// The position in the entity's layout, the same in every subentity.
    package let index: Int
    /// The property's name; an element of a composite attribute has its dotted path.
    package let name: String
    package let kind: SlotKind
    package let property: NSPropertyDescription
    package let isOptional: Bool
    package let isTransient: Bool
    /// The first cell of the value in a snapshot, or -1 where a row has none (to-many, fetched, transient, composite).
    ///
    /// A to-one has two: the key, then the number of the destination's exact entity.
    package let cell: Int
    /// Whether the store may keep the value in a file of its own; a snapshot then holds the store's raw bytes.
    package let isExternal: Bool
    package let attribute: NSAttributeDescription?
    package let relationship: NSRelationshipDescription?
    /// The slots of a composite attribute's leaf elements.
    @exclusivity(unchecked) package internal(set) var elements: [Int] = []
    /// The inverse's slot in the destination entity's layout, or -1.
    @exclusivity(unchecked) package internal(set) var inverse = -1
    /// Whether it is to-one at both ends: each row names the other.
    @exclusivity(unchecked) var isPair = false
    /// The destination entity's number, or 0 where the property is no relationship.
    @exclusivity(unchecked) package internal(set) var destination: Int32 = 0
    /// What a transient attribute is until it is set: the model's default.
    @exclusivity(unchecked) var transientDefault = Slot.null
    /// Whether the model restricts the values beyond their type.
    package let hasPredicates: Bool
    /// Whether the model restricts how many members there may be.
    package let hasCountLimits: Bool
    /// What becomes of the other end when the object is deleted.
    let deleteRule: NSDeleteRule
    /// Which of the entity's to-one relationships it is, if it is one.
    let ordinal: Int

    /// - Parameters:
    ///   - cell: The next free cell.
    ///   - ordinal: How many to-one relationships the entity has before it.
    init(_ property: NSPropertyDescription, name: String, index: Int, isTransient: Bool, cell: Int, ordinal: Int) {
        self.ordinal = ordinal
        self.property = property
        self.name = name
        self.index = index
        self.isTransient = isTransient
        kind = SlotKind(property)
        isOptional = property.isOptional
        attribute = property as? NSAttributeDescription
        relationship = property as? NSRelationshipDescription
        isExternal = attribute?.allowsExternalBinaryDataStorage ?? false
        hasPredicates = !property.validationPredicates.isEmpty
        deleteRule = relationship?.deleteRule ?? .noActionDeleteRule
        hasCountLimits = relationship.map { $0.isToMany && ($0.minCount > 0 || $0.maxCount > 0) } ?? false
        let isStored = !isTransient && !kind.isToMany && kind != .fetched && kind != .composite && kind != .undefined
        self.cell = isStored ? cell : -1
    }

    /// Whether the row of the object itself holds the value.
    package var isStoredInRow: Bool { cell >= 0 }

    /// Whether the model asks more of the value than its type. A required to-many relationship may be empty.
    var isChecked: Bool {
        kind != .fetched && (hasPredicates || hasCountLimits || !isOptional && !kind.isToMany)
    }

    /// How many cells the value takes.
    var cellCount: Int { cell < 0 ? 0 : kind == .toOne ? 2 : 1 }
}
