import FoundationGaps

/// What changed in a controller's results at one time, by the objects' IDs.
///
/// Indexes are those of table views: what goes is told by its place before the change, what comes by its place after
/// it, and all objects of a section that goes are told to go or to move. ``apply(to:)`` follows it.
public struct FetchedResultsChange: Sendable, Equatable {
    /// A section that comes or goes.
    public struct Section: Sendable, Hashable {
        /// `.insert` or `.delete`.
        public let type: NSFetchedResultsChangeType
        public let name: String
        /// Where the section is after the change, or was before it.
        public let index: Int
    }

    /// An object that comes, goes, moves, or changes.
    public struct Object: Sendable, Hashable {
        public let type: NSFetchedResultsChangeType
        public let objectID: NSManagedObjectID
        /// The temporary ID that the object had before, where it has got a permanent one.
        public let replacedID: NSManagedObjectID?
        /// Where the object was before the change; nil for one that comes.
        public let indexPath: IndexPath?
        /// Where the object is after the change; nil for one that goes.
        public let newIndexPath: IndexPath?
    }

    /// Sections that go, the last first, then such that come, the first first.
    public let sections: [Section]
    /// Objects that go, the last first; then such that come, moves and updates, the first first.
    public let objects: [Object]
}

/// A section of a controller's results, by the objects' IDs.
public struct FetchedResultsSection: Sendable, Hashable {
    public var name: String
    public var objectIDs: [NSManagedObjectID]

    public init(name: String, objectIDs: [NSManagedObjectID] = []) {
        self.name = name
        self.objectIDs = objectIDs
    }
}

extension FetchedResultsChange {
    /// Makes the change in a copy of the results.
    ///
    /// - Parameter content: The results as all changes before this one made them, at first none. Traps if they are
    ///   others.
    public func apply(to content: inout [FetchedResultsSection]) {
        precondition(
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
