import FoundationGaps

// The numbers are part of the API: apps compare `(error as NSError).code` with them.

/// 1550: an object is not valid, and no other code fits.
///
/// ```swift
/// do {
///     try context.save()
/// } catch CocoaError.managedObjectValidation {
///     print("Correct the values, and save again")
/// }
/// ```
///
/// A save throws it, and so does `validateValue(_:forKey:)`, for one of these:
///
/// - A value fails a predicate that has no code of its own.
/// - A new relationship leads to an object that the save deletes. That object is under ``NSAffectedObjectsErrorKey``.
/// - The value transformer of an attribute gives no data for a value. Then `userInfo` has no object.
///
/// `userInfo` has the object, the key, the value and the predicate under ``NSValidationObjectErrorKey`` and the
/// following keys, as far as they apply. <doc:Validation> describes all codes from 1550 to 1690.
public let NSManagedObjectValidationError = 1550
/// 1551: a uniqueness constraint is violated. Nothing here throws it.
///
/// The store finds such violations during the save, and the save throws ``NSManagedObjectConstraintMergeError``
/// (133021).
public let NSManagedObjectConstraintValidationError = 1551
/// 1560: a save, or one object, has several validation errors.
///
/// ```swift
/// do {
///     try context.save()
/// } catch let error as CocoaError where error.code == .validationMultipleErrors {
///     let errors = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
///     for error in errors { print(error.localizedDescription) }
/// }
/// ```
///
/// `userInfo` has all errors under ``NSDetailedErrorsKey``, in a flat array. A single error is thrown as itself.
public let NSValidationMultipleErrorsError = 1560
/// 1570: a required attribute or to-one relationship has no value.
///
/// A save throws it, and so does `validateValue(_:forKey:)` for nil. `userInfo` has the object and the key, and no
/// value. Set the property, or make it optional in the model.
public let NSValidationMissingMandatoryPropertyError = 1570
/// 1580: a to-many relationship has fewer members than its ``NSRelationshipDescription/minCount``.
///
/// An optional relationship without members is valid. `userInfo` has the object and the key. The value is the set of
/// members.
public let NSValidationRelationshipLacksMinimumCountError = 1580
/// 1590: a to-many relationship has more members than its ``NSRelationshipDescription/maxCount``.
///
/// `userInfo` has the object and the key. The value is the set of members.
public let NSValidationRelationshipExceedsMaximumCountError = 1590
/// 1600: the delete rule deny forbids a deletion.
///
/// A save throws it, by ``NSManagedObject/validateForDelete()``, once for each such relationship. `userInfo` has the
/// deleted object and the relationship's name. After the error the object is still marked as deleted: `insert(_:)` of
/// the context brings it back (<doc:DeleteRules>).
public let NSValidationRelationshipDeniedDeleteError = 1600
/// 1610: a number is above its maximum.
///
/// The predicate of the attribute, such as `SELF <= 100`, is under ``NSValidationPredicateErrorKey``. The object, the
/// key and the value are in `userInfo`, too.
public let NSValidationNumberTooLargeError = 1610
/// 1620: a number is below its minimum.
///
/// The predicate of the attribute, such as `SELF >= 16`, is under ``NSValidationPredicateErrorKey``. The object, the
/// key and the value are in `userInfo`, too.
public let NSValidationNumberTooSmallError = 1620
/// 1630: a date is after its maximum.
///
/// `userInfo` has the object, the key, the date and the predicate with the bound.
public let NSValidationDateTooLateError = 1630
/// 1640: a date is before its minimum.
///
/// `userInfo` has the object, the key, the date and the predicate with the bound.
public let NSValidationDateTooSoonError = 1640
/// 1650: a date is invalid.
///
/// It is thrown only if the model gives this code to a predicate of an attribute. See
/// ``NSPropertyDescription/setValidationPredicates(_:withValidationWarnings:)``.
public let NSValidationInvalidDateError = 1650
/// 1660: a string is longer than its maximum.
///
/// `userInfo` has the object, the key, the string and the predicate, such as `length <= 80`.
public let NSValidationStringTooLongError = 1660
/// 1670: a string is shorter than its minimum.
///
/// `userInfo` has the object, the key, the string and the predicate, such as `length >= 1`. Nil is not too short: a
/// missing value is 1570.
public let NSValidationStringTooShortError = 1670
/// 1680: a string does not match its pattern.
///
/// The pattern is in the predicate under ``NSValidationPredicateErrorKey``: `SELF MATCHES '…'`. A pattern must match
/// the whole string.
public let NSValidationStringPatternMatchingError = 1680
/// 1690: a predicate on a URI attribute fails.
///
/// `userInfo` has the object, the key, the URL and the predicate.
public let NSValidationInvalidURIError = 1690
/// 132000: a context could not be locked. Nothing here throws it.
///
/// A context has a queue: use `perform` instead of locks.
public let NSManagedObjectContextLockingError = 132000
/// 132010: a coordinator could not be locked. Nothing here throws it.
///
/// A coordinator may be used on any thread. If its file stays locked, the error is ``NSPersistentStoreTimeoutError``.
public let NSPersistentStoreCoordinatorLockingError = 132010
/// 133000: an object's row is not in the store.
///
/// ```swift
/// do {
///     _ = try context.existingObject(with: id)
/// } catch CocoaError.managedObjectReferentialIntegrity {
///     print("Another context, or another process, has deleted it")
/// }
/// ```
///
/// ``NSManagedObjectContext/existingObject(with:)`` throws it, and `obtainPermanentIDs(for:)` and saves do not. Its
/// `userInfo` has the ID under ``NSAffectedObjectsErrorKey``. Firing a fault does not throw: see
/// ``NSManagedObjectContext/shouldDeleteInaccessibleFaults``.
public let NSManagedObjectReferentialIntegrityError = 133000
/// 133010: a relationship leads to an object of another store.
///
/// A save throws it. `userInfo` has the object and the relationship's name. Use a fetched property to reach objects of
/// other stores: ``NSFetchedPropertyDescription``.
public let NSManagedObjectExternalRelationshipError = 133010
/// 133020: a save met rows that have changed, or are gone, since the context read them.
///
/// ```swift
/// do {
///     try context.save()
/// } catch let error as CocoaError where error.code == .managedObjectMerge {
///     let conflicts = error.userInfo["conflictList"] as? [Any] ?? []
///     for case let conflict as NSMergeConflict in conflicts { print(conflict.sourceObject) }
/// }
/// ```
///
/// It is thrown with the merge policy ``NSMergePolicy/error``, the default. Nothing is written. `userInfo` has an
/// ``NSMergeConflict`` for each object under `"conflictList"`. If constraints are violated as well, that list also has
/// each ``NSConstraintConflict``. See <doc:Conflicts>.
public let NSManagedObjectMergeError = 133020
/// 133021: a save would give two objects the same values in a uniqueness constraint.
///
/// It is thrown unless the merge policy settles the conflict. `userInfo` has an ``NSConstraintConflict`` for each case
/// under `"conflictList"`. Nothing is written. See ``NSEntityDescription/uniquenessConstraints``.
public let NSManagedObjectConstraintMergeError = 133021
/// 134000: there is no store type of this name, or stores of this type have no files.
///
/// Adding a store throws it for a type other than `NSSQLiteStoreType` and `NSInMemoryStoreType`. The functions for
/// store files, such as `metadataForPersistentStore(ofType:at:)`, throw it for stores in memory.
public let NSPersistentStoreInvalidTypeError = 134000
/// 134010: a store has another type than expected. Nothing here throws it.
///
/// A file that is not SQLite's is `NSFileReadCorruptFileError` (259).
public let NSPersistentStoreTypeMismatchError = 134010
/// 134020: a store can't be made for this model.
///
/// Adding a store throws it for a derived attribute with an expression that no store can keep. It also throws it for a
/// spatial index, if the SQLite library has no R-trees. The sentence names the attribute, and the reason lists what
/// works. See ``NSDerivedAttributeDescription``.
public let NSPersistentStoreIncompatibleSchemaError = 134020
/// 134030: a store can't write something that the save or the metadata contain.
///
/// - A file lacks the entity, the table or the column of a changed property.
/// - The metadata of a store have a value that is no string, number, date, data, array or dictionary.
///
/// A full disk, a missing permission and a lock have other codes: 640, 513 and 134090.
public let NSPersistentStoreSaveError = 134030
/// 134040: some stores of a save have committed, and a later one could not.
///
/// ```swift
/// do {
///     try context.save()
/// } catch let error as CocoaError where error.code == .persistentStoreIncompleteSave {
///     print(error.affectedStores ?? [])       // they did not commit
///     try context.save()                      // writes the rest, once the cause is removed
/// }
/// ```
///
/// The committed part is saved, and the rest stays unsaved. `userInfo` has the stores that did not commit under
/// ``NSAffectedStoresErrorKey``, and the unsaved objects under ``NSAffectedObjectsErrorKey``. The stores that did
/// commit are under `"NSPersistentStoresSaved"`, and the cause under `NSUnderlyingErrorKey`. It needs several stores: a
/// save to one store is all or nothing (<doc:Stores>).
public let NSPersistentStoreIncompleteSaveError = 134040
/// 134050: a save met rows that changed meanwhile. Nothing here throws it.
///
/// Contexts throw ``NSManagedObjectMergeError`` (133020) and ``NSManagedObjectConstraintMergeError`` (133021).
public let NSPersistentStoreSaveConflictsError = 134050
/// 134060: a fetch on a coordinator without stores.
///
/// Load the container's stores, or add one, before the first fetch. `userInfo` has only the sentence.
public let NSCoreDataError = 134060
/// 134070: an operation can't be carried out as it was asked for. The sentence says which and why.
///
/// - Save: no writable store holds the entity, or the store that an object was assigned to is not attached. The object
///   is under ``NSAffectedObjectsErrorKey``.
/// - Fetch: a property in `propertiesToFetch` or a relationship to prefetch does not exist.
/// - Results controller: the request is not for objects, or the objects of a section are not neighbours.
/// - Coordinator: the store is not one of its own, or is to be replaced while it is in use.
/// - Query generations: a store has none, too many are held, or a token has ended.
public let NSPersistentStoreOperationError = 134070
/// 134080: a store could not be opened.
///
/// - The coordinator has the store at this URL already.
/// - The model has no configuration of this name.
/// - A SQLite store has no URL, or a pragma is malformed.
/// - SQLite reports an error without a code of its own while the file is opened. That error is under
///   `NSUnderlyingErrorKey`.
///
/// A file that is not a store is 259, a missing permission 257 or 513, and another model version 134100.
public let NSPersistentStoreOpenError = 134080
/// 134090: a store stayed locked by another process, or another connection, for too long.
///
/// Opening, fetching and saving can throw it. A save has written nothing: try it again. The time is set by
/// `NSPersistentStoreTimeoutOption`, 10 seconds without a description and 240 with one. `userInfo` has the file under
/// `NSFilePathErrorKey` and SQLite's error under `NSUnderlyingErrorKey`.
public let NSPersistentStoreTimeoutError = 134090
/// 134091: a store can't answer a request.
///
/// ```swift
/// do {
///     request.predicate = NSPredicate(format: "nickname == 'Magic'")      // no such key
///     _ = try context.fetch(request)
/// } catch CocoaError.persistentStoreUnsupportedRequestType {
///     print("The predicate can't be answered")
/// }
/// ```
///
/// A fetch throws it for what can't be SQL: an unknown or a transient key, a block, a function of your own, a value of
/// a class that can't be compared. Apple's framework raises an exception for some of them. Here a server survives a bad
/// query. `execute(_:)` of a context throws it for a request of an unknown class.
public let NSPersistentStoreUnsupportedRequestTypeError = 134091
/// 134100: a store was made with another version of the model.
///
/// Opening a store without ``NSMigratePersistentStoresAutomaticallyOption`` throws it, before anything is changed. The
/// reason says what differs, by the model in the store: `Book.pages: new, required, no default`. It says whether a
/// migration can be inferred, and `localizedRecoverySuggestion` says what can be done.
///
/// ```swift
/// do {
///     try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
/// } catch let error as NSError where error.code == NSPersistentStoreIncompatibleVersionHashError {
///     for difference in error.userInfo["differences"] as? [String] ?? [] { print(difference) }
/// }
/// ```
///
/// `userInfo` has these sentences under `"differences"`, those of what can't be inferred under `"obstacles"`, and
/// whether there are none under `"canInferMapping"`. It has the store's metadata under `"metadata"`, the model's hashes
/// under ``NSStoreModelVersionHashesKey``, and the file under `NSFilePathErrorKey`. A store whose model is not at hand
/// has no differences: the reason lists the entities. To check before, use
/// ``NSManagedObjectModel/isConfiguration(withName:compatibleWithStoreMetadata:)``.
public let NSPersistentStoreIncompatibleVersionHashError = 134100
/// 134110: a migration failed. The store is as it was.
///
/// The cause is under `NSUnderlyingErrorKey`. It is ``NSInferredMappingModelError`` (134190) where objects stand
/// against the migration: a value is now required, and objects have none. `userInfo` then has `"entity"` and
/// `"property"`.
public let NSMigrationError = 134110
/// 134130: a store can't be migrated, because the model that made it is not at hand.
///
/// A store keeps its model. Where it has none, as stores before iOS 9, or one that is damaged, the models of the
/// program's bundles are searched: add the old version to the program.
public let NSMigrationMissingSourceModelError = 134130
/// 134140: a store can't be migrated, because no mapping leads from its model to the app's.
///
/// ``NSInferMappingModelAutomaticallyOption`` is not set, or nothing can be inferred. Then
/// ``NSInferredMappingModelError`` (134190) with the reason is under `NSUnderlyingErrorKey`.
public let NSMigrationMissingMappingModelError = 134140
/// 134180: SQLite reported an error that has no code of its own.
///
/// Fetches and saves can throw it. `userInfo` has SQLite's code under ``NSSQLiteErrorDomain``, SQLite's error with its
/// message under `NSUnderlyingErrorKey`, and the file under `NSFilePathErrorKey`. A damaged file is 259, a full disk
/// 640, and a lock 134090.
public let NSSQLiteError = 134180
/// 134190: no mapping from one version of a model to the other can be inferred.
///
/// The reason has a sentence for each obstacle: `Book.title: String became Date, which values do not become by
/// themselves`. `userInfo` has `"entity"`, `"property"` and `"reason"` of the first one. Opening a store throws it as
/// the cause of 134140 or 134110.
public let NSInferredMappingModelError = 134190
/// 134200: a record outside of a store could not be imported. Nothing here throws it: stores have no such records.
public let NSExternalRecordImportError = 134200
