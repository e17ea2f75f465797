import FoundationGaps

/// A section of a controller's results, as it was when it was read.
///
/// ```swift
/// for section in controller.sections ?? [] {
///     print(section.indexTitle ?? "-", section.name, section.numberOfObjects)
/// }
/// ```
///
/// It does not follow later changes: read ``NSFetchedResultsController/sections`` again.
public protocol NSFetchedResultsSectionInfo {
    /// The section's name: the value of the section key path as text.
    ///
    /// It is empty where the value is nil, and for the one section of a controller without a section key path.
    var name: String { get }

    /// The section's title in an index: ``NSFetchedResultsController/sectionIndexTitle(forSectionName:)`` of its name.
    var indexTitle: String? { get }

    /// The number of objects in the section. Reading it costs no fetch.
    var numberOfObjects: Int { get }

    /// The objects in their order, each an `NSManagedObject`. It is never nil; the type is Apple's.
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
