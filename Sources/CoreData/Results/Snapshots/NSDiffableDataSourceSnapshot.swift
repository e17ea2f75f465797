import FoundationGaps

/// The state of a list with sections, by identifiers: what UIKit and AppKit declare on Apple's platforms.
///
/// Identifiers are unique, those of sections and those of items. Given one that is there already, or one that is
/// missing where it is to be found, the methods trap; those that delete leave out what is not there.
public struct NSDiffableDataSourceSnapshot<SectionIdentifierType: Hashable, ItemIdentifierType: Hashable> {
    struct Section {
        let id: SectionIdentifierType
        var items: [ItemIdentifierType]
    }

    var sections: [Section] = []
    /// The section of each item; nil until a change needs it.
    var owners: [ItemIdentifierType: SectionIdentifierType]?
    /// The sections that are to be shown anew, with all their items.
    public internal(set) var reloadedSectionIdentifiers: [SectionIdentifierType] = []
    /// The items that are to be shown anew.
    public internal(set) var reloadedItemIdentifiers: [ItemIdentifierType] = []
    /// The items that need their views set up anew.
    public internal(set) var reconfiguredItemIdentifiers: [ItemIdentifierType] = []

    /// An empty list.
    public init() {}

    /// A list that is known to be well formed.
    init(
        sections: [(id: SectionIdentifierType, items: [ItemIdentifierType])], reloaded: [ItemIdentifierType] = []
    ) {
        self.sections = sections.map { Section(id: $0.id, items: $0.items) }
        reloadedItemIdentifiers = reloaded
    }

    // MARK: Looking up

    public var numberOfItems: Int { sections.reduce(0) { $0 + $1.items.count } }
    public var numberOfSections: Int { sections.count }
    public var sectionIdentifiers: [SectionIdentifierType] { sections.map(\.id) }
    public var itemIdentifiers: [ItemIdentifierType] { sections.flatMap(\.items) }

    public func numberOfItems(inSection identifier: SectionIdentifierType) -> Int {
        sections[requiredSection(identifier)].items.count
    }

    public func itemIdentifiers(inSection identifier: SectionIdentifierType) -> [ItemIdentifierType] {
        sections[requiredSection(identifier)].items
    }

    /// The section that an item is in; nil: there is no such item.
    public func sectionIdentifier(containingItem identifier: ItemIdentifierType) -> SectionIdentifierType? {
        if let owners { return owners[identifier] }
        return sections.first { $0.items.contains(identifier) }?.id
    }

    /// The place of an item among all; nil: there is no such item.
    public func indexOfItem(_ identifier: ItemIdentifierType) -> Int? {
        var start = 0
        for section in sections {
            if let index = section.items.firstIndex(of: identifier) { return start + index }
            start += section.items.count
        }
        return nil
    }

    /// The place of a section; nil: there is no such section.
    public func indexOfSection(_ identifier: SectionIdentifierType) -> Int? {
        sections.firstIndex { $0.id == identifier }
    }

    // MARK: Checking

    func requiredSection(_ identifier: SectionIdentifierType) -> Int {
        guard let index = indexOfSection(identifier) else {
            preconditionFailure("The snapshot has no section \(identifier); append it first.")
        }
        return index
    }

    mutating func requiredPlace(_ identifier: ItemIdentifierType) -> (section: Int, item: Int) {
        guard let owner = enterOwners()[identifier], let section = indexOfSection(owner),
            let item = sections[section].items.firstIndex(of: identifier)
        else { preconditionFailure("The snapshot has no item \(identifier); append it first.") }
        return (section, item)
    }

    /// The section of each item, from now on kept.
    @discardableResult
    mutating func enterOwners() -> [ItemIdentifierType: SectionIdentifierType] {
        if let owners { return owners }
        var table: [ItemIdentifierType: SectionIdentifierType] = [:]
        for section in sections { for item in section.items { table[item] = section.id } }
        owners = table
        return table
    }
}

extension NSDiffableDataSourceSnapshot.Section: Sendable
where SectionIdentifierType: Sendable, ItemIdentifierType: Sendable {}

extension NSDiffableDataSourceSnapshot: Sendable
where SectionIdentifierType: Sendable, ItemIdentifierType: Sendable {}
