import FoundationGaps

/// The content of a list with sections, by identifiers: what UIKit and AppKit declare on Apple's platforms.
///
/// ```swift
/// var list = NSDiffableDataSourceSnapshot<String, Int>()
/// list.appendSections(["even", "odd"])
/// list.appendItems([2, 4], toSection: "even")
/// list.appendItems([1, 3])                        // into the last section
/// print(list.itemIdentifiers)                     // [2, 4, 1, 3]
/// ```
///
/// A results controller gives its content in this form, with section names and object IDs. See
/// ``NSFetchedResultsControllerDelegate``. It is a value: a change in a copy leaves the original as it is.
///
/// Section identifiers are unique, and so are item identifiers in the whole list. Methods trap if an identifier is
/// there already, or if one that they need is missing. The methods that delete ignore missing ones.
public struct NSDiffableDataSourceSnapshot<SectionIdentifierType: Hashable, ItemIdentifierType: Hashable> {
    struct Section {
        let id: SectionIdentifierType
        var items: [ItemIdentifierType]
    }

    var sections: [Section] = []
    /// The section of each item; nil until a change needs it.
    var owners: [ItemIdentifierType: SectionIdentifierType]?

    /// The sections to show again, with all their items, in the order in which they were marked.
    ///
    /// ``reloadSections(_:)`` adds to it, and a deleted section leaves it.
    public internal(set) var reloadedSectionIdentifiers: [SectionIdentifierType] = []

    /// The items to show again, in the order in which they were marked.
    ///
    /// In a snapshot of a results controller these are the objects that changed and stay where they are.
    /// ``reloadItems(_:)`` adds to it, and a deleted item leaves it.
    public internal(set) var reloadedItemIdentifiers: [ItemIdentifierType] = []

    /// The items whose views are set up again and not replaced, in the order in which they were marked.
    ///
    /// ``reconfigureItems(_:)`` adds to it. Snapshots of a results controller have none.
    public internal(set) var reconfiguredItemIdentifiers: [ItemIdentifierType] = []

    /// A list without sections and items.
    ///
    /// Append a section first: items need one.
    public init() {}

    /// A list that is known to be well formed.
    init(
        sections: [(id: SectionIdentifierType, items: [ItemIdentifierType])], reloaded: [ItemIdentifierType] = []
    ) {
        self.sections = sections.map { Section(id: $0.id, items: $0.items) }
        reloadedItemIdentifiers = reloaded
    }

    // MARK: Looking up

    /// The number of items in all sections. It adds up the sections.
    public var numberOfItems: Int { sections.reduce(0) { $0 + $1.items.count } }

    /// The number of sections, those without items included.
    public var numberOfSections: Int { sections.count }

    /// The identifiers of the sections, in their order.
    ///
    /// In a snapshot of a results controller they are the sections' names. Without a section key path there is one,
    /// `""`.
    public var sectionIdentifiers: [SectionIdentifierType] { sections.map(\.id) }

    /// The identifiers of all items, section by section.
    ///
    /// ```swift
    /// func controller(
    ///     _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    ///     didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
    /// ) {
    ///     let list = snapshot as NSDiffableDataSourceSnapshot<String, NSManagedObjectID>
    ///     let players = list.itemIdentifiers.map { controller.managedObjectContext.object(with: $0) }
    ///     show(players.compactMap { $0 as? Player })
    /// }
    /// ```
    ///
    /// The array is made at each call.
    public var itemIdentifiers: [ItemIdentifierType] { sections.flatMap(\.items) }

    /// The number of items in a section. A section that is not in the list traps.
    public func numberOfItems(inSection identifier: SectionIdentifierType) -> Int {
        sections[requiredSection(identifier)].items.count
    }

    /// The identifiers of the items in a section, in their order. A section that is not in the list traps.
    public func itemIdentifiers(inSection identifier: SectionIdentifierType) -> [ItemIdentifierType] {
        sections[requiredSection(identifier)].items
    }

    /// The section that has an item; nil if no section has it.
    ///
    /// ```swift
    /// let list = NSDiffableDataSourceSnapshot<String, NSManagedObjectID>()
    /// if let name = list.sectionIdentifier(containingItem: player.objectID) { print("in section", name) }
    /// ```
    public func sectionIdentifier(containingItem identifier: ItemIdentifierType) -> SectionIdentifierType? {
        if let owners { return owners[identifier] }
        return sections.first { $0.items.contains(identifier) }?.id
    }

    /// The place of an item among the items of all sections; nil if it is not in the list.
    ///
    /// It looks through the sections, so it takes time in proportion to the place.
    public func indexOfItem(_ identifier: ItemIdentifierType) -> Int? {
        var start = 0
        for section in sections {
            if let index = section.items.firstIndex(of: identifier) { return start + index }
            start += section.items.count
        }
        return nil
    }

    /// The place of a section; nil if it is not in the list.
    public func indexOfSection(_ identifier: SectionIdentifierType) -> Int? {
        sections.firstIndex { $0.id == identifier }
    }

    // MARK: Checking

    func requiredSection(_ identifier: SectionIdentifierType) -> Int {
        guard let index = indexOfSection(identifier) else {
            programmerError("The snapshot has no section \(identifier); append it first.")
        }
        return index
    }

    mutating func requiredPlace(_ identifier: ItemIdentifierType) -> (section: Int, item: Int) {
        guard let owner = enterOwners()[identifier], let section = indexOfSection(owner),
            let item = sections[section].items.firstIndex(of: identifier)
        else { programmerError("The snapshot has no item \(identifier); append it first.") }
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
