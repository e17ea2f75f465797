import FoundationGaps

extension RowSnapshot {
    /// The row after a change: the old values, with the changed ones over them.
    ///
    /// - Parameters:
    ///   - values: By slot index, as in ``RowChange/values``; `.unset` keeps the old value, or null in a new row.
    ///   - version: The row's new version.
    ///   - externals: The raw bytes that the store wrote for external attributes, by slot index.
    package static func make(
        layout: EntityLayout, key: Int64, version: Int64, old: RowSnapshot?, values: [Slot],
        externals: [Int: Data] = [:]
    ) -> RowSnapshot {
        let stored = layout.slots.filter(\.isStoredInRow)
        let prepared: [(slot: PropertySlot, value: StoredValue)] = stored.map { slot in
            if let raw = externals[slot.index] { return (slot, .bytes(raw)) }
            let value = values[slot.index]
            return (slot, value.isUnset ? .old : StoredValue(value, kind: slot.kind))
        }
        let byteCount = prepared.reduce(0) { $0 + $1.value.byteCount(of: $1.slot, in: old) }
        return make(layout: layout, key: key, version: version, byteCount: byteCount) { writer in
            for (slot, value) in prepared { value.write(slot, old: old, to: &writer) }
        }
    }
}

/// A value on its way into a snapshot.
private enum StoredValue {
    case old, null
    case int(Int64)
    case double(Double)
    case reference(ObjectReference)
    case text(String)
    case bytes(Data)

    init(_ slot: Slot, kind: SlotKind) {
        switch slot {
        case .unset, .null: self = .null
        case .int(let value): self = .int(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .text(value)
        case .data(let value): self = .bytes(value)
        case .uuid(let value): self = withUnsafeBytes(of: value.uuid) { .bytes(Data($0)) }
        case .reference(let value): self = .reference(value)
        case .object(let object): self = StoredValue(object, kind: kind)
        }
    }

    private init(_ object: AnyObject, kind: SlotKind) {
        switch object {
        case let number as NSDecimalNumber: self = .text(number.description(withLocale: nil))
        case let url as NSURL: self = .text(url.absoluteString)
        default: preconditionFailure("a \(kind) attribute can't be stored from a \(Swift.type(of: object))")
        }
    }

    func byteCount(of slot: PropertySlot, in old: RowSnapshot?) -> Int {
        switch self {
        case .text(let value): value.utf8.count
        case .bytes(let value): value.count
        case .old:
            if let old, slot.kind.isVariable, !old.isNull(slot.cell) {
                old.withBytes(slot.cell) { $0.count }
            } else {
                0
            }
        default: 0
        }
    }

    func write(_ slot: PropertySlot, old: RowSnapshot?, to writer: inout RowWriter) {
        switch self {
        case .null: break
        case .int(let value): writer.set(slot.cell, int: value)
        case .double(let value): writer.set(slot.cell, double: value)
        case .reference(let value): writer.set(slot.cell, key: value.key, entity: value.entity)
        case .text(var value): value.withUTF8 { writer.set(slot.cell, bytes: UnsafeRawBufferPointer($0)) }
        case .bytes(let value): value.withUnsafeBytes { writer.set(slot.cell, bytes: $0) }
        case .old: if let old, !old.isNull(slot.cell) { copy(slot, from: old, to: &writer) }
        }
    }

    private func copy(_ slot: PropertySlot, from old: RowSnapshot, to writer: inout RowWriter) {
        if slot.kind.isVariable {
            old.withBytes(slot.cell) { writer.set(slot.cell, bytes: $0) }
        } else if slot.kind == .toOne {
            writer.set(slot.cell, key: old.int(slot.cell), entity: Int32(truncatingIfNeeded: old.int(slot.cell + 1)))
        } else {
            writer.set(slot.cell, int: old.int(slot.cell))
        }
    }
}
