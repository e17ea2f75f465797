import FoundationGaps

/// What the accessors of an entity's objects need of its layout, in plain memory: reading it retains nothing.
package struct LayoutTable {
    struct Entry {
        /// Proves that a generated key's slot is the right one.
        let nameHash: UInt64
        /// The value's cell in a snapshot, or -1.
        let cell: Int
        let kind: SlotKind
        /// The layout keeps its slots.
        let slot: Unmanaged<PropertySlot>
    }

    /// The layout owns the table, and frees it when it goes.
    let layout: Unmanaged<EntityLayout>
    /// Kept alive by the contexts that use it, or by an object that has none (`ObjectState.ownsModel`).
    let model: Unmanaged<NSManagedObjectModel>?
    package let number: Int32
    package let rootNumber: Int32
    /// What the class overrides of what is called for every object.
    let overrides: ClassOverrides
    /// What objects of the entity ask of a save beyond the usual.
    let requirements: SaveRequirements
    let entries: UnsafeMutablePointer<Entry>
    let count: Int
    /// The slots of to-one relationships.
    let toOnes: UnsafeBufferPointer<Int>
    /// The values of a new object that are not nil, by slot index.
    let defaults: UnsafeBufferPointer<(index: Int, value: Slot)>
    /// The model's layout, to compare with.
    fileprivate(set) var modelLayout: UnsafeRawPointer?
    /// How many cells a snapshot has.
    let cellCount: Int
    /// How far into a snapshot's memory the null bits are.
    let nullBits: Int
    /// How far into a snapshot's memory the first cell is.
    let cells: Int
    /// How far into a snapshot's memory the bytes of variable values are.
    let bytes: Int

    /// - Returns: A table that the layout frees.
    static func make(
        for layout: EntityLayout, defaults: [(index: Int, value: Slot)]
    ) -> UnsafeMutablePointer<LayoutTable> {
        let entries = UnsafeMutablePointer<Entry>.allocate(capacity: max(1, layout.slots.count))
        for (index, slot) in layout.slots.enumerated() {
            (entries + index).initialize(
                to: Entry(
                    nameHash: ManagedKey.hash(slot.name), cell: slot.cell, kind: slot.kind, slot: .passUnretained(slot))
            )
        }
        let toOnes = UnsafeMutableBufferPointer<Int>.allocate(capacity: layout.toOneSlots.count)
        _ = toOnes.initialize(from: layout.toOneSlots.map(\.index))
        let values = UnsafeMutableBufferPointer<(index: Int, value: Slot)>.allocate(capacity: defaults.count)
        _ = values.initialize(from: defaults)
        let nullBits = RowSnapshot.elementsOffset
        let cells = nullBits + RowSnapshot.nullWords(layout.cellCount) * 8
        let table = UnsafeMutablePointer<LayoutTable>.allocate(capacity: 1)
        table.initialize(
            to: LayoutTable(
                layout: .passUnretained(layout), model: layout.entity.modelStorage.map { .passUnretained($0) },
                number: layout.number, rootNumber: layout.rootNumber, overrides: layout.overrides,
                requirements: SaveRequirements(layout), entries: entries,
                count: layout.slots.count, toOnes: UnsafeBufferPointer(toOnes), defaults: UnsafeBufferPointer(values),
                cellCount: layout.cellCount, nullBits: nullBits, cells: cells,
                bytes: cells + layout.cellCount * 8))
        return table
    }

    static func setModel(_ model: ModelLayout, of table: UnsafeMutablePointer<LayoutTable>) {
        table.pointee.modelLayout = UnsafeRawPointer(Unmanaged.passUnretained(model).toOpaque())
    }

    static func free(_ table: UnsafeMutablePointer<LayoutTable>) {
        table.pointee.entries.deallocate()
        table.pointee.toOnes.deallocate()
        UnsafeMutableBufferPointer(mutating: table.pointee.defaults).deinitialize().deallocate()
        table.deallocate()
    }
}

extension RowSnapshot {
    /// How far into a snapshot's memory its elements begin: behind the object's own two words and the header. `make`
    /// checks it.
    static let elementsOffset = 2 * MemoryLayout<UInt>.size + MemoryLayout<RowHeader>.stride
}
