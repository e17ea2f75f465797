import FoundationGaps

/// A snapshot as an object, with identifiers of any type: what the delegate of a results controller gets.
///
/// As at Apple, a cast makes it a value with types:
///
/// ```swift
/// let snapshot = NSDiffableDataSourceSnapshotReference()
/// snapshot.appendSections(withIdentifiers: ["a"])
/// snapshot.appendItems(withIdentifiers: [player.objectID])
/// let list = snapshot as NSDiffableDataSourceSnapshot<String, NSManagedObjectID>
/// ```
///
/// With `as?` the result is nil if an identifier is of another type; with `as` this traps. The section identifiers of a
/// results controller are `String`, its item identifiers `NSManagedObjectID`.
///
/// Identifiers must be `Hashable`; others trap. The rules are those of ``NSDiffableDataSourceSnapshot``. For many
/// look-ups cast it to a value first: the look-ups here convert all identifiers at each call.
public final class NSDiffableDataSourceSnapshotReference: NSObject, NSCopying {
    /// A controller's results, until something else becomes of them.
    private var results: NSDiffableDataSourceSnapshot<String, NSManagedObjectID>?
    private var content = NSDiffableDataSourceSnapshot<AnyHashable, AnyHashable>()

    /// A list without sections and items, for example to build in a test what a delegate gets.
    public override init() { super.init() }

    init(_ results: NSDiffableDataSourceSnapshot<String, NSManagedObjectID>) {
        self.results = results
        super.init()
    }

    fileprivate init(_ content: NSDiffableDataSourceSnapshot<AnyHashable, AnyHashable>) {
        self.content = content
        super.init()
    }

    /// A copy as an object. A later change of the original does not change the copy.
    public func copy(with zone: NSZone? = nil) -> Any { NSDiffableDataSourceSnapshotReference(erased) }

    private var erased: NSDiffableDataSourceSnapshot<AnyHashable, AnyHashable> {
        guard let results else { return content }
        return results.map({ AnyHashable($0) }, { AnyHashable($0) }) ?? content
    }

    private func change(_ body: (inout NSDiffableDataSourceSnapshot<AnyHashable, AnyHashable>) -> Void) {
        content = erased
        results = nil
        body(&content)
    }

    /// The list with identifiers of these types; nil if some are others.
    fileprivate func typed<S, I>() -> NSDiffableDataSourceSnapshot<S, I>? {
        if let results = results as? NSDiffableDataSourceSnapshot<S, I> { return results }
        return erased.map({ $0.base as? S }, { $0.base as? I })
    }

    private static func identifier(_ value: Any) -> AnyHashable {
        guard let identifier = value as? AnyHashable else {
            programmerError(
                "\(type(of: value)) can't identify anything in a snapshot: it is not Hashable. Use an NSManagedObjectID, or another Hashable value."
            )
        }
        return identifier
    }

    private static func identifiers(_ values: [Any]) -> [AnyHashable] { values.map { identifier($0) } }

    // MARK: Looking up

    /// The number of items in all sections. It converts no identifiers.
    public var numberOfItems: Int { results?.numberOfItems ?? content.numberOfItems }

    /// The number of sections, those without items included. It converts no identifiers.
    public var numberOfSections: Int { results?.numberOfSections ?? content.numberOfSections }

    /// The identifiers of the sections, in their order.
    ///
    /// In a results controller's snapshot each is the section's name, a `String`.
    public var sectionIdentifiers: [Any] { erased.sectionIdentifiers.map(\.base) }

    /// The identifiers of all items, section by section.
    ///
    /// In a results controller's snapshot each is an ``NSManagedObjectID``.
    public var itemIdentifiers: [Any] { erased.itemIdentifiers.map(\.base) }

    /// The sections to show again, with all their items. See ``reloadSections(withIdentifiers:)``.
    public var reloadedSectionIdentifiers: [Any] { erased.reloadedSectionIdentifiers.map(\.base) }

    /// The items to show again.
    ///
    /// In a results controller's snapshot these are the objects that changed and stay where they are.
    public var reloadedItemIdentifiers: [Any] { erased.reloadedItemIdentifiers.map(\.base) }

    /// The items whose views are set up again and not replaced. See ``reconfigureItems(withIdentifiers:)``.
    public var reconfiguredItemIdentifiers: [Any] { erased.reconfiguredItemIdentifiers.map(\.base) }

    /// The number of items in a section. A section that is not in the list traps.
    public func numberOfItems(inSection sectionIdentifier: Any) -> Int {
        erased.numberOfItems(inSection: Self.identifier(sectionIdentifier))
    }

