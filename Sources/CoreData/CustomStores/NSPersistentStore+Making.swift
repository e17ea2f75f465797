import FoundationGaps

extension NSPersistentStore {
    /// `init(_coreDataCoordinator:_:_:_:)` of the very class that it is called on.
    ///
    /// A metatype value can only call `required` initialisers, and requiring one would break the classes of existing
    /// apps. The convenience initialiser's allocating entry does what is wanted, so it is reached by its symbol.
    // swift-format-ignore
    @_silgen_name("$s8CoreData17NSPersistentStoreC05_coreB11Coordinator___AcA0cdF0CSg_SSSg20FoundationEssentials3URLVSDys11AnyHashableVypGSgtcfC")
    static func make(
        _ coordinator: __owned NSPersistentStoreCoordinator?, _ name: __owned String?, _ url: __owned URL,
        _ options: __owned [AnyHashable: Any]?
    ) -> NSPersistentStore
}
