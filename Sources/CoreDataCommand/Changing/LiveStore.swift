import CoreData
import Foundation
import StoreBrowsing

/// A store that is open beside the programs that use it, and a context on it.
final class LiveStore {
    let context: NSManagedObjectContext
    let coordinator: NSPersistentStoreCoordinator

    /// Where a store is, and what has to be known to open it.
    struct Place {
        var store: StorePlace
        let metadata: [String: Any]
        let model: NSManagedObjectModel
        let hasHistory: Bool

        /// The entity of that name.
        func entity(named name: String) throws -> NSEntityDescription {
            if let entity = model.entitiesByName[name] { return entity }
            let names = model.entitiesByName.keys.sorted { $0.precedesByCodePoint($1) }
            throw CommandFailure(.invalidQuery, "The store's model has no entity \(name); it has \(list: names).")
        }

    }

    /// What a store is opened for.
    enum Use {
        /// To change it. A store with history records what is changed, with the author "coredata".
        case changing
        /// To hear what others change in it.
        case watching
        /// To read it beside other programs.
        case reading
    }

    /// - Throws: ``CommandFailure``.
    init(_ place: Place, for use: Use) throws {
        RawTransformer.register()
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: place.model)
        do {
            try coordinator.addPersistentStore(
                ofType: place.store.type.rawValue,
                configurationName: place.model.configuration(ofStoreWith: place.metadata), at: place.store.url,
                options: Self.options(place, use))
        } catch {
            throw OpenedStore.failure(error)
        }
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.transactionAuthor = "coredata"
    }

    private static func options(_ place: Place, _ use: Use) -> [AnyHashable: Any] {
        switch use {
        case .changing where place.hasHistory: [NSPersistentHistoryTrackingKey: NSNumber(value: true)]
        case .changing: [:]
        case .reading: [NSReadOnlyPersistentStoreOption: NSNumber(value: true)]
        case .watching:
            [
                NSReadOnlyPersistentStoreOption: NSNumber(value: true),
                NSPersistentStoreRemoteChangeNotificationPostOptionKey: NSNumber(value: true),
            ]
        }
    }

    /// Works with the context on its queue. A key, a value or a predicate that does not fit is the query's fault.
    func perform<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        do {
            return try context.performAndWait { try body(context) }
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            let queryFaults = [
                NSPersistentStoreUnsupportedRequestTypeError, NSPersistentStoreOperationError,
                NSManagedObjectValidationError,
            ]
            let isQueryFault = queryFaults.contains((error as NSError).code)
            throw isQueryFault ? CommandFailure(error, code: .invalidQuery) : OpenedStore.failure(error)
        }
    }

    /// Copies the store.
    ///
    /// - Parameters:
    ///   - archive: The model that the copy is to have in it; nil: the one with which the store is open.
    ///   - told: Called after each page.
    @discardableResult
    func copy(
        to place: StorePlace, type: NSPersistentStore.StoreType, archive: Data? = nil,
        told: @escaping (StoreCopyProgress) -> Void = { _ in }
    ) throws -> StoreCopyReport {
        guard let store = coordinator.persistentStores.first else { defect("The store is closed.") }
        return try coordinator.copyStore(store, to: place.url, type: type.rawValue, archive: archive, told: told)
    }

    /// Closes the store, so that no log stays beside it.
    func close() throws {
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }
}
