import FoundationGaps

/// The slots of one entity's properties, computed once when a model is sealed.
///
/// The parent's slots come first, so an index that is right for an entity is right for all its subentities; then the
/// entity's own properties by name, then the leaf elements of its composite attributes. Everything on the hot path
/// (typed accessors, row decoding, saving) goes by index; names are looked up once.
package final class EntityLayout: @unchecked Sendable {
    // Unchecked, and no exclusive access is checked at run time: all is set while the model is sealed, under a lock,
    // and immutable from then on.

    /// 1… in preorder of the entity trees, siblings by name ignoring case: the number that a fresh SQLite store gives.
    package let number: Int32
    package let name: String
    /// The entity keeps its layout alive, and the model keeps the entity. Code that has a layout keeps the model.
    package unowned(unsafe) let entity: NSEntityDescription
    package let parent: EntityLayout?
    package let rootNumber: Int32
    package let slots: [PropertySlot]
    package let indexByName: [String: Int]
    /// One hash per slot; lets an accessor verify a slot that the model compiler computed with one comparison.
    package let nameHashes: [UInt64]
    package let isAbstract: Bool
    /// How many cells a snapshot of this entity has.
    package let cellCount: Int
    /// How many entities are below this one. They follow it in the model's layouts, and each keeps its parent: a list
    /// of them here would be a cycle.
    package internal(set) var descendantCount = 0
    /// The description of the model keeps it, as it keeps the entity, which keeps this layout. An entity that outlives
    /// its model makes no objects: nothing asks its layout for the model.
    package internal(set) unowned(unsafe) var model: ModelLayout! {
        didSet { LayoutTable.setModel(model, of: table) }
    }
    /// The class of the entity's instances.
    let managedClass: NSManagedObject.Type
    /// What the class overrides of what every save calls.
    let overrides: ClassOverrides
    /// What the class has beside what the model knows; nil if there is nothing.
    let members: MemberTable?
    /// What objects keep of the layout.
    @exclusivity(unchecked) package private(set) var table: UnsafeMutablePointer<LayoutTable>!
    /// Slots by what has to be done with them, so that loops over all objects look at few slots of each.
    package let toManySlots: [PropertySlot]
    package let toOneSlots: [PropertySlot]
    /// The relationships that a deletion has to look at the other end of.
    let deleteSlots: [PropertySlot]
    /// The relationships with members that keep an object from being deleted.
    let denySlots: [PropertySlot]
    /// The relationships that the deletion of a saved object may have to read.
    let deletionSlots: [PropertySlot]
    let transformableSlots: [PropertySlot]
    /// The attributes that the store computes.
    package let derivedSlots: [PropertySlot]
    /// Slots for which the model asks more than their type.
    let checkedSlots: [PropertySlot]
    /// Whether any slot is in memory only.
    let hasTransientSlots: Bool
    /// What a root entity knows of full-text search in its tree.
    let textMarksCache = TextMarksCache()
    /// How an object's life begins; another way for probes alone.
    @exclusivity(unchecked) var stateOfNewObjects: ObjectState =
        ConcurrencyDebug.isOn ? [.ownsModel, .guarded] : .ownsModel

    init(entity: NSEntityDescription, number: Int32, parent: EntityLayout?) {
        self.entity = entity
        self.number = number
        self.parent = parent
        name = entity.name ?? ""
        isAbstract = entity.isAbstract
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
        members = ManagedMemberTables.shared.table(of: managedClass)
        overrides = ClassOverrides(of: managedClass).union(ClassOverrides(members, indexByName))
        toManySlots = slots.filter(\.kind.isToMany)
        toOneSlots = slots.filter { $0.kind == .toOne }
        deleteSlots = slots.filter { $0.deleteRule == .nullifyDeleteRule || $0.deleteRule == .cascadeDeleteRule }
        denySlots = slots.filter { $0.deleteRule == .denyDeleteRule }
        deletionSlots = slots.filter { $0.kind.isRelationship && $0.deleteRule != .noActionDeleteRule }
        transformableSlots = slots.filter { ($0.kind == .transformable || $0.kind == .objectID) && !$0.isTransient }
        derivedSlots = slots.filter { $0.isStoredInRow && $0.property is NSDerivedAttributeDescription }
        checkedSlots = slots.filter(\.isChecked)
        hasTransientSlots = slots.contains { $0.isTransient }
        let defaults = makeDefaults()
        for (index, value) in defaults where slots[index].isTransient { slots[index].transientDefault = value }
        table = LayoutTable.make(for: self, defaults: defaults)
    }

    deinit { LayoutTable.free(table) }

    /// This entity and all below it.
    package var selfAndDescendants: ArraySlice<EntityLayout> {
        let own = Int(number) - 1
        return model.layouts[own...own + descendantCount]
    }

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
    private var composites: [PropertySlot] = []

    init(slots: [PropertySlot], cells: Int) {
        self.slots = slots
        self.cells = cells
    }

    mutating func add(_ property: NSPropertyDescription) {
        append(property, name: property.name, isTransient: property.isTransient)
        if let slot = slots.last, slot.kind == .composite { composites.append(slot) }
    }

    /// Appends the leaf elements of the entity's own composite attributes.
    mutating func addElements() {
        for slot in composites {
            guard let composite = slot.property as? NSCompositeAttributeDescription else { continue }
            slot.elements = addLeaves(of: composite, path: slot.name, isTransient: slot.isTransient)
        }
    }

    private mutating func addLeaves(of composite: NSCompositeAttributeDescription, path: String, isTransient: Bool)
        -> [Int]
    {
        composite.elements.flatMap { element -> [Int] in
            let name = path + "." + element.name
            if let nested = element as? NSCompositeAttributeDescription {
                return addLeaves(of: nested, path: name, isTransient: isTransient)
            }
            append(element, name: name, isTransient: isTransient)
            return [slots.count - 1]
        }
    }

    private mutating func append(_ property: NSPropertyDescription, name: String, isTransient: Bool) {
        let slot = PropertySlot(
            property, name: name, index: slots.count, isTransient: isTransient, cell: cells,
            ordinal: slots.count { $0.kind == .toOne })
        slots.append(slot)
        cells += slot.cellCount
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
