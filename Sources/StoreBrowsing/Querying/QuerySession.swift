import CoreData
import Foundation
import ModelDocument

/// A context over a store opened as evidence, with its model or what can be inferred of it.
package final class QuerySession {
    package let model: NSManagedObjectModel
    package let context: NSManagedObjectContext
    /// The first error in the work that is under way that kept a fault from being loaded.
    private var unreadable: (any Error)?

    /// - Throws: ``ToolFailure``.
    package init(_ store: OpenedStore) throws {
        model = try store.readingDescriptions()
        RawTransformer.register()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        do {
            let isSQLite = store.place.isSQLite
            try coordinator.addPersistentStore(
                ofType: store.place.type.rawValue,
                configurationName: isSQLite ? nil : model.configuration(ofStoreWith: store.metadata),
                at: store.place.url, options: isSQLite ? Self.evidence : Self.readOnly(store.place))
        } catch {
            throw OpenedStore.failure(error)
        }
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.unreadableFaultHandler = { [unowned self] error in if unreadable == nil { unreadable = error } }
    }

    /// Reads beside the programs that change a store: each reading sees what is saved by then.
    ///
    /// - Parameter context: The context to read in; without one the session gets one of its own.
    package init(_ store: LiveStore, in context: NSManagedObjectContext? = nil) {
        model = store.coordinator.managedObjectModel
        self.context = context ?? NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        if context == nil { self.context.persistentStoreCoordinator = store.coordinator }
        self.context.stalenessInterval = 0
        self.context.unreadableFaultHandler = { [unowned self] error in if unreadable == nil { unreadable = error } }
    }

    private static var evidence: [AnyHashable: Any] {
        [SQLiteEvidenceOption: NSNumber(value: true), SQLiteAnyModelOption: NSNumber(value: true)]
    }

    /// A file that is read as a whole is read with any model that is given, as an SQLite file is.
    private static func readOnly(_ place: StorePlace) -> [AnyHashable: Any] {
        var options: [AnyHashable: Any] = [NSReadOnlyPersistentStoreOption: NSNumber(value: true)]
        if case .file = place { options[NSIgnorePersistentStoreVersioningOption] = NSNumber(value: true) }
        return options
    }

    /// The store that is read.
    package var objects: (any ObjectStore)? {
        context.persistentStoreCoordinator?.persistentStores.first as? any ObjectStore
    }

    /// Whether the store has recorded changes.
    package var hasHistory: Bool { (objects as? any HistoryStore)?.hasHistory ?? false }

    /// The number of objects of exactly an entity.
    package func count(of entity: String) throws -> Int {
        let request = NSFetchRequest<NSManagedObject>(entityName: try self.entity(named: entity).name ?? entity)
        request.includesSubentities = false
        return try perform { try $0.count(for: request) }
    }

    /// The entity of that name.
    package func entity(named name: String) throws -> NSEntityDescription {
        guard let entity = model.entitiesByName[name] else {
            let names = model.entitiesByName.keys.sorted { $0.precedesByCodePoint($1) }
            throw ToolFailure(
                .invalidQuery, "The store's model has no entity \(name); it has \(list: names).")
        }
        return entity
    }

    /// Reads a predicate.
    package static func predicate(_ text: String) throws -> NSPredicate {
        do {
            return try NSPredicate.parse(text)
        } catch {
            throw ToolFailure(.invalidQuery, "\(whole: "\(error)")")
        }
    }

    /// The primary keys of the objects of exactly this entity that a predicate is true for.
    package func keys(of entity: String, where predicate: String) throws -> Set<Int64> {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: try self.entity(named: entity).name ?? entity)
        request.predicate = try Self.predicate(predicate)
        request.resultType = .managedObjectIDResultType
        request.includesSubentities = false
        return try perform { context in
            Set(try context.fetch(request).compactMap { Int64($0.uriRepresentation().lastPathComponent.dropFirst()) })
        }
    }

    /// Works with the context on its queue. What the store can't answer is the query's fault.
    package func perform<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        do {
            let result = try context.performAndWait { try body(context) }
            if let unreadable {
                self.unreadable = nil
                throw unreadable
            }
            return result
        } catch let failure as ToolFailure {
            throw failure
        } catch {
            let isUnanswerable = (error as NSError).code == NSPersistentStoreUnsupportedRequestTypeError
            throw isUnanswerable ? ToolFailure(error, code: .invalidQuery) : OpenedStore.failure(error)
        }
    }
}

/// Stands in for an app's transformers: the data as it is stored.
package final class RawTransformer: ValueTransformer {
    package static let name = "StoreBrowsing.RawTransformer"

    package override func transformedValue(_ value: Any?) -> Any? { value }
    package override func reverseTransformedValue(_ value: Any?) -> Any? { value }
    package override class func allowsReverseTransformation() -> Bool { true }

    package static func register() {
        ValueTransformer.setValueTransformer(RawTransformer(), forName: NSValueTransformerName(name))
    }
}
