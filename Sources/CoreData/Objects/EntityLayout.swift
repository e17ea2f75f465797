import FoundationGaps

/// The slots of one entity's properties, computed once when a model is sealed.
///
/// The parent's slots come first, so an index that is right for an entity is right for all its subentities; then the
/// entity's own properties by name, then the leaf elements of its composite attributes. Everything on the hot path
/// (typed accessors, row decoding, saving) goes by index; names are looked up once.
package final class EntityLayout: @unchecked Sendable {
    // Unchecked: immutable once the model is sealed.

    /// 1… in preorder of the entity trees, siblings by name ignoring case: the number that a fresh SQLite store gives.
    package let number: Int32
    package let name: String
    /// The entity keeps its layout alive, not the other way around.
    package unowned(unsafe) let entity: NSEntityDescription
    package let parent: EntityLayout?
    package let rootNumber: Int32
    package internal(set) var slots: [PropertySlot]
    package let indexByName: [String: Int]
    /// One hash per slot; lets an accessor verify a slot that the model compiler computed with one comparison.
    package let nameHashes: [UInt64]
    /// How many cells a snapshot of this entity has.
    package let cellCount: Int
    package internal(set) var subentities: [EntityLayout] = []
    package internal(set) unowned(unsafe) var model: ModelLayout!
    /// The class of the entity's instances.
    let managedClass: NSManagedObject.Type
    /// Whether the class may have its own `validateValue(_:forKey:)`.
    var overridesValidation: Bool { managedClass != NSManagedObject.self }
    /// The values of a new object that are not nil, by slot index.
    private(set) var defaults: [(index: Int, value: Slot)] = []

    init(entity: NSEntityDescription, number: Int32, parent: EntityLayout?) {
        self.entity = entity
        self.number = number
        self.parent = parent
        name = entity.name ?? ""
        rootNumber = parent?.rootNumber ?? number
        var builder = SlotBuilder(slots: parent?.slots ?? [], cells: parent?.cellCount ?? 0)
        let inherited = Set(builder.slots.map(\.name))
        let own = entity.properties.filter { !inherited.contains($0.name) }.sorted {
            $0.name.isOrderedByScalars($1.name)
        }
        own.forEach { builder.add($0) }
        builder.addElements()
        slots = builder.slots
        cellCount = builder.cells
        indexByName = Dictionary(builder.slots.map { ($0.name, $0.index) }, uniquingKeysWith: { first, _ in first })
        nameHashes = builder.slots.map { ManagedKey.hash($0.name) }
        managedClass = ManagedClasses.shared.type(of: entity)
        defaults = makeDefaults()
    }

    package var isAbstract: Bool { entity.isAbstract }

    /// This entity and all below it.
    package var selfAndDescendants: [EntityLayout] { [self] + subentities.flatMap(\.selfAndDescendants) }

    package func isKind(of other: EntityLayout) -> Bool {
        var layout: EntityLayout? = self
        while let current = layout {
            if current === other { return true }
            layout = current.parent
        }
        return false
    }

    package func slot(named name: String) -> PropertySlot? { indexByName[name].map { slots[$0] } }
}

/// Lays out an entity's properties behind its parent's.
private struct SlotBuilder {
    var slots: [PropertySlot]
    var cells: Int
    private var composites: [(slot: Int, attribute: NSCompositeAttributeDescription)] = []

    init(slots: [PropertySlot], cells: Int) {
        self.slots = slots
        self.cells = cells
    }

    mutating func add(_ property: NSPropertyDescription) {
        if let composite = property as? NSCompositeAttributeDescription { composites.append((slots.count, composite)) }
        append(property, name: property.name, transient: property.isTransient)
    }

    mutating func addElements() {
        for (slot, attribute) in composites {
            var elements: [Int] = []
            addLeaves(of: attribute, path: attribute.name, transient: attribute.isTransient, into: &elements)
            let old = slots[slot]
            slots[slot] = PropertySlot(
                index: old.index, name: old.name, kind: .composite, property: old.property, isOptional: old.isOptional,
                isTransient: old.isTransient, cell: -1, elements: elements, isExternal: false)
        }
    }

    private mutating func addLeaves(
        of composite: NSCompositeAttributeDescription, path: String, transient: Bool, into elements: inout [Int]
    ) {
        for element in composite.elements {
            let name = path + "." + element.name
            if let nested = element as? NSCompositeAttributeDescription {
                addLeaves(of: nested, path: name, transient: transient, into: &elements)
            } else {
                elements.append(slots.count)
                append(element, name: name, transient: transient)
            }
        }
    }

    private mutating func append(_ property: NSPropertyDescription, name: String, transient: Bool) {
        let kind = SlotKind(property)
        let isStored = !transient && !kind.isToMany && kind != .fetched && kind != .composite && kind != .undefined
        slots.append(
            PropertySlot(
                index: slots.count, name: name, kind: kind, property: property, isOptional: property.isOptional,
                isTransient: transient, cell: isStored ? cells : -1, elements: [],
                isExternal: (property as? NSAttributeDescription)?.allowsExternalBinaryDataStorage ?? false))
        if isStored { cells += kind == .toOne ? 2 : 1 }
    }
}

extension SlotKind {
    init(_ property: NSPropertyDescription) {
        switch property {
        case let relationship as NSRelationshipDescription:
            self = !relationship.isToMany ? .toOne : relationship.isOrdered ? .orderedToMany : .toMany
        case is NSFetchedPropertyDescription: self = .fetched
        case let attribute as NSAttributeDescription: self = SlotKind(attribute.attributeType)
        default: self = .undefined
        }
    }

    init(_ type: NSAttributeType) {
        switch type {
        case .integer16AttributeType: self = .int16
        case .integer32AttributeType: self = .int32
        case .integer64AttributeType: self = .int64
        case .booleanAttributeType: self = .boolean
        case .doubleAttributeType: self = .double
        case .floatAttributeType: self = .float
        case .decimalAttributeType: self = .decimal
        case .stringAttributeType: self = .string
        case .dateAttributeType: self = .date
        case .binaryDataAttributeType: self = .binary
        case .UUIDAttributeType: self = .uuid
        case .URIAttributeType: self = .uri
        case .transformableAttributeType: self = .transformable
        case .objectIDAttributeType: self = .objectID
        case .compositeAttributeType: self = .composite
        case .undefinedAttributeType: self = .undefined
        }
    }
}

extension String {
    /// Code point order, case-sensitive: how the model's formats sort names, whatever the locale.
    package func isOrderedByScalars(_ other: String) -> Bool {
        unicodeScalars.lexicographicallyPrecedes(other.unicodeScalars)
    }
}
