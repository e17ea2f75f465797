import FoundationGaps

/// A section of a controller's results, as it was when it was asked for.
public protocol NSFetchedResultsSectionInfo {
    /// The section's name: what the section key path gives; empty for nil, and where there are no sections.
    var name: String { get }
    /// The section's title in an index.
    var indexTitle: String? { get }
    /// How many objects there are.
    var numberOfObjects: Int { get }
    /// The objects, in their order.
    var objects: [Any]? { get }
}

/// A section of the results.
final class ResultsSectionInfo: NSFetchedResultsSectionInfo {
    let name: String
    private let members: ContiguousArray<NSManagedObject>
    private weak var core: ResultsCore?

    init(name: String, members: ContiguousArray<NSManagedObject>, core: ResultsCore) {
        self.name = name
        self.members = members
        self.core = core
    }

    var indexTitle: String? {
        core.map { $0.indexTitle(ofSection: name) } ?? ResultsCore.standardIndexTitle(name)
    }

    var numberOfObjects: Int { members.count }

    var objects: [Any]? { Array(members) }
}
