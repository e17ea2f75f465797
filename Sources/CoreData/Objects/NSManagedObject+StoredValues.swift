import FoundationGaps

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
