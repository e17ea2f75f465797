import FoundationGaps

// Codes that a migration reports. They stand here because apps list them beside the others.

extension CocoaError.Code {
    /// A migration was cancelled.
    ///
    /// The number is 134120. See ``NSMigrationCancelledError``.
    public static var migrationCancelled: CocoaError.Code { CocoaError.Code(rawValue: 134120) }
    /// The store to migrate could not be read.
    ///
    /// The number is 134150. See ``NSMigrationManagerSourceStoreError``.
    public static var migrationManagerSourceStore: CocoaError.Code { CocoaError.Code(rawValue: 134150) }
    /// The store to migrate to could not be written.
    ///
    /// The number is 134160. See ``NSMigrationManagerDestinationStoreError``.
    public static var migrationManagerDestinationStore: CocoaError.Code { CocoaError.Code(rawValue: 134160) }
    /// A migration policy failed.
    ///
    /// The number is 134170. See ``NSEntityMigrationPolicyError``.
    public static var entityMigrationPolicy: CocoaError.Code { CocoaError.Code(rawValue: 134170) }
}

extension CocoaError {
    /// A migration was cancelled.
    ///
    /// The code, for `catch CocoaError.migrationCancelled`.
    public static var migrationCancelled: CocoaError.Code { .migrationCancelled }
    /// The store to migrate could not be read.
    ///
    /// The code, for `catch CocoaError.migrationManagerSourceStore`.
    public static var migrationManagerSourceStore: CocoaError.Code { .migrationManagerSourceStore }
    /// The store to migrate to could not be written.
    ///
    /// The code, for `catch CocoaError.migrationManagerDestinationStore`.
    public static var migrationManagerDestinationStore: CocoaError.Code { .migrationManagerDestinationStore }
    /// A migration policy failed.
    ///
    /// The code, for `catch CocoaError.entityMigrationPolicy`.
    public static var entityMigrationPolicy: CocoaError.Code { .entityMigrationPolicy }
}

/// 134111: rows violate a uniqueness constraint that the new model has. The store is as it was.
///
/// The reason names table and columns. Remove the duplicates with the old version of the model, or migrate with a
/// mapping model.
public let NSMigrationConstraintViolationError = 134111
/// 134120: a migration was cancelled.
///
/// It is for an app's own use: `migrateStore` throws the error that `cancelMigrationWithError(_:)` was given.
public let NSMigrationCancelledError = 134120
/// 134150: the store to migrate could not be opened or read.
///
/// The reason is under `NSUnderlyingErrorKey`.
public let NSMigrationManagerSourceStoreError = 134150
/// 134160: the store to migrate to could not be made or written, or there is one already.
///
/// The reason is under `NSUnderlyingErrorKey`. The source is as it was.
public let NSMigrationManagerDestinationStoreError = 134160
/// 134170: a migration policy or an expression failed, or the program does not have the policy's class.
///
/// The description names the mapping. What the policy has thrown is under `NSUnderlyingErrorKey`.
public let NSEntityMigrationPolicyError = 134170
/// 134301: the history before a token was deleted. There is no persistent history yet, so nothing throws it.
public let NSPersistentHistoryTokenExpiredError = 134301
/// 134505: a staged migration was begun by another version of the framework.
///
/// Nothing here throws it: checksums of all versions are computed alike.
public let NSStagedMigrationFrameworkVersionMismatchError = 134505
/// 134506: a staged migration would lead back to an older model.
///
/// The stages list the wanted version before the store's.
public let NSStagedMigrationBackwardMigrationError = 134506
