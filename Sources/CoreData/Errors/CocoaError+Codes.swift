import FoundationGaps

extension CocoaError.Code {
    /// An object failed its validation.
    ///
    /// The number is 1550. See ``NSManagedObjectValidationError``.
    public static var managedObjectValidation: CocoaError.Code { CocoaError.Code(rawValue: 1550) }
    /// Several things are wrong; each is an error under `NSDetailedErrorsKey`.
    ///
    /// The number is 1560. See ``NSValidationMultipleErrorsError``.
    public static var validationMultipleErrors: CocoaError.Code { CocoaError.Code(rawValue: 1560) }
    /// A required property has no value.
    ///
    /// The number is 1570. See ``NSValidationMissingMandatoryPropertyError``.
    public static var validationMissingMandatoryProperty: CocoaError.Code { CocoaError.Code(rawValue: 1570) }
    /// A to-many relationship has too few members.
    ///
    /// The number is 1580. See ``NSValidationRelationshipLacksMinimumCountError``.
    public static var validationRelationshipLacksMinimumCount: CocoaError.Code { CocoaError.Code(rawValue: 1580) }
    /// A to-many relationship has too many members.
    ///
    /// The number is 1590. See ``NSValidationRelationshipExceedsMaximumCountError``.
    public static var validationRelationshipExceedsMaximumCount: CocoaError.Code { CocoaError.Code(rawValue: 1590) }
    /// A delete rule forbids the deletion.
    ///
    /// The number is 1600. See ``NSValidationRelationshipDeniedDeleteError``.
    public static var validationRelationshipDeniedDelete: CocoaError.Code { CocoaError.Code(rawValue: 1600) }
    /// A number is above its maximum.
    ///
    /// The number is 1610. See ``NSValidationNumberTooLargeError``.
    public static var validationNumberTooLarge: CocoaError.Code { CocoaError.Code(rawValue: 1610) }
    /// A number is below its minimum.
    ///
    /// The number is 1620. See ``NSValidationNumberTooSmallError``.
    public static var validationNumberTooSmall: CocoaError.Code { CocoaError.Code(rawValue: 1620) }
    /// A date is after its maximum.
    ///
    /// The number is 1630. See ``NSValidationDateTooLateError``.
    public static var validationDateTooLate: CocoaError.Code { CocoaError.Code(rawValue: 1630) }
    /// A date is before its minimum.
    ///
    /// The number is 1640. See ``NSValidationDateTooSoonError``.
    public static var validationDateTooSoon: CocoaError.Code { CocoaError.Code(rawValue: 1640) }
    /// A date is invalid.
    ///
    /// The number is 1650. See ``NSValidationInvalidDateError``.
    public static var validationInvalidDate: CocoaError.Code { CocoaError.Code(rawValue: 1650) }
    /// A string is longer than allowed.
    ///
    /// The number is 1660. See ``NSValidationStringTooLongError``.
    public static var validationStringTooLong: CocoaError.Code { CocoaError.Code(rawValue: 1660) }
    /// A string is shorter than allowed.
    ///
    /// The number is 1670. See ``NSValidationStringTooShortError``.
    public static var validationStringTooShort: CocoaError.Code { CocoaError.Code(rawValue: 1670) }
    /// A string does not match its pattern.
    ///
    /// The number is 1680. See ``NSValidationStringPatternMatchingError``.
    public static var validationStringPatternMatching: CocoaError.Code { CocoaError.Code(rawValue: 1680) }
    /// A context could not be locked.
    ///
    /// The number is 132000. See ``NSManagedObjectContextLockingError``.
    public static var managedObjectContextLocking: CocoaError.Code { CocoaError.Code(rawValue: 132000) }
    /// A coordinator could not be locked.
    ///
    /// The number is 132010. See ``NSPersistentStoreCoordinatorLockingError``.
    public static var persistentStoreCoordinatorLocking: CocoaError.Code { CocoaError.Code(rawValue: 132010) }
    /// An object's row is gone.
    ///
    /// The number is 133000. See ``NSManagedObjectReferentialIntegrityError``.
    public static var managedObjectReferentialIntegrity: CocoaError.Code { CocoaError.Code(rawValue: 133000) }
    /// A relationship joins objects of two stores.
    ///
    /// The number is 133010. See ``NSManagedObjectExternalRelationshipError``.
    public static var managedObjectExternalRelationship: CocoaError.Code { CocoaError.Code(rawValue: 133010) }
    /// A row changed behind the context's back.
    ///
    /// The number is 133020. See ``NSManagedObjectMergeError``.
    public static var managedObjectMerge: CocoaError.Code { CocoaError.Code(rawValue: 133020) }
    /// Two objects have the same values in a uniqueness constraint.
    ///
    /// The number is 133021. See ``NSManagedObjectConstraintMergeError``.
    public static var managedObjectConstraintMerge: CocoaError.Code { CocoaError.Code(rawValue: 133021) }
    /// No store has this type.
    ///
    /// The number is 134000. See ``NSPersistentStoreInvalidTypeError``.
    public static var persistentStoreInvalidType: CocoaError.Code { CocoaError.Code(rawValue: 134000) }
    /// A store has another type than expected.
    ///
    /// The number is 134010. See ``NSPersistentStoreTypeMismatchError``.
    public static var persistentStoreTypeMismatch: CocoaError.Code { CocoaError.Code(rawValue: 134010) }
    /// A store could not be opened with this schema.
    ///
    /// The number is 134020. See ``NSPersistentStoreIncompatibleSchemaError``.
    public static var persistentStoreIncompatibleSchema: CocoaError.Code { CocoaError.Code(rawValue: 134020) }
    /// A save failed.
    ///
    /// The number is 134030. See ``NSPersistentStoreSaveError``.
    public static var persistentStoreSave: CocoaError.Code { CocoaError.Code(rawValue: 134030) }
    /// Some stores took a save and others did not.
    ///
    /// The number is 134040. See ``NSPersistentStoreIncompleteSaveError``.
    public static var persistentStoreIncompleteSave: CocoaError.Code { CocoaError.Code(rawValue: 134040) }
    /// A save met rows that changed meanwhile.
    ///
    /// The number is 134050. See ``NSPersistentStoreSaveConflictsError``.
    public static var persistentStoreSaveConflicts: CocoaError.Code { CocoaError.Code(rawValue: 134050) }
    /// Something unspecific went wrong.
    ///
    /// The number is 134060. See ``NSCoreDataError``.
    public static var coreData: CocoaError.Code { CocoaError.Code(rawValue: 134060) }
    /// An operation on a store failed.
    ///
    /// The number is 134070. See ``NSPersistentStoreOperationError``.
    public static var persistentStoreOperation: CocoaError.Code { CocoaError.Code(rawValue: 134070) }
    /// A store could not be opened.
    ///
    /// The number is 134080. See ``NSPersistentStoreOpenError``.
    public static var persistentStoreOpen: CocoaError.Code { CocoaError.Code(rawValue: 134080) }
    /// A store could not be reached in time.
    ///
    /// The number is 134090. See ``NSPersistentStoreTimeoutError``.
    public static var persistentStoreTimeout: CocoaError.Code { CocoaError.Code(rawValue: 134090) }
    /// A store cannot carry out this kind of request.
    ///
    /// The number is 134091. See ``NSPersistentStoreUnsupportedRequestTypeError``.
    public static var persistentStoreUnsupportedRequestType: CocoaError.Code { CocoaError.Code(rawValue: 134091) }
    /// A store was made with another version of the model.
    ///
    /// The number is 134100. See ``NSPersistentStoreIncompatibleVersionHashError``.
    public static var persistentStoreIncompatibleVersionHash: CocoaError.Code { CocoaError.Code(rawValue: 134100) }
    /// A migration failed.
    ///
    /// The number is 134110. See ``NSMigrationError``.
    public static var migration: CocoaError.Code { CocoaError.Code(rawValue: 134110) }
    /// The model that made a store is not at hand.
    ///
    /// The number is 134130. See ``NSMigrationMissingSourceModelError``.
    public static var migrationMissingSourceModel: CocoaError.Code { CocoaError.Code(rawValue: 134130) }
    /// No mapping leads from a store's model to the app's.
    ///
    /// The number is 134140. See ``NSMigrationMissingMappingModelError``.
    public static var migrationMissingMappingModel: CocoaError.Code { CocoaError.Code(rawValue: 134140) }
    /// SQLite reported an error.
    ///
    /// The number is 134180. See ``NSSQLiteError``.
    public static var sqlite: CocoaError.Code { CocoaError.Code(rawValue: 134180) }
    /// No mapping could be inferred.
    ///
    /// The number is 134190. See ``NSInferredMappingModelError``.
    public static var inferredMappingModel: CocoaError.Code { CocoaError.Code(rawValue: 134190) }
    /// A record outside of a store could not be imported.
    ///
    /// The number is 134200. See ``NSExternalRecordImportError``.
    public static var externalRecordImport: CocoaError.Code { CocoaError.Code(rawValue: 134200) }
}