    /// The identifiers of the items in a section, in their order.
    ///
    /// A section that is not in the list traps.
    public func itemIdentifiersInSection(withIdentifier sectionIdentifier: Any) -> [Any] {
        erased.itemIdentifiers(inSection: Self.identifier(sectionIdentifier)).map(\.base)
    }

    /// The section that has an item; nil if no section has it.
    public func sectionIdentifierForSection(containingItemIdentifier itemIdentifier: Any) -> Any? {
        erased.sectionIdentifier(containingItem: Self.identifier(itemIdentifier))?.base
    }

    /// The place of an item among the items of all sections.
    ///
    /// It is `NSNotFound` if the item is not in the list, where the value type gives nil.
    public func index(ofItemIdentifier itemIdentifier: Any) -> Int {
        erased.indexOfItem(Self.identifier(itemIdentifier)) ?? NSNotFound
    }

    /// The place of a section.
    ///
    /// It is `NSNotFound` if the section is not in the list, where the value type gives nil.
    public func index(ofSectionIdentifier sectionIdentifier: Any) -> Int {
        erased.indexOfSection(Self.identifier(sectionIdentifier)) ?? NSNotFound
    }

    // MARK: Items

    /// Adds items to the end of the last section.
    ///
    /// It traps if there is no section, or if an item is in the list already.
    public func appendItems(withIdentifiers identifiers: [Any]) {
        change { $0.appendItems(Self.identifiers(identifiers)) }
    }

    /// Adds items to the end of a section.
    ///
    /// It traps if the section is not in the list, or if an item is in the list already.
    public func appendItems(withIdentifiers identifiers: [Any], intoSectionWithIdentifier sectionIdentifier: Any) {
        change { $0.appendItems(Self.identifiers(identifiers), toSection: Self.identifier(sectionIdentifier)) }
    }

    /// Puts items before an item of the list, into its section.
    ///
    /// It traps if the other item is not in the list, or if a new one is.
    public func insertItems(withIdentifiers identifiers: [Any], beforeItemWithIdentifier itemIdentifier: Any) {
        change { $0.insertItems(Self.identifiers(identifiers), beforeItem: Self.identifier(itemIdentifier)) }
    }

    /// Puts items after an item of the list, into its section.
    ///
    /// It traps if the other item is not in the list, or if a new one is.
    public func insertItems(withIdentifiers identifiers: [Any], afterItemWithIdentifier itemIdentifier: Any) {
        change { $0.insertItems(Self.identifiers(identifiers), afterItem: Self.identifier(itemIdentifier)) }
    }

    /// Removes items from the list. Items that are not in it are ignored, and empty sections stay.
    public func deleteItems(withIdentifiers identifiers: [Any]) {
        change { $0.deleteItems(Self.identifiers(identifiers)) }
    }

    /// Removes all items and all sections, with all marks.
    public func deleteAllItems() { change { $0.deleteAllItems() } }

    /// Moves an item from any section to the place before another item.
    ///
    /// It traps if one of the two is not in the list, or if they are the same.
    public func moveItem(withIdentifier fromIdentifier: Any, beforeItemWithIdentifier toIdentifier: Any) {
        change { $0.moveItem(Self.identifier(fromIdentifier), beforeItem: Self.identifier(toIdentifier)) }
    }

    /// Moves an item from any section to the place after another item.
    ///
    /// It traps if one of the two is not in the list, or if they are the same.
    public func moveItem(withIdentifier fromIdentifier: Any, afterItemWithIdentifier toIdentifier: Any) {
        change { $0.moveItem(Self.identifier(fromIdentifier), afterItem: Self.identifier(toIdentifier)) }
    }

    /// Marks items of the list to be shown again. An item that is not in the list traps.
    public func reloadItems(withIdentifiers identifiers: [Any]) {
        change { $0.reloadItems(Self.identifiers(identifiers)) }
    }

    /// Marks items of the list whose views are to be set up again. An item that is not in the list traps.
    public func reconfigureItems(withIdentifiers identifiers: [Any]) {
        change { $0.reconfigureItems(Self.identifiers(identifiers)) }
    }

    // MARK: Sections

    /// Adds sections without items to the end of the list. A section that is in the list already traps.
    public func appendSections(withIdentifiers sectionIdentifiers: [Any]) {
        change { $0.appendSections(Self.identifiers(sectionIdentifiers)) }
    }

    /// Puts sections without items before a section of the list.
    ///
    /// It traps if the other section is not in the list, or if a new one is.
    public func insertSections(
        withIdentifiers sectionIdentifiers: [Any], beforeSectionWithIdentifier toSectionIdentifier: Any
    ) {
        change {
            $0.insertSections(
                Self.identifiers(sectionIdentifiers), beforeSection: Self.identifier(toSectionIdentifier))
        }
    }

