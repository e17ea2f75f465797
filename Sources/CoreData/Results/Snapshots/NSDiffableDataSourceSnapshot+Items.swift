import FoundationGaps

extension NSDiffableDataSourceSnapshot {
    /// Adds items to the end of a section.
    ///
    /// An item that is in the list already traps, and so does a list without sections.
    ///
    /// - Parameters:
    ///   - identifiers: The items, in the order in which they are to stand.
    ///   - sectionIdentifier: The section, which must be in the list; nil: the last one.
    public mutating func appendItems(
        _ identifiers: [ItemIdentifierType], toSection sectionIdentifier: SectionIdentifierType? = nil
    ) {
        guard let last = sections.indices.last else {
            programmerError("The snapshot has no sections for items; append one first.")
        }
        let section = sectionIdentifier.map { requiredSection($0) } ?? last
        insert(identifiers, section: section, at: sections[section].items.count)
    }

    /// Puts items before an item of the list, into its section.
    ///
    /// It traps if the other item is not in the list, or if a new one is.
    public mutating func insertItems(
        _ identifiers: [ItemIdentifierType], beforeItem beforeIdentifier: ItemIdentifierType
    ) {
        let place = requiredPlace(beforeIdentifier)
        insert(identifiers, section: place.section, at: place.item)
    }

    /// Puts items after an item of the list, into its section.
    ///
    /// ```swift
    /// var list = NSDiffableDataSourceSnapshot<String, Int>()
    /// list.appendSections(["numbers"])
    /// list.appendItems([1, 4])
    /// list.insertItems([2, 3], afterItem: 1)          // 1, 2, 3, 4
    /// ```
    ///
    /// It traps if the other item is not in the list, or if a new one is.
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
            require(old == nil, "The snapshot has an item \(identifier) already; move it, or delete it first.")
        }
        sections[section].items.insert(contentsOf: identifiers, at: index)
    }

    /// Removes items from the list. Items that are not in it are ignored.
    ///
    /// Sections stay, also if they have no items any more. Marks of the items, such as those of ``reloadItems(_:)``, go
    /// too.
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

    /// Removes all items and all sections, with all marks. The list is as after ``init()``.
    public mutating func deleteAllItems() { self = NSDiffableDataSourceSnapshot() }

    /// Moves an item from any section to the place before another item.
    ///
    /// It traps if one of the two is not in the list, or if they are the same.
    public mutating func moveItem(_ identifier: ItemIdentifierType, beforeItem toIdentifier: ItemIdentifierType) {
        move(identifier, to: toIdentifier, offset: 0)
    }

    /// Moves an item from any section to the place after another item.
    ///
    /// It traps if one of the two is not in the list, or if they are the same.
    public mutating func moveItem(_ identifier: ItemIdentifierType, afterItem toIdentifier: ItemIdentifierType) {
        move(identifier, to: toIdentifier, offset: 1)
    }

    private mutating func move(_ identifier: ItemIdentifierType, to other: ItemIdentifierType, offset: Int) {
        require(
            identifier != other, "An item of a snapshot can't be moved to itself: \(identifier). Name another item.")
        let origin = requiredPlace(identifier)
        _ = requiredPlace(other)
        sections[origin.section].items.remove(at: origin.item)
        let place = requiredPlace(other)
        sections[place.section].items.insert(identifier, at: place.item + offset)
        owners?[identifier] = sections[place.section].id
    }

    /// Marks items of the list to be shown again. See ``reloadedItemIdentifiers``.
    ///
    /// An item that is not in the list traps. A second mark has no effect.
    public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) {
        for identifier in identifiers { _ = requiredPlace(identifier) }
        reloadedItemIdentifiers.appendNew(identifiers)
    }

    /// Marks items of the list whose views are to be set up again. See ``reconfiguredItemIdentifiers``.
    ///
    /// An item that is not in the list traps. A second mark has no effect.
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
