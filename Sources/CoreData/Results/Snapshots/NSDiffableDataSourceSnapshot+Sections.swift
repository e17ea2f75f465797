import FoundationGaps

extension NSDiffableDataSourceSnapshot {
    /// Adds sections without items to the end of the list. A section that is in the list already traps.
    public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {
        insert(identifiers, at: sections.count)
    }

    /// Puts sections without items before a section of the list.
    ///
    /// It traps if the other section is not in the list, or if a new one is.
    public mutating func insertSections(
        _ identifiers: [SectionIdentifierType], beforeSection toIdentifier: SectionIdentifierType
    ) {
        insert(identifiers, at: requiredSection(toIdentifier))
    }

    /// Puts sections without items after a section of the list.
    ///
    /// It traps if the other section is not in the list, or if a new one is.
    public mutating func insertSections(
        _ identifiers: [SectionIdentifierType], afterSection toIdentifier: SectionIdentifierType
    ) {
        insert(identifiers, at: requiredSection(toIdentifier) + 1)
    }

    private mutating func insert(_ identifiers: [SectionIdentifierType], at index: Int) {
        var known = Set(sections.map(\.id))
        for identifier in identifiers {
            require(
                known.insert(identifier).inserted,
                "The snapshot has a section \(identifier) already; move it, or delete it first.")
        }
        sections.insert(contentsOf: identifiers.map { Section(id: $0, items: []) }, at: index)
    }

    /// Removes sections with all their items. Sections that are not in the list are ignored.
    ///
    /// Marks of the sections and of their items go too.
    public mutating func deleteSections(_ identifiers: [SectionIdentifierType]) {
        let gone = Set(identifiers)
        for section in sections where gone.contains(section.id) {
            for item in section.items { owners?[item] = nil }
        }
        sections.removeAll { gone.contains($0.id) }
        reloadedSectionIdentifiers.removeAll { gone.contains($0) }
        forgetMarks()
    }

    /// Moves a section, with its items, to the place before another section.
    ///
    /// It traps if one of the two is not in the list, or if they are the same.
    public mutating func moveSection(
        _ identifier: SectionIdentifierType, beforeSection toIdentifier: SectionIdentifierType
    ) {
        move(identifier, to: toIdentifier, offset: 0)
    }

    /// Moves a section, with its items, to the place after another section.
    ///
    /// ```swift
    /// var list = NSDiffableDataSourceSnapshot<String, Int>()
    /// list.appendSections(["b", "a"])
    /// list.moveSection("b", afterSection: "a")        // a, b
    /// ```
    ///
    /// It traps if one of the two is not in the list, or if they are the same.
    public mutating func moveSection(
        _ identifier: SectionIdentifierType, afterSection toIdentifier: SectionIdentifierType
    ) {
        move(identifier, to: toIdentifier, offset: 1)
    }

    private mutating func move(_ identifier: SectionIdentifierType, to other: SectionIdentifierType, offset: Int) {
        require(
            identifier != other,
            "A section of a snapshot can't be moved to itself: \(identifier). Name another section.")
        _ = requiredSection(other)
        let section = sections.remove(at: requiredSection(identifier))
        sections.insert(section, at: requiredSection(other) + offset)
    }

    /// Marks sections of the list to be shown again, with all their items. See ``reloadedSectionIdentifiers``.
    ///
    /// A section that is not in the list traps. A second mark has no effect.
    public mutating func reloadSections(_ identifiers: [SectionIdentifierType]) {
        for identifier in identifiers { _ = requiredSection(identifier) }
        reloadedSectionIdentifiers.appendNew(identifiers)
    }
}
