import FoundationGaps

/// Why a batch request can't be carried out as it is.
enum BatchFailure {
    /// A property that the entity lacks, or that a batch can't set.
    static func property(_ name: String, _ layout: EntityLayout, _ reason: String) -> NSError {
        .cocoa(
            NSPersistentStoreOperationError, "A batch can't set “\(name)” of \(layout.name): \(reason).",
            userInfo: [NSValidationKeyErrorKey: name])
    }

    /// A value that is none of its property.
    static func value(_ value: Any, _ slot: PropertySlot, _ layout: EntityLayout) -> NSError {
        .cocoa(
            NSManagedObjectValidationError,
            "A batch can't set “\(slot.name)” of \(layout.name) to the value \(value).",
            reason: "The \(slot.kindName) takes \(slot.className), and the value is a \(type(of: value)).",
            userInfo: [NSValidationKeyErrorKey: slot.name, NSValidationValueErrorKey: value])
    }

    static func related(_ layout: EntityLayout) -> NSError {
        .cocoa(
            NSPersistentStoreOperationError,
            "The handler of a batch insertion related an object of \(layout.name) to another one; nothing was inserted.",
            reason:
                "Objects of a batch have attributes alone. Give to-one relationships in dictionaries, as object IDs.")
    }
}
