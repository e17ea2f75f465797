import FoundationGaps

/// A snapshot as an object, with identifiers of any type: what a results controller's delegate gets.
///
/// As at Apple it is taken as a value with its types:
/// `snapshot as NSDiffableDataSourceSnapshot<String, NSManagedObjectID>`.
public final class NSDiffableDataSourceSnapshotReference: NSObject, NSCopying {
    /// A controller's results, until something else becomes of them.
    private var results: NSDiffableDataSourceSnapshot<String, NSManagedObjectID>?
    private var content = NSDiffableDataSourceSnapshot<AnyHashable, AnyHashable>()

    /// An empty list.
    public override init() { super.init() }

    init(_ results: NSDiffableDataSourceSnapshot<String, NSManagedObjectID>) {
        self.results = results
        super.init()
    }

    fileprivate init(_ content: NSDiffableDataSourceSnapshot<AnyHashable, AnyHashable>) {
        self.content = content
        super.init()
    }

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
            preconditionFailure("\(type(of: value)) can't identify anything in a snapshot: it is not Hashable.")
        }
        return identifier
    }

    private static func identifiers(_ values: [Any]) -> [AnyHashable] { values.map { identifier($0) } }

    // MARK: Looking up

    public var numberOfItems: Int { results?.numberOfItems ?? content.numberOfItems }
    public var numberOfSections: Int { results?.numberOfSections ?? content.numberOfSections }
    public var sectionIdentifiers: [Any] { erased.sectionIdentifiers.map(\.base) }
    public var itemIdentifiers: [Any] { erased.itemIdentifiers.map(\.base) }
    public var reloadedSectionIdentifiers: [Any] { erased.reloadedSectionIdentifiers.map(\.base) }
    public var reloadedItemIdentifiers: [Any] { erased.reloadedItemIdentifiers.map(\.base) }
    public var reconfiguredItemIdentifiers: [Any] { erased.reconfiguredItemIdentifiers.map(\.base) }

    public func numberOfItems(inSection sectionIdentifier: Any) -> Int {
        erased.numberOfItems(inSection: Self.identifier(sectionIdentifier))
    }

    public func itemIdentifiersInSection(withIdentifier sectionIdentifier: Any) -> [Any] {
        erased.itemIdentifiers(inSection: Self.identifier(sectionIdentifier)).map(\.base)
    }

    /// The section that an item is in; nil: there is no such item.
    public func sectionIdentifierForSection(containingItemIdentifier itemIdentifier: Any) -> Any? {
        erased.sectionIdentifier(containingItem: Self.identifier(itemIdentifier))?.base
    }

    /// The place of an item among all; `NSNotFound`: there is no such item.
    public func index(ofItemIdentifier itemIdentifier: Any) -> Int {
        erased.indexOfItem(Self.identifier(itemIdentifier)) ?? NSNotFound
    }

    /// The place of a section; `NSNotFound`: there is no such section.
    public func index(ofSectionIdentifier sectionIdentifier: Any) -> Int {
        erased.indexOfSection(Self.identifier(sectionIdentifier)) ?? NSNotFound
    }

    // MARK: Items

    public func appendItems(withIdentifiers identifiers: [Any]) {
        change { $0.appendItems(Self.identifiers(identifiers)) }
    }

    public func appendItems(withIdentifiers identifiers: [Any], intoSectionWithIdentifier sectionIdentifier: Any) {
        change { $0.appendItems(Self.identifiers(identifiers), toSection: Self.identifier(sectionIdentifier)) }
    }

    public func insertItems(withIdentifiers identifiers: [Any], beforeItemWithIdentifier itemIdentifier: Any) {
        change { $0.insertItems(Self.identifiers(identifiers), beforeItem: Self.identifier(itemIdentifier)) }
    }

    public func insertItems(withIdentifiers identifiers: [Any], afterItemWithIdentifier itemIdentifier: Any) {
        change { $0.insertItems(Self.identifiers(identifiers), afterItem: Self.identifier(itemIdentifier)) }
    }

    public func deleteItems(withIdentifiers identifiers: [Any]) {
        change { $0.deleteItems(Self.identifiers(identifiers)) }
    }

    public func deleteAllItems() { change { $0.deleteAllItems() } }

    public func moveItem(withIdentifier fromIdentifier: Any, beforeItemWithIdentifier toIdentifier: Any) {
        change { $0.moveItem(Self.identifier(fromIdentifier), beforeItem: Self.identifier(toIdentifier)) }
    }

    public func moveItem(withIdentifier fromIdentifier: Any, afterItemWithIdentifier toIdentifier: Any) {
        change { $0.moveItem(Self.identifier(fromIdentifier), afterItem: Self.identifier(toIdentifier)) }
    }

    public func reloadItems(withIdentifiers identifiers: [Any]) {
        change { $0.reloadItems(Self.identifiers(identifiers)) }
    }

    public func reconfigureItems(withIdentifiers identifiers: [Any]) {
        change { $0.reconfigureItems(Self.identifiers(identifiers)) }
    }

    // MARK: Sections

    public func appendSections(withIdentifiers sectionIdentifiers: [Any]) {
        change { $0.appendSections(Self.identifiers(sectionIdentifiers)) }
    }

    public func insertSections(
        withIdentifiers sectionIdentifiers: [Any], beforeSectionWithIdentifier toSectionIdentifier: Any
    ) {
        change {
            $0.insertSections(
                Self.identifiers(sectionIdentifiers), beforeSection: Self.identifier(toSectionIdentifier))
        }
    }

    public func insertSections(
        withIdentifiers sectionIdentifiers: [Any], afterSectionWithIdentifier toSectionIdentifier: Any
    ) {
        change {
            $0.insertSections(
                Self.identifiers(sectionIdentifiers), afterSection: Self.identifier(toSectionIdentifier))
        }
    }

    public func deleteSections(withIdentifiers sectionIdentifiers: [Any]) {
        change { $0.deleteSections(Self.identifiers(sectionIdentifiers)) }
    }

    public func moveSection(withIdentifier fromIdentifier: Any, beforeSectionWithIdentifier toIdentifier: Any) {
        change { $0.moveSection(Self.identifier(fromIdentifier), beforeSection: Self.identifier(toIdentifier)) }
    }

    public func moveSection(withIdentifier fromIdentifier: Any, afterSectionWithIdentifier toIdentifier: Any) {
        change { $0.moveSection(Self.identifier(fromIdentifier), afterSection: Self.identifier(toIdentifier)) }
    }

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
            preconditionFailure(
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
