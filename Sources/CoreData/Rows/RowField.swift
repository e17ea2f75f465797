import FoundationGaps

/// How the value of one property goes from a change into a new row.
///
/// A trivial value, so that walking an entity's fields counts no references.
package struct RowField {
    package let slot: Int
    package let cell: Int
    package let kind: SlotKind
    package let isExternal: Bool

    package init(_ slot: PropertySlot) {
        self.slot = slot.index
        cell = slot.cell
        kind = slot.kind
        isExternal = slot.isExternal
    }

    /// How many bytes the value takes behind a snapshot's cells.
    @inline(__always)
    package func byteCount(_ value: Slot, _ raw: [Int: Data], old: RowCells?) -> Int {
        switch value {
        case .string(let value): return value.utf8.count
        case .data(let value): return (isExternal ? raw[slot] ?? value : value).count
        case .uuid: return MemoryLayout<uuid_t>.size
        case .object(let object): return StoredText.of(object, kind).utf8.count
        case .unset:
            guard kind.isVariable, let old, !old.isNull(cell) else { return 0 }
            return old.bytes(cell).count
        case .null, .int, .double, .reference: return 0
        }
    }

    /// Writes a changed value as a reader would read it back.
    ///
    /// Most values of an update are unset: callers write those with ``keep(_:in:)``.
    ///
    /// - Parameter values: The values by slot. The value is looked up here, so that no caller copies it.
    package func write(_ values: UnsafeMutableBufferPointer<Slot>, _ raw: [Int: Data], to writer: inout RowWriter) {
        switch values[slot] {
        case .null, .unset: break
        case .int(let value): writer.set(cell, int: value)
        // No store keeps a NaN, nor the sign of a zero.
        case .double(let value): if !value.isNaN { writer.set(cell, double: value == 0 ? 0 : value) }
        case .string(let value): write(value, to: &writer)
        case .data(let value):
            (isExternal ? raw[slot] ?? value : value).withUnsafeBytes { writer.set(cell, bytes: $0) }
        case .uuid(let value): withUnsafeBytes(of: value.uuid) { writer.set(cell, bytes: $0) }
        case .reference(let value): writer.set(cell, key: value.key, entity: value.entity)
        case .object(let object): write(StoredText.of(object, kind), to: &writer)
        }
    }

    @inline(__always)
    private func write(_ text: String, to writer: inout RowWriter) {
        let isWritten: Void? = text.utf8.withContiguousStorageIfAvailable {
            writer.set(cell, bytes: UnsafeRawBufferPointer($0))
        }
        if isWritten == nil { Array(text.utf8).withUnsafeBytes { writer.set(cell, bytes: $0) } }
    }

    /// Writes the value that the row had.
    @inline(__always)
    package func keep(_ old: RowCells, in writer: inout RowWriter) {
        if old.isNull(cell) {
            return
        } else if kind.isVariable {
            writer.set(cell, bytes: old.bytes(cell))
        } else if kind == .toOne {
            writer.set(cell, key: old.int(cell), entity: old.entity(cell))
        } else {
            writer.set(cell, int: old.int(cell))
        }
    }
}

extension RowSnapshot {
    /// The row that a change makes, with all values in the row itself.
    ///
    /// - Parameters:
    ///   - change: The values by slot; `.unset` where the old row's value stays.
    ///   - old: The row before the change; nil for a new row.
    package static func make(
        _ layout: EntityLayout, key: Int64, version: Int64, _ change: ChangeRecord, over old: RowSnapshot?
    ) -> RowSnapshot {
        let fields = layout.slots.filter(\.isStoredInRow).map { RowField($0) }
        func made(_ old: RowCells?) -> RowSnapshot {
            change.withValues { values in
                var raw: [Int: Data] = [:]
                for field in fields where field.isExternal {
                    if case .data(let data) = values[field.slot] { raw[field.slot] = InlineData.raw(data) }
                }
                let byteCount = fields.reduce(0) { sum, field in
                    field.kind.isVariable ? sum + field.byteCount(values[field.slot], raw, old: old) : sum
                }
                return make(layout: layout, key: key, version: version, byteCount: byteCount) { writer in
                    for field in fields {
                        if !values[field.slot].isUnset {
                            field.write(values, raw, to: &writer)
                        } else if let old {
                            field.keep(old, in: &writer)
                        }
                    }
                }
            }
        }
        return old?.withCells(made) ?? made(nil)
    }
}

extension RowSnapshot {
    /// The value of a property; null for one that rows do not hold. An attribute with external storage has the store's
    /// bytes.
    ///
    /// - Parameter store: The number of the row's store.
    @inline(__always)
    package func value(of slot: PropertySlot, store: Int32) -> Slot {
        if slot.cell < 0 || isNull(slot.cell) { return .null }
        switch slot.kind {
        case .int16, .int32, .int64, .boolean: return .int(int(slot.cell))
        case .double, .float, .date: return .double(double(slot.cell))
        case .string: return .string(string(slot.cell))
        case .uuid: return uuid(slot.cell).map { .uuid($0) } ?? .null
        case .toOne: return .reference(reference(slot.cell, store: store))
        case .decimal: return .object(DecimalNumber(text: string(slot.cell)))
        case .uri: return (NSURL(stored: string(slot.cell)).map { .object($0) }) ?? .null
        case .binary, .transformable, .objectID: return .data(data(slot.cell))
        case .undefined, .composite, .toMany, .orderedToMany, .fetched: return .null
        }
    }
}

extension NSURL {
    /// A URI as stores have it; nil for a text that is none.
    ///
    /// Some texts are an `NSURL` that is no `URL`, as one with a scheme that begins with a digit. No property could be
    /// set to it, and one that is read as a `URL` would trap.
    package convenience init?(stored text: String) {
        guard URL(string: text) != nil else { return nil }
        self.init(string: text)
    }
}
