import FoundationGaps

/// What the accessors of an entity's objects need of its layout, in plain memory: reading it retains nothing.
package struct LayoutTable {
    struct Entry {
        /// Proves that a generated key's slot is the right one.
        let nameHash: UInt64
        /// The value's cell in a snapshot, or -1.
        let cell: Int
        let kind: SlotKind
        let slot: Unmanaged<PropertySlot>
    }

    let layout: Unmanaged<EntityLayout>
    /// Kept alive by the contexts that use it, or by an object that has none (`ObjectState.ownsModel`).
    let model: Unmanaged<NSManagedObjectModel>?
    let number: Int32
    let rootNumber: Int32
    /// What the class overrides of what is called for every object.
    let overrides: ClassOverrides
    /// What objects of the entity ask of a save beyond the usual.
    let demands: SaveDemands
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
                demands: SaveDemands(layout), entries: entries,
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
    /// How far into a snapshot's memory its elements begin: behind the object's own two words and the header. `make` checks it.
    static let elementsOffset = 2 * MemoryLayout<UInt>.size + MemoryLayout<RowHeader>.stride
}

/// Reading a row's values where they lie, by slot index, for the typed accessors.
extension NSManagedObject {
    /// The slot of a generated key; traps where the entity has no such property.
    @inline(__always)
    func index(_ key: ManagedKey) -> Int {
        let table = table.pointee
        if key.slot < table.count, table.entries[key.slot].nameHash == key.nameHash { return key.slot }
        // Another version of the model, or no model when the code was generated.
        if let index = (0..<table.count).first(where: { table.entries[$0].nameHash == key.nameHash }) { return index }
        // A probe, which finds the names in key paths, has no value for any key.
        return isProbe ? 0 : declaredSlot(key.name.description).index
    }

    /// The word of a stored value in the object's row; nil where it is null or there is no row.
    @inline(__always)
    func storedWord(_ index: Int) -> UInt64? {
        guard let row else { return nil }
        let table = table.pointee
        let cell = table.entries[index].cell
        if cell < 0 { return nil }
        let nulls = row.load(fromByteOffset: table.nullBits + (cell >> 6) * 8, as: UInt64.self)
        if nulls & (1 << UInt64(cell & 63)) != 0 { return nil }
        return row.load(fromByteOffset: table.cells + cell * 8, as: UInt64.self)
    }

    /// The text of a stored value in the object's row.
    @inline(__always)
    func storedText(_ index: Int) -> String? {
        // A class may be older than the model: what is no text any longer has no place to be read from.
        guard let place = storedWord(index), let row, table.pointee.entries[index].kind == .string else { return nil }
        let start = row + table.pointee.bytes + Int(place >> 32)
        return String(decoding: UnsafeRawBufferPointer(start: start, count: Int(place & 0xffff_ffff)), as: UTF8.self)
    }

    /// The value that this context set; `.unset` where the row's holds.
    @inline(__always)
    func changedValue(_ index: Int) -> Slot {
        // Most objects that are read have no record: that is seen without retaining anything.
        guard let recordReference else { return .unset }
        return recordReference._withUnsafeGuaranteedRef { $0[index] }
    }
}
