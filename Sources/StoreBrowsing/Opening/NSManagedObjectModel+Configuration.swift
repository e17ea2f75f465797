import CoreData
import Foundation

extension NSManagedObjectModel {
    /// The configuration that a store is for, by its metadata; nil for all of the model.
    package func configuration(ofStoreWith metadata: [String: Any]) -> String? {
        if isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) { return nil }
        return configurations.sorted().first { isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata) }
    }
}
