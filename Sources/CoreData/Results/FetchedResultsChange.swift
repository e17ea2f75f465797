import FoundationGaps

/// What changed in a controller's results at one time, by object IDs.
///
/// ```swift
/// for await change in controller.changes() {
///     for object in change.objects where object.type == .insert {
///         print("new:", object.objectID, "at", object.newIndexPath ?? [])
///     }
/// }
/// ```
///
/// Indexes count as in the updates of table views. What goes has its place before the change, what comes its place
/// after it. Each object of a section that goes has its own delete or move. ``apply(to:)`` makes the change in a copy
/// of the results. All values may go to any thread.
public struct FetchedResultsChange: Sendable, Equatable {
    /// A section that comes or goes.
    ///
    /// A section whose name changes is one that goes and one that comes. A section that stays has no entry, whatever
    /// happens to its objects.
    public struct Section: Sendable, Hashable {
        /// `.insert` for a section that comes, `.delete` for one that goes.
        ///
        /// Sections are never moved or updated.
        public let type: NSFetchedResultsChangeType

        /// The name of the section: what the controller's section key path gave. Names are unique among the sections of
        /// a controller.
        public let name: String

        /// The place of the section: after the change if it comes, before the change if it goes.
        public let index: Int
    }

    /// An object that comes, goes, moves, or changes.
    ///
    /// A change has at most one of these for each object.
    public struct Object: Sendable, Hashable {
        /// What happened to the object.
        ///
        /// A move may include edits of other properties. An `.update` is an object that stays among its neighbours.
        public let type: NSFetchedResultsChangeType

        /// The ID of the object after the change; for an object that goes, the ID that was told last.
        ///
        /// ```swift
        /// for await change in controller.changes() {
        ///     let ids = change.objects.map(\.objectID)
        ///     await background.perform { print(ids.map { background.object(with: $0) }) }
        /// }
        /// ```
        public let objectID: NSManagedObjectID

        /// The temporary ID that the object had before, if a save made it permanent; otherwise nil.
        ///
        /// Code that keeps objects by ID replaces this ID with ``objectID``. ``FetchedResultsChange/apply(to:)`` does
        /// so.
        public let replacedID: NSManagedObjectID?

        /// The place of the object before the change; nil for an object that comes.
        ///
        /// It counts in the results before all parts of this change.
        public let indexPath: IndexPath?

        /// The place of the object after the change; nil for an object that goes.
        ///
        /// It counts in the results after all parts of this change.
        public let newIndexPath: IndexPath?
    }

    /// The sections that change: first those that go, the last first; then those that come, the first first.
    ///
    /// A program that applies the change by itself removes objects first, then sections, and inserts sections before
    /// objects.
    public let sections: [Section]

    /// The objects that change: those that go, the last first; then those that come, moves, and updates, each with the
    /// first first.
    public let objects: [Object]
}

/// A section of a controller's results, by object IDs.
///
/// ```swift
/// var content: [FetchedResultsSection] = []
/// for await change in controller.changes() {
///     change.apply(to: &content)
///     print(content.map { "\($0.name): \($0.objectIDs.count)" })
/// }
/// ```
///
/// ``FetchedResultsChange/apply(to:)`` makes and changes these.
public struct FetchedResultsSection: Sendable, Hashable {
    /// The name of the section; empty for the one section of a controller without a section key path.
    public var name: String

    /// The IDs of the objects, in the order of the results. IDs of objects that were never saved are temporary.
    public var objectIDs: [NSManagedObjectID]

    /// A section with some objects, or with none.
    ///
    /// A program seldom makes one: ``FetchedResultsChange/apply(to:)`` starts with an empty array of sections.
    public init(name: String, objectIDs: [NSManagedObjectID] = []) {
        self.name = name
        self.objectIDs = objectIDs
    }
}

extension FetchedResultsChange {
    /// Makes the change in a copy of the results.
    ///
    /// Start with an empty array, and apply every change in order:
    ///
    /// ```swift
    /// var content: [FetchedResultsSection] = []
    /// for await change in controller.changes() {
    ///     change.apply(to: &content)
    /// }
    /// ```
    ///
    /// An array that does not have what the change removes or moves traps. Apply each change once, and change nothing
    /// else in the array.
    ///
    /// - Parameter content: The results as all changes before this one made them.
    public func apply(to content: inout [FetchedResultsSection]) {
        require(
            objects.allSatisfy { isThere($0, in: content) },
            "This change does not follow on \(content.map(\.objectIDs.count)) objects; apply every change, in order, and nothing else."
        )
        let gone = objects.compactMap(\.indexPath).sorted(by: >)
        for path in gone { content[path.section].objectIDs.remove(at: path.item) }
        for section in sections where section.type == .delete { content.remove(at: section.index) }
        for section in sections where section.type == .insert {
            content.insert(FetchedResultsSection(name: section.name), at: section.index)
        }
        let come = objects.compactMap { object in object.newIndexPath.map { (path: $0, id: object.objectID) } }
        for (path, id) in come.sorted(by: { $0.path < $1.path }) {
            content[path.section].objectIDs.insert(id, at: path.item)
        }
    }

    private func isThere(_ object: Object, in content: [FetchedResultsSection]) -> Bool {
        guard let path = object.indexPath else { return true }
        return content.indices.contains(path.section) && content[path.section].objectIDs.indices.contains(path.item)
            && content[path.section].objectIDs[path.item] == object.replacedID ?? object.objectID
    }
}

extension FetchedResultsChange {
    init(_ change: ResultsChange) {
        var change = change
        change.arrange()
        sections = change.sections.map { Section(type: $0.type, name: $0.name, index: $0.index) }
        objects = change.objects.map { object in
            let old = object.oldID ?? object.object.ownID
            let id = object.new == nil ? old : object.newID ?? object.object.ownID
            return Object(
                type: object.type, objectID: id, replacedID: object.old == nil || old == id ? nil : old,
                indexPath: object.old?.indexPath, newIndexPath: object.new?.indexPath)
        }
    }
}
