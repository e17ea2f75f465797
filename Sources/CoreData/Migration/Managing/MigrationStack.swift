import FoundationGaps

/// One side of a migration: a coordinator with one store, and a context.
final class MigrationStack {
    let coordinator: NSPersistentStoreCoordinator
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    /// The first error that a fault of the context ran into.
    private(set) var failure: (any Error)?

    init(_ model: NSManagedObjectModel) {
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        context.persistentStoreCoordinator = coordinator
        context.undoManager = nil
        context.skipsValidation = true
        context.unreadableFaultHandler = { [unowned self] in failure = failure ?? $0 }
    }

    /// Whether the store takes many saves as well as one: others are written anew as a whole with each.
    var savesInBatches: Bool { coordinator.persistentStores.allSatisfy { $0 is any LoadingStore } }

    /// The stores that are filled before they have indexes.
    var loadingStores: [any LoadingStore] { coordinator.persistentStores.compactMap { $0 as? any LoadingStore } }

    var layouts: ModelLayout { coordinator.layouts }

    /// Whether the store has objects of an entity.
    func holds(_ layout: EntityLayout) -> Bool {
        coordinator.persistentStores.contains { coordinator.holds($0, layout) }
    }

    func rootNumber(of reference: ObjectReference) -> Int32 { layouts.rootNumber(of: reference.entity) }

    /// Closes the store.
    func close() throws {
        context.reset()
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }
}
