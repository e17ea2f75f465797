extension NSPersistentStore {
    /// A kind of store, for the calls that take `type:`.
    ///
    /// ```swift
    /// let store = try coordinator.addPersistentStore(type: .inMemory, configuration: nil, at: url, options: nil)
    /// print(store.type == NSPersistentStore.StoreType.inMemory.rawValue)      // true
    /// ```
    ///
    /// There are two kinds: files of SQLite, and memory. See
    /// ``NSPersistentStoreCoordinator/addPersistentStore(type:configuration:at:options:)``.
    public struct StoreType: RawRepresentable, Hashable, Sendable {
        /// The raw value is one of the constants like ``NSSQLiteStoreType``.
        public typealias RawValue = String

        /// The name of the kind, which is also in a store's metadata under ``NSStoreTypeKey``.
        public let rawValue: String

        /// A kind from its name.
        ///
        /// A kind other than the two makes the calls throw `NSPersistentStoreInvalidTypeError` (134000).
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A store in an SQLite file: ``NSSQLiteStoreType``.
        ///
        /// Its file has the layout that Apple's framework writes, so both can open it.
        public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)

        /// A store that exists only in memory: ``NSInMemoryStoreType``.
        ///
        /// It is gone when it is removed from its coordinator. Its fetches run as SQL too, so they find what they would
        /// find in a file.
        public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
    }
}
