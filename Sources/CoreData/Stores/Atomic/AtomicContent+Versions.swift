extension AtomicContent {
    /// Gives rows that were read again the versions that they had: the same where they have the same values, a higher
    /// one where they have others.
    mutating func takeVersions(from old: AtomicContent) {
        for (root, tree) in trees {
            let rows = tree.rows.map { row in
                guard let known = old[root: root, key: row.key] else { return row }
                if known.hasValues(of: row), hasMembers(of: row, in: old) { return known }
                let values = ChangeRecord.make(slotCount: row.layout.slots.count)
                return RowSnapshot.make(row.layout, key: row.key, version: known.version + 1, values, over: row)
            }
            set(RowTree(rows), root: root)
        }
    }

    /// Whether the lists of a row's members are the same.
    private func hasMembers(of row: RowSnapshot, in old: AtomicContent) -> Bool {
        row.layout.toManySlots.allSatisfy { slot in
            let relationship = ToManyKey(slot, in: row.layout)
            return lists[relationship]?[row.key] ?? [] == old.lists[relationship]?[row.key] ?? []
        }
    }
}

extension RowSnapshot {
    /// Whether a row of the same entity has the same values.
    fileprivate func hasValues(of other: RowSnapshot) -> Bool {
        layout === other.layout
            && layout.slots.allSatisfy { slot in
                slot.cell < 0
                    || value(of: slot, store: AtomicContent.ownStore).isEqual(
                        to: other.value(of: slot, store: AtomicContent.ownStore))
            }
    }
}
