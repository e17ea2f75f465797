import FoundationGaps

extension NSDiffableDataSourceSnapshot {
    /// Adds empty sections at the end.
    public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {
        insert(identifiers, at: sections.count)
    }

    /// Puts empty sections before one that is there.
    public mutating func insertSections(
        _ identifiers: [SectionIdentifierType], beforeSection toIdentifier: SectionIdentifierType
    ) {
        insert(identifiers, at: requiredSection(toIdentifier))
    }

    /// Puts empty sections behind one that is there.
    public mutating func insertSections(
        _ identifiers: [SectionIdentifierType], afterSection toIdentifier: SectionIdentifierType
    ) {
        insert(identifiers, at: requiredSection(toIdentifier) + 1)
    }

    private mutating func insert(_ identifiers: [SectionIdentifierType], at index: Int) {
        var known = Set(sections.map(\.id))
        for identifier in identifiers {
            precondition(
                known.insert(identifier).inserted,
                "The snapshot has a section \(identifier) already; move it, or delete it first.")
        }
        sections.insert(contentsOf: identifiers.map { Section(id: $0, items: []) }, at: index)
    }

    /// Takes sections out, with their items.
    public mutating func deleteSections(_ identifiers: [SectionIdentifierType]) {
        let gone = Set(identifiers)
        for section in sections where gone.contains(section.id) {
            for item in section.items { owners?[item] = nil }
        }
        sections.removeAll { gone.contains($0.id) }
        reloadedSectionIdentifiers.removeAll { gone.contains($0) }
        forgetMarks()
    }

    /// Moves a section, with its items, before another one.
    public mutating func moveSection(
        _ identifier: SectionIdentifierType, beforeSection toIdentifier: SectionIdentifierType
    ) {
        move(identifier, to: toIdentifier, offset: 0)
    }

    /// Moves a section, with its items, behind another one.
    public mutating func moveSection(
        _ identifier: SectionIdentifierType, afterSection toIdentifier: SectionIdentifierType
    ) {
        move(identifier, to: toIdentifier, offset: 1)
    }

    private mutating func move(_ identifier: SectionIdentifierType, to other: SectionIdentifierType, offset: Int) {
        precondition(identifier != other, "A section of a snapshot can't be moved to itself: \(identifier).")
        _ = requiredSection(other)
        let section = sections.remove(at: requiredSection(identifier))
        sections.insert(section, at: requiredSection(other) + offset)
    }

    /// Marks sections that are to be shown anew, with all their items.
    public mutating func reloadSections(_ identifiers: [SectionIdentifierType]) {
        for identifier in identifiers { _ = requiredSection(identifier) }
        reloadedSectionIdentifiers.appendNew(identifiers)
    }
}
