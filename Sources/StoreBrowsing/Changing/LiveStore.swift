import CoreData
import Foundation

/// A store that is open beside the programs that use it, and a context on it.
package final class LiveStore {
    package let context: NSManagedObjectContext
    package let coordinator: NSPersistentStoreCoordinator

    /// Where a store is, and what has to be known to open it.
    package struct Place {
        package var store: StorePlace
        package let metadata: [String: Any]
        package let model: NSManagedObjectModel
        package let hasHistory: Bool

        /// The entity of that name.
        package func entity(named name: String) throws -> NSEntityDescription {
            if let entity = model.entitiesByName[name] { return entity }
            let names = model.entitiesByName.keys.sorted { $0.precedesByCodePoint($1) }
            throw ToolFailure(.invalidQuery, "The store's model has no entity \(name); it has \(list: names).")
        }

        package init(
            store: StorePlace, metadata: [String: Any], model: NSManagedObjectModel, hasHistory: Bool
        ) {
            (self.store, self.metadata, self.model, self.hasHistory) = (store, metadata, model, hasHistory)
        }

        /// The place of a store that was looked at.
        ///
        /// - Throws: ``ToolFailure`` for a store without a model, and for one that is read as a whole.
        package init(_ opened: OpenedStore) throws {
            let place = opened.place
            if [.xml, .binary].contains(place.type) {
                throw ToolFailure(
                    .other,
                    """
                    \(place.name) is \(place.kindTitle), which is read as a whole and not changed in place. \
                    `coredata copy` makes an SQLite file of it, and back.
                    """)
            }
            _ = try opened.requiredModel()
            self.init(
                store: place, metadata: opened.metadata, model: try opened.readingDescriptions(),
                hasHistory: try opened.hasHistory())
        }
    }

    /// What a store is opened for.
    package enum Use {
        /// To change it. A store with history records what is changed, with the author "coredata".
        case changing
        /// To change it, and to hear what others change in it.
        case editing
        /// To hear what others change in it.
        case watching
        /// To read it beside other programs.
        case reading
    }

    /// - Throws: ``ToolFailure``.
    package init(_ place: Place, for use: Use) throws {
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
        case .changing: history(place)
        case .editing:
            history(place).merging([
                NSPersistentStoreRemoteChangeNotificationPostOptionKey: NSNumber(value: true)
            ]) { $1 }
        case .reading: [NSReadOnlyPersistentStoreOption: NSNumber(value: true)]
        case .watching:
            [
                NSReadOnlyPersistentStoreOption: NSNumber(value: true),
                NSPersistentStoreRemoteChangeNotificationPostOptionKey: NSNumber(value: true),
            ]
        }
    }

    private static func history(_ place: Place) -> [AnyHashable: Any] {
        place.hasHistory ? [NSPersistentHistoryTrackingKey: NSNumber(value: true)] : [:]
    }

    /// Works with the context on its queue. A key, a value or a predicate that does not fit is the query's fault.
    package func perform<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        do {
            return try context.performAndWait { try body(context) }
        } catch let failure as ToolFailure {
            throw failure
        } catch {
            let queryFaults = [
                NSPersistentStoreUnsupportedRequestTypeError, NSPersistentStoreOperationError,
                NSManagedObjectValidationError,
            ]
            let isQueryFault = queryFaults.contains((error as NSError).code)
            throw isQueryFault ? ToolFailure(error, code: .invalidQuery) : OpenedStore.failure(error)
        }
    }

    /// Copies the store.
    ///
    /// - Parameters:
    ///   - archive: The model that the copy is to have in it; nil: the one with which the store is open.
    ///   - told: Called after each page.
    @discardableResult
    package func copy(
        to place: StorePlace, type: NSPersistentStore.StoreType, archive: Data? = nil,
        told: @escaping (StoreCopyProgress) -> Void = { _ in }
    ) throws -> StoreCopyReport {
        guard let store = coordinator.persistentStores.first else { defect("The store is closed.") }
        return try coordinator.copyStore(store, to: place.url, type: type.rawValue, archive: archive, told: told)
    }

    /// Closes the store, so that no log stays beside it.
    package func close() throws {
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }
}
