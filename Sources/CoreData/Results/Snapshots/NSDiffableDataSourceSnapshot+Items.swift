import FoundationGaps

extension NSDiffableDataSourceSnapshot {
    /// Adds items to a section's end; nil: to the last section's.
    public mutating func appendItems(
        _ identifiers: [ItemIdentifierType], toSection sectionIdentifier: SectionIdentifierType? = nil
    ) {
        guard let last = sections.indices.last else {
            preconditionFailure("The snapshot has no sections for items; append one first.")
        }
        let section = sectionIdentifier.map { requiredSection($0) } ?? last
        insert(identifiers, section: section, at: sections[section].items.count)
    }

    /// Puts items before one that is there.
    public mutating func insertItems(
        _ identifiers: [ItemIdentifierType], beforeItem beforeIdentifier: ItemIdentifierType
    ) {
        let place = requiredPlace(beforeIdentifier)
        insert(identifiers, section: place.section, at: place.item)
    }

    /// Puts items behind one that is there.
    public mutating func insertItems(
        _ identifiers: [ItemIdentifierType], afterItem afterIdentifier: ItemIdentifierType
    ) {
        let place = requiredPlace(afterIdentifier)
        insert(identifiers, section: place.section, at: place.item + 1)
    }

    private mutating func insert(_ identifiers: [ItemIdentifierType], section: Int, at index: Int) {
        enterOwners()
        for identifier in identifiers {
            let old = owners?.updateValue(sections[section].id, forKey: identifier)
            precondition(old == nil, "The snapshot has an item \(identifier) already; move it, or delete it first.")
        }
        sections[section].items.insert(contentsOf: identifiers, at: index)
    }

    /// Takes items out.
    public mutating func deleteItems(_ identifiers: [ItemIdentifierType]) {
        enterOwners()
        var gone: [SectionIdentifierType: Set<ItemIdentifierType>] = [:]
        for identifier in identifiers {
            guard let owner = owners?.removeValue(forKey: identifier) else { continue }
            gone[owner, default: []].insert(identifier)
        }
        for (owner, items) in gone { sections[requiredSection(owner)].items.removeAll { items.contains($0) } }
        forgetMarks()
    }

    /// Takes all items out, and all sections.
    public mutating func deleteAllItems() { self = NSDiffableDataSourceSnapshot() }

    /// Moves an item, from whichever section, before another one.
    public mutating func moveItem(_ identifier: ItemIdentifierType, beforeItem toIdentifier: ItemIdentifierType) {
        move(identifier, to: toIdentifier, offset: 0)
    }

    /// Moves an item, from whichever section, behind another one.
    public mutating func moveItem(_ identifier: ItemIdentifierType, afterItem toIdentifier: ItemIdentifierType) {
        move(identifier, to: toIdentifier, offset: 1)
    }

    private mutating func move(_ identifier: ItemIdentifierType, to other: ItemIdentifierType, offset: Int) {
        precondition(identifier != other, "An item of a snapshot can't be moved to itself: \(identifier).")
        let origin = requiredPlace(identifier)
        _ = requiredPlace(other)
        sections[origin.section].items.remove(at: origin.item)
        let place = requiredPlace(other)
        sections[place.section].items.insert(identifier, at: place.item + offset)
        owners?[identifier] = sections[place.section].id
    }

    /// Marks items that are to be shown anew.
    public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) {
        for identifier in identifiers { _ = requiredPlace(identifier) }
        reloadedItemIdentifiers.appendNew(identifiers)
    }

    /// Marks items that need their views set up anew.
    public mutating func reconfigureItems(_ identifiers: [ItemIdentifierType]) {
        for identifier in identifiers { _ = requiredPlace(identifier) }
        reconfiguredItemIdentifiers.appendNew(identifiers)
    }

    /// Takes marks off what is gone.
    mutating func forgetMarks() {
        guard !(reloadedItemIdentifiers.isEmpty && reconfiguredItemIdentifiers.isEmpty) else { return }
        let known = enterOwners()
        reloadedItemIdentifiers.removeAll { known[$0] == nil }
        reconfiguredItemIdentifiers.removeAll { known[$0] == nil }
    }
}

extension Array where Element: Hashable {
    /// Adds what is not there yet.
    mutating func appendNew(_ elements: [Element]) {
        var known = Set(self)
        append(contentsOf: elements.filter { known.insert($0).inserted })
    }
}