extension CocoaError {
    /// An object failed its validation.
    ///
    /// The code, for `catch CocoaError.managedObjectValidation`.
    public static var managedObjectValidation: CocoaError.Code { .managedObjectValidation }
    /// Several things are wrong; each is an error under `NSDetailedErrorsKey`.
    ///
    /// The code, for `catch CocoaError.validationMultipleErrors`.
    public static var validationMultipleErrors: CocoaError.Code { .validationMultipleErrors }
    /// A required property has no value.
    ///
    /// The code, for `catch CocoaError.validationMissingMandatoryProperty`.
    public static var validationMissingMandatoryProperty: CocoaError.Code { .validationMissingMandatoryProperty }
    /// A to-many relationship has too few members.
    ///
    /// The code, for `catch CocoaError.validationRelationshipLacksMinimumCount`.
    public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
        .validationRelationshipLacksMinimumCount
    }
    /// A to-many relationship has too many members.
    ///
    /// The code, for `catch CocoaError.validationRelationshipExceedsMaximumCount`.
    public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
        .validationRelationshipExceedsMaximumCount
    }
    /// A delete rule forbids the deletion.
    ///
    /// The code, for `catch CocoaError.validationRelationshipDeniedDelete`.
    public static var validationRelationshipDeniedDelete: CocoaError.Code { .validationRelationshipDeniedDelete }
    /// A number is above its maximum.
    ///
    /// The code, for `catch CocoaError.validationNumberTooLarge`.
    public static var validationNumberTooLarge: CocoaError.Code { .validationNumberTooLarge }
    /// A number is below its minimum.
    ///
    /// The code, for `catch CocoaError.validationNumberTooSmall`.
    public static var validationNumberTooSmall: CocoaError.Code { .validationNumberTooSmall }
    /// A date is after its maximum.
    ///
    /// The code, for `catch CocoaError.validationDateTooLate`.
    public static var validationDateTooLate: CocoaError.Code { .validationDateTooLate }
    /// A date is before its minimum.
    ///
    /// The code, for `catch CocoaError.validationDateTooSoon`.
    public static var validationDateTooSoon: CocoaError.Code { .validationDateTooSoon }
    /// A date is invalid.
    ///
    /// The code, for `catch CocoaError.validationInvalidDate`.
    public static var validationInvalidDate: CocoaError.Code { .validationInvalidDate }
    /// A string is longer than allowed.
    ///
    /// The code, for `catch CocoaError.validationStringTooLong`.
    public static var validationStringTooLong: CocoaError.Code { .validationStringTooLong }
    /// A string is shorter than allowed.
    ///
    /// The code, for `catch CocoaError.validationStringTooShort`.
    public static var validationStringTooShort: CocoaError.Code { .validationStringTooShort }
    /// A string does not match its pattern.
    ///
    /// The code, for `catch CocoaError.validationStringPatternMatching`.
    public static var validationStringPatternMatching: CocoaError.Code { .validationStringPatternMatching }
    /// A context could not be locked.
    ///
    /// The code, for `catch CocoaError.managedObjectContextLocking`.
    public static var managedObjectContextLocking: CocoaError.Code { .managedObjectContextLocking }
    /// A coordinator could not be locked.
    ///
    /// The code, for `catch CocoaError.persistentStoreCoordinatorLocking`.
    public static var persistentStoreCoordinatorLocking: CocoaError.Code { .persistentStoreCoordinatorLocking }
    /// An object's row is gone.
    ///
    /// The code, for `catch CocoaError.managedObjectReferentialIntegrity`.
    public static var managedObjectReferentialIntegrity: CocoaError.Code { .managedObjectReferentialIntegrity }
    /// A relationship joins objects of two stores.
    ///
    /// The code, for `catch CocoaError.managedObjectExternalRelationship`.
    public static var managedObjectExternalRelationship: CocoaError.Code { .managedObjectExternalRelationship }
    /// A row changed behind the context's back.
    ///
    /// The code, for `catch CocoaError.managedObjectMerge`.
    public static var managedObjectMerge: CocoaError.Code { .managedObjectMerge }
    /// Two objects have the same values in a uniqueness constraint.
    ///
    /// The code, for `catch CocoaError.managedObjectConstraintMerge`.
    public static var managedObjectConstraintMerge: CocoaError.Code { .managedObjectConstraintMerge }
    /// No store has this type.
    ///
    /// The code, for `catch CocoaError.persistentStoreInvalidType`.
    public static var persistentStoreInvalidType: CocoaError.Code { .persistentStoreInvalidType }
    /// A store has another type than expected.
    ///
    /// The code, for `catch CocoaError.persistentStoreTypeMismatch`.
    public static var persistentStoreTypeMismatch: CocoaError.Code { .persistentStoreTypeMismatch }
    /// A store could not be opened with this schema.
    ///
    /// The code, for `catch CocoaError.persistentStoreIncompatibleSchema`.
    public static var persistentStoreIncompatibleSchema: CocoaError.Code { .persistentStoreIncompatibleSchema }
    /// A save failed.
    ///
    /// The code, for `catch CocoaError.persistentStoreSave`.
    public static var persistentStoreSave: CocoaError.Code { .persistentStoreSave }
    /// Some stores took a save and others did not.
    ///
    /// The code, for `catch CocoaError.persistentStoreIncompleteSave`.
    public static var persistentStoreIncompleteSave: CocoaError.Code { .persistentStoreIncompleteSave }
    /// A save met rows that changed meanwhile.
    ///
    /// The code, for `catch CocoaError.persistentStoreSaveConflicts`.
    public static var persistentStoreSaveConflicts: CocoaError.Code { .persistentStoreSaveConflicts }
    /// Something unspecific went wrong.
    ///
    /// The code, for `catch CocoaError.coreData`.
    public static var coreData: CocoaError.Code { .coreData }
    /// An operation on a store failed.
    ///
    /// The code, for `catch CocoaError.persistentStoreOperation`.
    public static var persistentStoreOperation: CocoaError.Code { .persistentStoreOperation }
    /// A store could not be opened.
    ///
    /// The code, for `catch CocoaError.persistentStoreOpen`.
    public static var persistentStoreOpen: CocoaError.Code { .persistentStoreOpen }
    /// A store could not be reached in time.
    ///
    /// The code, for `catch CocoaError.persistentStoreTimeout`.
    public static var persistentStoreTimeout: CocoaError.Code { .persistentStoreTimeout }
    /// A store cannot carry out this kind of request.
    ///
    /// The code, for `catch CocoaError.persistentStoreUnsupportedRequestType`.
    public static var persistentStoreUnsupportedRequestType: CocoaError.Code { .persistentStoreUnsupportedRequestType }
    /// A store was made with another version of the model.
    ///
    /// The code, for `catch CocoaError.persistentStoreIncompatibleVersionHash`.
    public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
        .persistentStoreIncompatibleVersionHash
    }
    /// A migration failed.
    ///
    /// The code, for `catch CocoaError.migration`.
    public static var migration: CocoaError.Code { .migration }
    /// The model that made a store is not at hand.
    ///
    /// The code, for `catch CocoaError.migrationMissingSourceModel`.
    public static var migrationMissingSourceModel: CocoaError.Code { .migrationMissingSourceModel }
    /// No mapping leads from a store's model to the app's.
    ///
    /// The code, for `catch CocoaError.migrationMissingMappingModel`.
    public static var migrationMissingMappingModel: CocoaError.Code { .migrationMissingMappingModel }
    /// SQLite reported an error.
    ///
    /// The code, for `catch CocoaError.sqlite`.
    public static var sqlite: CocoaError.Code { .sqlite }
    /// No mapping could be inferred.
    ///
    /// The code, for `catch CocoaError.inferredMappingModel`.
    public static var inferredMappingModel: CocoaError.Code { .inferredMappingModel }
    /// A record outside of a store could not be imported.
    ///
    /// The code, for `catch CocoaError.externalRecordImport`.
    public static var externalRecordImport: CocoaError.Code { .externalRecordImport }
}
