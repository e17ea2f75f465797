import FoundationGaps

// The numbers are part of the API: apps compare `(error as NSError).code` with them.

/// An object failed its validation.
public let NSManagedObjectValidationError = 1550
/// A uniqueness constraint is violated.
public let NSManagedObjectConstraintValidationError = 1551
/// Several things are wrong; each is an error under `NSDetailedErrorsKey`.
public let NSValidationMultipleErrorsError = 1560
/// A required property has no value.
public let NSValidationMissingMandatoryPropertyError = 1570
/// A to-many relationship has too few members.
public let NSValidationRelationshipLacksMinimumCountError = 1580
/// A to-many relationship has too many members.
public let NSValidationRelationshipExceedsMaximumCountError = 1590
/// A delete rule forbids the deletion.
public let NSValidationRelationshipDeniedDeleteError = 1600
/// A number is above its maximum.
public let NSValidationNumberTooLargeError = 1610
/// A number is below its minimum.
public let NSValidationNumberTooSmallError = 1620
/// A date is after its maximum.
public let NSValidationDateTooLateError = 1630
/// A date is before its minimum.
public let NSValidationDateTooSoonError = 1640
/// A date is invalid.
public let NSValidationInvalidDateError = 1650
/// A string is longer than allowed.
public let NSValidationStringTooLongError = 1660
/// A string is shorter than allowed.
public let NSValidationStringTooShortError = 1670
/// A string does not match its pattern.
public let NSValidationStringPatternMatchingError = 1680
/// A URI is invalid.
public let NSValidationInvalidURIError = 1690
/// A context could not be locked.
public let NSManagedObjectContextLockingError = 132000
/// A coordinator could not be locked.
public let NSPersistentStoreCoordinatorLockingError = 132010
/// An object's row is gone.
public let NSManagedObjectReferentialIntegrityError = 133000
/// A relationship joins objects of two stores.
public let NSManagedObjectExternalRelationshipError = 133010
/// A row changed behind the context's back.
public let NSManagedObjectMergeError = 133020
/// Two objects have the same values in a uniqueness constraint.
public let NSManagedObjectConstraintMergeError = 133021
/// No store has this type.
public let NSPersistentStoreInvalidTypeError = 134000
/// A store has another type than expected.
public let NSPersistentStoreTypeMismatchError = 134010
/// A store could not be opened with this schema.
public let NSPersistentStoreIncompatibleSchemaError = 134020
/// A save failed.
public let NSPersistentStoreSaveError = 134030
/// Some stores took a save and others did not.
public let NSPersistentStoreIncompleteSaveError = 134040
/// A save met rows that changed meanwhile.
public let NSPersistentStoreSaveConflictsError = 134050
/// Something unspecific went wrong.
public let NSCoreDataError = 134060
/// An operation on a store failed.
public let NSPersistentStoreOperationError = 134070
/// A store could not be opened.
public let NSPersistentStoreOpenError = 134080
/// A store could not be reached in time.
public let NSPersistentStoreTimeoutError = 134090
/// A store cannot carry out this kind of request.
public let NSPersistentStoreUnsupportedRequestTypeError = 134091
/// A store was made with another version of the model.
public let NSPersistentStoreIncompatibleVersionHashError = 134100
/// A migration failed.
public let NSMigrationError = 134110
/// The model that made a store is not at hand.
public let NSMigrationMissingSourceModelError = 134130
/// No mapping leads from a store's model to the app's.
public let NSMigrationMissingMappingModelError = 134140
/// SQLite reported an error.
public let NSSQLiteError = 134180
/// No mapping could be inferred.
public let NSInferredMappingModelError = 134190
/// A record outside of a store could not be imported. Nothing here throws it: stores have no such records.
public let NSExternalRecordImportError = 134200
