import CoreData
import Testing

typealias AnyController = NSFetchedResultsController<any NSFetchRequestResult>

/// Keeps a list by what is told of sections and objects, as table views do.
final class ObjectReplay: NSFetchedResultsControllerDelegate {
    private(set) var content: [(name: String, objects: [NSManagedObject])] = []
    /// What was told of the change under way, and of the last one.
    private(set) var calls: [String] = []
    private(set) var changeCount = 0
    private var isUnderWay = false
    private var gone: [(IndexPath, AnyObject)] = []
    private var come: [(IndexPath, NSManagedObject)] = []
    private var deletedSections: [Int] = []
    private var insertedSections: [(Int, String)] = []

    /// Starts with what a fetch found.
    func start(_ controller: NSFetchedResultsController<NSManagedObject>) {
        content = Self.content(controller.sections)
    }

    static func content(
        _ sections: [any NSFetchedResultsSectionInfo]?
    ) -> [(name: String, objects: [NSManagedObject])] {
        (sections ?? []).map { ($0.name, $0.objects as? [NSManagedObject] ?? []) }
    }

    func controllerWillChangeContent(_ controller: AnyController) {
        #expect(!isUnderWay)
        isUnderWay = true
        (calls, gone, come, deletedSections, insertedSections) = ([], [], [], [], [])
        expect(Self.content(controller.sections), "before the change")
        for (section, info) in content.enumerated() where !info.objects.isEmpty {
            #expect(controller.indexPath(forObject: info.objects[0]) == IndexPath(item: 0, section: section))
        }
    }

    func controller(
        _ controller: AnyController, didChange sectionInfo: any NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType
    ) {
        #expect(isUnderWay)
        calls.append("\(type) section \(sectionInfo.name) \(sectionIndex)")
        if type == .insert {
            insertedSections.append((sectionIndex, sectionInfo.name))
            #expect(sectionInfo.numberOfObjects > 0)
        } else {
            #expect(content[sectionIndex].name == sectionInfo.name)
            deletedSections.append(sectionIndex)
        }
    }

    func controller(
        _ controller: AnyController, didChange anObject: Any, at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        #expect(isUnderWay)
        let object = anObject as! NSManagedObject  // what a controller of objects tells of
        calls.append("\(type) \(Self.text(indexPath)) \(Self.text(newIndexPath))")
        #expect((indexPath == nil) == (type == .insert) && (newIndexPath == nil) == (type == .delete))
        indexPath.map { gone.append(($0, object)) }
        newIndexPath.map { come.append(($0, object)) }
        if let newIndexPath { #expect(controller.object(at: newIndexPath) === object) }
    }

    func controllerDidChangeContent(_ controller: AnyController) {
        #expect(isUnderWay)
        isUnderWay = false
        changeCount += 1
        #expect(!calls.isEmpty)
        for (path, object) in gone.sorted(by: { $0.0 > $1.0 }) {
            #expect(content[path.section].objects.remove(at: path.item) === object)
        }
        for index in deletedSections.sorted(by: >) {
            #expect(
                content.remove(at: index).objects.isEmpty, "a section that goes has objects of which nothing was told")
        }
        for (index, name) in insertedSections.sorted(by: { $0.0 < $1.0 }) { content.insert((name, []), at: index) }
        for (path, object) in come.sorted(by: { $0.0 < $1.0 }) {
            content[path.section].objects.insert(object, at: path.item)
        }
        expect(Self.content(controller.sections), "after \(calls)")
    }

    func takeCalls() -> [String] {
        defer { calls = [] }
        return calls
    }

    private func expect(_ other: [(name: String, objects: [NSManagedObject])], _ place: String) {
        #expect(
            content.map(\.name) == other.map(\.name) && content.map(\.objects) == other.map(\.objects),
            Comment(rawValue: place))
    }

    private static func text(_ path: IndexPath?) -> String { path.map { "\($0.section).\($0.item)" } ?? "-" }
}

/// Keeps a list by differences.
final class DifferenceReplay: NSFetchedResultsControllerDelegate {
    var ids: [NSManagedObjectID] = []
    private(set) var last: CollectionDifference<NSManagedObjectID>?

    func controller(_ controller: AnyController, didChangeContentWith diff: CollectionDifference<NSManagedObjectID>) {
        last = diff
        for case .remove(let offset, let id, _) in diff { #expect(ids[offset] == id) }
        guard let new = ids.applying(diff) else {
            Issue.record("the difference does not fit")
            return
        }
        ids = new
    }

    func controllerDidChangeContent(_ controller: AnyController) {
        if controller.sectionNameKeyPath == nil { Issue.record("told twice") }
    }
}

/// Keeps the last snapshot.
final class SnapshotReplay: NSFetchedResultsControllerDelegate {
    private(set) var snapshot = NSDiffableDataSourceSnapshot<String, NSManagedObjectID>()
    private(set) var count = 0

    func controller(
        _ controller: AnyController, didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
    ) {
        self.snapshot = snapshot as NSDiffableDataSourceSnapshot<String, NSManagedObjectID>
        count += 1
    }

    func controllerDidChangeContent(_ controller: AnyController) { Issue.record("told twice") }
    func controller(_ controller: AnyController, didChangeContentWith diff: CollectionDifference<NSManagedObjectID>) {
        Issue.record("told twice")
    }
}
