import FoundationGaps

/// The object that failed its validation.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
/// The name of the property that failed its validation.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
/// The value that failed its validation.
public let NSValidationValueErrorKey = "NSValidationErrorValue"
/// The predicate that a value failed.
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"
/// The errors that `NSValidationMultipleErrorsError` stands for.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// The objects that an error is about.
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"
/// The stores that an error is about.
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"
/// The conflicts of a save, as `NSMergeConflict`s.
public let NSPersistentStoreSaveConflictsErrorKey = "NSPersistentStoreSaveConflictsErrorKey"
/// The domain of SQLite's own result codes.
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"

extension CocoaError {
    /// The object that failed its validation.
    public var validationObject: Any? { userInfo[NSValidationObjectErrorKey] }
    /// The name of the property that failed its validation.
    public var validationKey: String? { userInfo[NSValidationKeyErrorKey] as? String }
    /// The value that failed its validation.
    public var validationValue: Any? { userInfo[NSValidationValueErrorKey] }
    /// The predicate that a value failed.
    public var validationPredicate: NSPredicate? { userInfo[NSValidationPredicateErrorKey] as? NSPredicate }
    /// The objects that the error is about.
    public var affectedObjects: [AnyObject]? { userInfo[NSAffectedObjectsErrorKey] as? [AnyObject] }
    /// The stores that the error is about.
    public var affectedStores: [AnyObject]? { userInfo[NSAffectedStoresErrorKey] as? [AnyObject] }
}

extension NSError {
    /// An error of `NSCocoaErrorDomain`.
    ///
    /// - Parameters:
    ///   - code: One of Core Data's codes, or of Foundation's.
    ///   - description: What happened, for a user.
    ///   - reason: Why, where more is known.
    package static func cocoa(
        _ code: Int, _ description: String, reason: String? = nil, userInfo: [String: Any] = [:]
    ) -> NSError {
        var info = userInfo
        info[NSLocalizedDescriptionKey] = description
        if let reason { info[NSLocalizedFailureReasonErrorKey] = reason }
        return NSError(domain: NSCocoaErrorDomain, code: code, userInfo: info)
    }
}