    /// Puts sections without items after a section of the list.
    ///
    /// It traps if the other section is not in the list, or if a new one is.
    public func insertSections(
        withIdentifiers sectionIdentifiers: [Any], afterSectionWithIdentifier toSectionIdentifier: Any
    ) {
        change {
            $0.insertSections(
                Self.identifiers(sectionIdentifiers), afterSection: Self.identifier(toSectionIdentifier))
        }
    }

    /// Removes sections with all their items. Sections that are not in the list are ignored.
    public func deleteSections(withIdentifiers sectionIdentifiers: [Any]) {
        change { $0.deleteSections(Self.identifiers(sectionIdentifiers)) }
    }

    /// Moves a section, with its items, to the place before another section.
    ///
    /// It traps if one of the two is not in the list, or if they are the same.
    public func moveSection(withIdentifier fromIdentifier: Any, beforeSectionWithIdentifier toIdentifier: Any) {
        change { $0.moveSection(Self.identifier(fromIdentifier), beforeSection: Self.identifier(toIdentifier)) }
    }

    /// Moves a section, with its items, to the place after another section.
    ///
    /// It traps if one of the two is not in the list, or if they are the same.
    public func moveSection(withIdentifier fromIdentifier: Any, afterSectionWithIdentifier toIdentifier: Any) {
        change { $0.moveSection(Self.identifier(fromIdentifier), afterSection: Self.identifier(toIdentifier)) }
    }

    /// Marks sections of the list to be shown again, with all their items.
    ///
    /// A section that is not in the list traps.
    public func reloadSections(withIdentifiers sectionIdentifiers: [Any]) {
        change { $0.reloadSections(Self.identifiers(sectionIdentifiers)) }
    }
}

extension NSDiffableDataSourceSnapshot {
    /// The list with other identifiers; nil if one can't be had.
    fileprivate func map<S: Hashable, I: Hashable>(
        _ section: (SectionIdentifierType) -> S?, _ item: (ItemIdentifierType) -> I?
    ) -> NSDiffableDataSourceSnapshot<S, I>? {
        func all<A, B>(_ values: [A], _ convert: (A) -> B?) -> [B]? {
            let converted = values.compactMap(convert)
            return converted.count == values.count ? converted : nil
        }
        var list: [(id: S, items: [I])] = []
        for own in sections {
            guard let id = section(own.id), let items = all(own.items, item) else { return nil }
            list.append((id, items))
        }
        guard let reloaded = all(reloadedItemIdentifiers, item),
            let reconfigured = all(reconfiguredItemIdentifiers, item),
            let reloadedSections = all(reloadedSectionIdentifiers, section)
        else { return nil }
        var result = NSDiffableDataSourceSnapshot<S, I>(sections: list, reloaded: reloaded)
        result.reconfiguredItemIdentifiers = reconfigured
        result.reloadedSectionIdentifiers = reloadedSections
        return result
    }
}

// `as`, `as?` and `as!` between the class and the value, as the standard library has it for classes and structs of
// Foundation.

extension NSDiffableDataSourceSnapshot: _ObjectiveCBridgeable {
    /// The class that `as` converts to.
    public typealias _ObjectiveCType = NSDiffableDataSourceSnapshotReference

    public func _bridgeToObjectiveC() -> NSDiffableDataSourceSnapshotReference {
        let erased: NSDiffableDataSourceSnapshot<AnyHashable, AnyHashable>? = map(
            { AnyHashable($0) }, { AnyHashable($0) })
        return NSDiffableDataSourceSnapshotReference(erased ?? .init())
    }

    public static func _forceBridgeFromObjectiveC(
        _ source: NSDiffableDataSourceSnapshotReference,
        result: inout NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>?
    ) {
        guard let typed: Self = source.typed() else {
            programmerError(
                "The snapshot's identifiers are not \(SectionIdentifierType.self) and \(ItemIdentifierType.self); a results controller's are String and NSManagedObjectID."
            )
        }
        result = typed
    }

    public static func _conditionallyBridgeFromObjectiveC(
        _ source: NSDiffableDataSourceSnapshotReference,
        result: inout NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>?
    ) -> Bool {
        result = source.typed()
        return result != nil
    }

    public static func _unconditionallyBridgeFromObjectiveC(
        _ source: NSDiffableDataSourceSnapshotReference?
    ) -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> {
        var result: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>?
        if let source { _forceBridgeFromObjectiveC(source, result: &result) }
        return result ?? NSDiffableDataSourceSnapshot()
    }
}
