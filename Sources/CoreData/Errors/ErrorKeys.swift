import FoundationGaps

/// The key of the object that failed its validation, in an error's `userInfo`.
///
/// The object is an `NSManagedObject` of the context that was saved. Use it on the context's queue. `validationObject`
/// of `CocoaError` is shorter.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
/// The key of the name of the property that failed its validation, in an error's `userInfo`.
///
/// It is a `String`. An error that an override of `validateForUpdate()` throws has it only if the override sets it.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
/// The key of the value that failed its validation, in an error's `userInfo`.
///
/// For a missing value there is no entry. For a to-many relationship it is the set of members.
public let NSValidationValueErrorKey = "NSValidationErrorValue"
/// The key of the predicate that a value failed, in an error's `userInfo`.
///
/// It is an `NSPredicate` of the property's ``NSPropertyDescription/validationPredicates``. Errors about counts,
/// missing values and deletions have none.
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"
/// The key of the errors that a ``NSValidationMultipleErrorsError`` stands for.
///
/// The value is an array of `NSError`, with the errors of all objects of the save. None of them has errors of its own
/// under this key.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// The key of the objects that an error is about, in its `userInfo`.
///
/// The value is an array of objects, or of object IDs where there are no objects (133000).
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"
/// The key of the stores that an error is about, in its `userInfo`.
///
/// The value is an array of ``NSPersistentStore``: the stores that did not commit (134040), or that have no query
/// generations (134070).
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"
/// The key of the conflicts of a save in an error 134050. Nothing here sets it.
///
/// The conflicts of the errors 133020 and 133021 are under `"conflictList"`, as on Apple's platforms.
public let NSPersistentStoreSaveConflictsErrorKey = "NSPersistentStoreSaveConflictsErrorKey"
/// The domain of SQLite's own result codes, and the key of the code in a store error's `userInfo`.
///
/// ```swift
/// do {
///     try context.save()
/// } catch let error as NSError {
///     if let code = error.userInfo[NSSQLiteErrorDomain] as? Int { print("SQLite says \(code)") }
/// }
/// ```
///
/// The code is SQLite's extended result code. The error under `NSUnderlyingErrorKey` has this domain, and SQLite's
/// message.
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"

extension CocoaError {
    /// The object that failed its validation; nil for other errors.
    ///
    /// ```swift
    /// do {
    ///     try context.save()
    /// } catch let error as CocoaError {
    ///     let player = error.validationObject as? Player
    ///     if error.validationKey == "lastName" { player?.lastName = "?" }
    /// }
    /// ```
    public var validationObject: Any? { userInfo[NSValidationObjectErrorKey] }
    /// The name of the property that failed its validation; nil for other errors.
    public var validationKey: String? { userInfo[NSValidationKeyErrorKey] as? String }
    /// The value that failed its validation; nil for a missing value, too.
    public var validationValue: Any? { userInfo[NSValidationValueErrorKey] }
    /// The predicate that the value failed; nil if the error is not about a predicate.
    public var validationPredicate: NSPredicate? { userInfo[NSValidationPredicateErrorKey] as? NSPredicate }
    /// The objects that the error is about: see ``NSAffectedObjectsErrorKey``. Nil if the error names none.
    ///
    /// They may be object IDs.
    public var affectedObjects: [AnyObject]? { userInfo[NSAffectedObjectsErrorKey] as? [AnyObject] }
    /// The stores that the error is about: see ``NSAffectedStoresErrorKey``. Nil if the error names none.
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
