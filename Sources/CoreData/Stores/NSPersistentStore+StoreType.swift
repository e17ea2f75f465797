import Foundation

extension NSPersistentStore {
    /// A kind of store, for the calls that take `type:`.
    ///
    /// ```swift
    /// let store = try coordinator.addPersistentStore(type: .inMemory, configuration: nil, at: url, options: nil)
    /// print(store.type == NSPersistentStore.StoreType.inMemory.rawValue)      // true
    /// ```
    ///
    /// The framework has four kinds; an app adds others by
    /// ``NSPersistentStoreCoordinator/registerStoreClass(_:type:)``. See <doc:Stores>.
    public struct StoreType: RawRepresentable, Hashable, Sendable {
        /// The raw value is one of the constants like ``NSSQLiteStoreType``.
        public typealias RawValue = String

        /// The name of the kind, which is also in a store's metadata under ``NSStoreTypeKey``.
        public let rawValue: String

        /// A kind from its name.
        ///
        /// A kind that there is not makes the calls throw `NSPersistentStoreInvalidTypeError` (134000).
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

        /// A store in an XML file that is in memory as a whole: ``NSXMLStoreType``.
        public static let xml = StoreType(rawValue: NSXMLStoreType)

        /// A store in a binary file that is in memory as a whole: ``NSBinaryStoreType``.
        public static let binary = StoreType(rawValue: NSBinaryStoreType)

        /// The kind of the store in a file, by the file's first bytes; nil for a file of no known kind.
        package init?(ofFileAt url: URL) {
            guard let type = StoreKinds.type(ofFileAt: url) else { return nil }
            self.init(rawValue: type)
        }
    }
}
