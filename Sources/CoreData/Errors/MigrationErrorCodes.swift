import FoundationGaps

// Codes that a migration reports. They stand here because apps list them beside the others.

extension CocoaError.Code {
    /// A migration was cancelled.
    public static var migrationCancelled: CocoaError.Code { CocoaError.Code(rawValue: 134120) }
    /// The store to migrate could not be read.
    public static var migrationManagerSourceStore: CocoaError.Code { CocoaError.Code(rawValue: 134150) }
    /// The store to migrate to could not be written.
    public static var migrationManagerDestinationStore: CocoaError.Code { CocoaError.Code(rawValue: 134160) }
    /// A migration policy failed.
    public static var entityMigrationPolicy: CocoaError.Code { CocoaError.Code(rawValue: 134170) }
}

extension CocoaError {
    /// A migration was cancelled.
    public static var migrationCancelled: CocoaError.Code { .migrationCancelled }
    /// The store to migrate could not be read.
    public static var migrationManagerSourceStore: CocoaError.Code { .migrationManagerSourceStore }
    /// The store to migrate to could not be written.
    public static var migrationManagerDestinationStore: CocoaError.Code { .migrationManagerDestinationStore }
    /// A migration policy failed.
    public static var entityMigrationPolicy: CocoaError.Code { .entityMigrationPolicy }
}

/// Migrated rows violate a uniqueness constraint of the new model.
public let NSMigrationConstraintViolationError = 134111
/// A migration was cancelled.
public let NSMigrationCancelledError = 134120
/// The store to migrate could not be read.
public let NSMigrationManagerSourceStoreError = 134150
/// The store to migrate to could not be written.
public let NSMigrationManagerDestinationStoreError = 134160
/// A migration policy failed.
public let NSEntityMigrationPolicyError = 134170
/// The history before a token was deleted.
public let NSPersistentHistoryTokenExpiredError = 134301
/// A staged migration was begun by another version of the framework.
public let NSStagedMigrationFrameworkVersionMismatchError = 134505
/// A staged migration would lead back to an older model.
public let NSStagedMigrationBackwardMigrationError = 134506
