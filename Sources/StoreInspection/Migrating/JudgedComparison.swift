import CoreData
import ModelDocument

/// What is different between two models, and what that means for the stores of the first.
///
/// The framework's own inference is asked, so that a tool says what an app will meet.
///
/// ```swift
/// let comparison = JudgedComparison(from: old, to: new)
/// for change in comparison.changes { print(change) }
/// print(comparison.need)
/// ```
package struct JudgedComparison: Sendable {
    /// A change with what stores need for it.
    package struct Change: Sendable, CustomStringConvertible {
        package let change: ModelComparison.Change
        package let need: StoreNeed

        /// One line: `~ attribute Player.name: optional YES → NO [lightweight]`.
        package var description: String { change.description + need.note }
    }

    package let changes: [Change]
    /// What stands against a migration without being a change of the property that it names.
    package let others: [InferenceObstacle]
    /// What stores need to be opened with the new model.
    package let need: StoreNeed

    /// Compares two models.
    ///
    /// - Parameters:
    ///   - old: The model that made the stores.
    ///   - new: The model that is to open them.
    package init(from old: Model, to new: Model) {
        let compared = ModelComparison(from: old, to: new).changes
        do {
            let judge = try ChangeJudge(from: old, to: new)
            changes = compared.map { Change(change: $0, need: judge.need(of: $0)) }
            others = judge.obstacles.filter { obstacle in !compared.contains { judge.isAbout(obstacle, $0) } }
            need = judge.need
        } catch {
            let reason = (error as? ModelDocumentError)?.message ?? (error as NSError).localizedDescription
            changes = compared.map { Change(change: $0, need: .unknown(reason: reason)) }
            others = []
            need = .unknown(reason: reason)
        }
    }
}

extension StoreNeed {
    /// The need in brackets, behind a change.
    fileprivate var note: String {
        switch self {
        case .nothing, .unknown: ""
        case .lightweight: " [lightweight]"
        case .conditional(let reason): " [lightweight, unless rows stand against it: \(reason)]"
        case .mapping(let reason): " [mapping: \(reason)]"
        }
    }
}
