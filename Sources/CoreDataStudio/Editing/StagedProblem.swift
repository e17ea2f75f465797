import CoreData
import Foundation
import StoreBrowsing

/// Why an object can't be saved.
struct StagedProblem: Sendable {
    /// The property that it is about, if it is about one.
    let key: String?
    let message: String

    init(_ error: any Error) {
        key = (error as NSError).userInfo[NSValidationKeyErrorKey] as? String
        message = ToolFailure(error).message
    }

    var json: JSON { ["key": .optional(key), "message": .text(message)] }
}

extension NSManagedObject {
    /// What the model's rules say against saving the object.
    var problems: [StagedProblem] {
        do {
            if isInserted { try validateForInsert() } else if isUpdated { try validateForUpdate() }
            return []
        } catch {
            let all = (error as NSError).userInfo[NSDetailedErrorsKey] as? [any Error] ?? [error]
            return all.map(StagedProblem.init)
        }
    }
}
