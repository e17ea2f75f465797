import FoundationGaps

extension NSManagedObject {
    /// Whether the object is a partial fault that has the value of a slot, not too old for its context.
    func hasPart(_ index: Int) -> Bool {
        guard state.contains(.partial), let part = rowAtHand else { return false }
        if let context = contextStorage, !context.oldestRow.allows(part) { return false }
        let slot = layout.slots[index]
        if slot.kind == .composite { return slot.elements.allSatisfy { part.hasRead(layout.slots[$0].cell) } }
        return slot.isStoredInRow && part.hasRead(slot.cell)
    }

    /// Takes what a fetch brought: a row, or a part of one where there is nothing better yet.
    func takeFetched(_ row: RowSnapshot) {
        guard row.isPartial else { return take(row) }
        guard isUnfired, snapshot.map({ $0.version < row.version }) ?? true else { return }
        snapshot = row
        state.insert(.partial)
    }

    /// The row for a fault that may have had a part of it, perhaps of another version.
    func completed(_ row: RowSnapshot) -> RowSnapshot {
        guard state.contains(.partial), let part = rowAtHand, part.version != row.version else { return row }
        return row.under(part)
    }
}
