import FoundationGaps

/// Which values of their rows a fetch reads, where it does not read all.
package struct RowPart: Hashable {
    /// The entity that the slots are of, which its subentities share.
    package let entity: EntityLayout
    /// The slots, in rising order.
    package let slots: [Int]

    package init(entity: EntityLayout, slots: [Int]) { (self.entity, self.slots) = (entity, slots) }

    package static func == (a: RowPart, b: RowPart) -> Bool { a.entity === b.entity && a.slots == b.slots }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(entity.number)
        hasher.combine(slots)
    }
}

// A partial row belongs to one fault: the row cache never has it. In its memory a value that was not read is null, with
// all bits of its cell set; one that was read and is null has none set.

extension RowSnapshot {
    /// Makes a snapshot of some values of a row. It is retained once, for the caller.
    ///
    /// - Parameter cells: The first cell of each value that was read; `fill` writes those that are not null.
    package static func makePartial(
        _ table: UnsafePointer<LayoutTable>, key: Int64, version: Int64, byteCount: Int, cells: [Int],
        fill: (inout RowWriter) -> Void
    ) -> Unmanaged<RowSnapshot> {
        make(table, key: key, version: version, byteCount: byteCount, isPartial: true) { writer in
            writer.markAsUnread()
            for cell in cells { writer.markAsRead(cell) }
            fill(&writer)
        }
    }

    /// Whether the value that begins in a cell was read.
    func hasRead(_ cell: Int) -> Bool { !isPartial || !isNull(cell) || int(cell) == 0 }

    /// The whole row for an object that has read a part of it before: that part's values and version stay.
    ///
    /// So no value changes that the app has seen, and a save compares the store's row with the values that the app has
    /// seen.
    func under(_ part: RowSnapshot) -> RowSnapshot {
        .make(layout: layout, key: key, version: part.version, byteCount: header.byteCount + part.header.byteCount) {
            for slot in layout.slots where slot.isStoredInRow {
                (part.hasRead(slot.cell) ? part : self).copy(slot, to: &$0)
            }
        }
    }

    private func copy(_ slot: PropertySlot, to writer: inout RowWriter) {
        if isNull(slot.cell) { return }
        if slot.kind.isVariable { return withBytes(slot.cell) { writer.set(slot.cell, bytes: $0) } }
        writer.set(slot.cell, int: int(slot.cell))
        if slot.kind == .toOne { writer.set(slot.cell + 1, int: int(slot.cell + 1)) }
    }
}
