import FoundationGaps

extension NSPersistentStoreCoordinator {
    /// See ``registeredStoreTypes``.
    class var registeredClasses: [String: NSValue] {
        // Foundation on Linux has no values of pointers but numbers.
        StoreKinds.classes.mapValues { NSNumber(value: UInt(bitPattern: ObjectIdentifier($0))) }
    }

    /// See ``registerStoreClass(_:forStoreType:)``.
    class func register(_ storeClass: AnyClass?, type: String) {
        require(!StoreKinds.isOwn(type), "The type \"\(type)\" is one of the framework's; choose another one.")
        guard let storeClass else { return StoreKinds.unregister(type: type) }
        guard let kind = (storeClass as? NSPersistentStore.Type)?.kind(type: type) else {
            programmerError(
                "\(storeClass) is no class of stores: make it a subclass of NSAtomicStore or NSIncrementalStore.")
        }
        StoreKinds.register(kind, type: type)
    }
}
