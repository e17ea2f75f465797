extension NSPersistentStore {
    /// A kind of store.
    ///
    /// See ``NSPersistentStoreCoordinator/addPersistentStore(type:configuration:at:options:)``.
    public struct StoreType: RawRepresentable, Hashable, Sendable {
        public typealias RawValue = String
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A store in an SQLite file: ``NSSQLiteStoreType``.
        public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
        /// A store that exists only in memory: ``NSInMemoryStoreType``.
        public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
    }
}
