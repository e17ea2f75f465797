extension NSPersistentStore {
    /// A kind of store.
    public struct StoreType: RawRepresentable, Hashable, Sendable {
        public typealias RawValue = String
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A store in an SQLite file.
        public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
        /// A store that is nowhere but in memory, and goes with its coordinator.
        public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
    }
}
