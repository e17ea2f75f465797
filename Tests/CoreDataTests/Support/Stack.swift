import CoreData
import Foundation

/// A kind of store that the tests of fetching and saving can use in the place of SQLite files.
protocol TestedStore: AnyObject {
    /// - Returns: The type of the store.
    static func register() -> String

    /// The place of the store that would be a file elsewhere.
    static func place(of file: URL) -> URL

    /// Whether the store rounds dates to microseconds.
    static var roundsDates: Bool { get }
}

extension TestedStore {
    static func place(of file: URL) -> URL { file }
    static var roundsDates: Bool { false }
}

/// The type of the stores that most tests use: SQLite files, or what `COREDATA_TEST_STORE` names. That is a type, or a
/// class that registers one.
let testedStoreType: String = {
    guard let name = testedStoreName else { return NSSQLiteStoreType }
    if NSPersistentStoreCoordinator.registeredStoreTypes[name] != nil { return name }
    guard let store = testedStoreClass else { fatalError("COREDATA_TEST_STORE names no tested store: \(name)") }
    return store.register()
}()

private let testedStoreName = ProcessInfo.processInfo.environment["COREDATA_TEST_STORE"]
var testedStoreClass: (any TestedStore.Type)? {
    testedStoreName.flatMap { NSClassFromString($0) } as? any TestedStore.Type
}

extension NSPersistentStore.StoreType {
    static let tested = NSPersistentStore.StoreType(rawValue: testedStoreType)
}

/// The place of a store of the tested type; for most types the file.
func testedPlace(_ file: URL) -> URL { testedStoreClass?.place(of: file) ?? file }

/// A coordinator over one SQLite store in a folder of its own, which goes when the stack does.
final class Stack {
    let folder: URL
    let coordinator: NSPersistentStoreCoordinator

    var storeURL: URL { place("Store.sqlite") }

    init(_ model: NSManagedObjectModel) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("CoreDataTests-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: testedStoreType, configurationName: nil, at: storeURL)
    }

    /// The place of a store of the tested type; for most types a file in the folder.
    func place(_ name: String) -> URL {
        testedPlace(folder.appendingPathComponent(name))
    }

    deinit {
        for store in coordinator.persistentStores { try? coordinator.remove(store) }
        try? FileManager.default.removeItem(at: folder)
    }

    func context(
        _ type: NSManagedObjectContextConcurrencyType = .privateQueueConcurrencyType
    ) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: type)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Runs a block with a new context, on its queue.
    func work<T>(_ block: (NSManagedObjectContext) throws -> T) rethrows -> T {
        let context = context()
        return try context.performAndWait { try block(context) }
    }

    /// The ID of a new object, which a context of its own has saved.
    func saved(_ entity: String, _ values: [String: Any] = [:]) throws -> NSManagedObjectID {
        try work { context throws in
            let object = context.insert(entity, values)
            try context.save()
            return object.objectID
        }
    }

    /// The same store, seen by a coordinator that knows nothing yet.
    func reopened(_ block: (NSManagedObjectContext) throws -> Void) throws {
        let other = NSPersistentStoreCoordinator(managedObjectModel: coordinator.managedObjectModel)
        let store = try other.addPersistentStore(ofType: testedStoreType, configurationName: nil, at: storeURL)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = other
        try context.performAndWait { try block(context) }
        try other.remove(store)
    }
}

extension NSManagedObjectContext {
    func insert(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    func all(_ entity: String, _ format: String? = nil, sortedBy key: String? = nil) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = format.map { NSPredicate(format: $0) }
        request.sortDescriptors = key.map { [NSSortDescriptor(key: $0, ascending: true)] }
        return try fetch(request)
    }
}

extension NSManagedObject {
    func string(_ key: String) -> String? { value(forKey: key) as? String }

    func object(_ key: String) -> NSManagedObject? { value(forKey: key) as? NSManagedObject }

    /// Sets a relationship: to an object, or to a set of it alone.
    func relate(_ relationship: String, to other: NSManagedObject) {
        let description = entity.relationshipsByName[relationship]
        let members: Any = description?.isOrdered ?? false ? NSOrderedSet(object: other) : NSSet(object: other)
        setValue(description?.isToMany ?? false ? members : other, forKey: relationship)
    }

    /// The values of a key of a to-many relationship's members, sorted.
    func names(_ relationship: String, _ key: String = "name") -> [String] {
        let members = value(forKey: relationship)
        let objects = (members as? NSSet)?.allObjects ?? (members as? NSOrderedSet)?.array ?? []
        return objects.compactMap { ($0 as? NSManagedObject)?.string(key) }.sorted()
    }
}

/// The error of a block that must throw.
func thrown(_ block: () throws -> Void) -> NSError? {
    do {
        try block()
        return nil
    } catch {
        return error as NSError
    }
}

extension UndoManager {
    /// Runs a block within a group.
    func group<T>(_ body: () throws -> T) rethrows -> T {
        beginUndoGrouping()
        defer { endUndoGrouping() }
        return try body()
    }
}
