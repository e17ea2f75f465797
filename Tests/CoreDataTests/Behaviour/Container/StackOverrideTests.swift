import CoreData
import Foundation
import Testing

@Suite("What subclasses of containers, coordinators, controllers and requests override is called")
struct StackOverrideTests {
    let stack: Stack

    init() throws { stack = try Stack(LeagueModel.make()) }

    @Test("a container: its contexts, coordinator, model, name and descriptions")
    func container() async throws {
        let mock = MockContainer(name: "League", managedObjectModel: LeagueModel.make())
        mock.stack = stack
        let container: NSPersistentContainer = mock
        #expect(container.name == "Mock" && container.managedObjectModel === stack.coordinator.managedObjectModel)
        #expect(container.persistentStoreCoordinator === stack.coordinator)
        #expect(container.viewContext.name == "mock view")
        #expect(container.newBackgroundContext().name == "mock background")
        // The framework itself asks for the coordinator, for background contexts and for the descriptions.
        #expect(container.newBackgroundContext().persistentStoreCoordinator === stack.coordinator)
        let name = await container.performBackgroundTask { $0.name }
        #expect(name == "mock background")
        await withCheckedContinuation { continuation in
            container.performBackgroundTask { context in
                #expect(context.name == "mock background")
                continuation.resume()
            }
        }
        let loaded = Counter()
        container.loadPersistentStores { _, error in
            #expect(error == nil)
            loaded.count += 1
        }
        #expect(loaded.count == 1 && stack.coordinator.persistentStores.count == 2)
        for store in stack.coordinator.persistentStores.dropFirst() { try stack.coordinator.remove(store) }
    }

    @Test("a coordinator: stores, IDs, metadata and its queue")
    func coordinator() async throws {
        let mock = MockCoordinator(managedObjectModel: LeagueModel.make())
        let coordinator: NSPersistentStoreCoordinator = mock
        coordinator.name = "c"
        let url = stack.folder.appendingPathComponent("Other.sqlite")
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
        let second = NSPersistentStoreDescription(url: stack.folder.appendingPathComponent("Third.sqlite"))
        coordinator.addPersistentStore(with: second) { _, error in #expect(error == nil) }
        #expect(mock.calls.filter { $0 == "add" }.count == 2)
        #expect(coordinator.name == "c!" && coordinator.persistentStores.count == 1)
        #expect(coordinator.persistentStore(for: url) == nil && coordinator.url(for: store).path == "/mock")
        #expect(coordinator.metadata(for: store)["mock"] as? Bool == true)
        coordinator.setMetadata([:], for: store)
        #expect(!coordinator.setURL(url, for: store))
        #expect(coordinator.managedObjectID(forURIRepresentation: url) == nil)
        #expect(coordinator.managedObjectID(for: "x") == nil)
        coordinator.performAndWait {}
        #expect(coordinator.performAndWait { 3 } == 3)
        let result = await coordinator.perform { 4 }
        #expect(result == 4)
        await withCheckedContinuation { continuation in coordinator.perform { continuation.resume() } }
        try coordinator.remove(store)
        let elsewhere = stack.folder.appendingPathComponent("Elsewhere.sqlite")
        try coordinator.replacePersistentStore(at: elsewhere, withPersistentStoreFrom: url, type: .sqlite)
        try coordinator.destroyPersistentStore(at: elsewhere, type: .sqlite)
        #expect(throws: (any Error).self) {
            try coordinator.migratePersistentStore(store, to: elsewhere, type: .sqlite)
        }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let results = try coordinator.execute(NSFetchRequest<NSManagedObject>(entityName: "Team"), with: context)
        #expect(results as? [String] == ["mock"])
        #expect(
            Set(mock.calls) == [
                "add", "add type", "add description", "url", "store", "setMetadata", "setURL", "id", "id string",
                "performAndWait", "performAndWait<T>", "perform<T>", "perform", "remove", "replace", "replace type",
                "destroy", "destroy type", "migrate", "migrate type",
            ], "\(mock.calls)")
    }

    @Test("a coordinator's async perform throws what its block throws")
    func throwingBlock() async {
        await #expect(throws: CocoaError.self) {
            try await stack.coordinator.perform { throw CocoaError(.userCancelled) }
        }
    }

    @Test("a coordinator's class methods for metadata")
    func classMethods() throws {
        let type: NSPersistentStoreCoordinator.Type = MockCoordinator.self
        let metadata = try type.metadataForPersistentStore(type: .sqlite, at: stack.storeURL)
        #expect(metadata["mock"] as? Bool == true)
        #expect(throws: CocoaError.self) { try type.setMetadata([:], type: .sqlite, at: stack.storeURL) }
    }

    @Test("a results controller: objects, sections and places")
    func resultsController() throws {
        let context = stack.context()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Team")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let mock = MockController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        let team = context.insert("Team", ["name": "Celtics"])
        mock.team = team
        let controller: NSFetchedResultsController<NSManagedObject> = mock
        try controller.performFetch()
        controller.delegate = nil
        #expect(controller.fetchedObjects == [team] && controller.object(at: IndexPath(item: 9, section: 9)) === team)
        #expect(controller.indexPath(forObject: team) == IndexPath(item: 1, section: 2))
        #expect(controller.sections?.isEmpty == true && controller.sectionIndexTitles == ["M"])
        #expect(controller.sectionNameKeyPath == "mock" && controller.cacheName == "mock" && controller.delegate == nil)
        #expect(controller.fetchRequest.fetchLimit == 5 && controller.managedObjectContext === context)
        #expect(controller.section(forSectionIndexTitle: "x", at: 0) == 8)
        #expect(controller.sectionIndexTitle(forSectionName: "x") == "X!")
        let type: NSFetchedResultsController<NSManagedObject>.Type = MockController.self
        type.deleteCache(withName: "no such cache")
        #expect(Set(mock.calls) == ["performFetch", "delegate=", "delegate", "request", "context"])
    }

    @Test("init() of a results controller, which a mock overrides")
    func emptyController() {
        let mock: NSFetchedResultsController<NSManagedObject> = EmptyController()
        #expect(mock.fetchedObjects == [] && mock.cacheName == nil)
    }

    @Test("a fetch request: every property that a fetch reads, and execute()")
    func request() throws {
        for name in ["Celtics", "Lakers", "Bulls"] { _ = try stack.saved("Team", ["name": name]) }
        let request = FirstTwo()
        let found = try stack.work { context in try context.fetch(request).map { $0.string("name") } }
        #expect(found == ["Bulls", "Celtics"])
        #expect(try request.execute().isEmpty)
    }

    @Test("a store description and a merge policy")
    func others() throws {
        let description: NSPersistentStoreDescription = ReadOnlyDescription(url: stack.storeURL)
        #expect(description.isReadOnly && description.type == NSSQLiteStoreType && description.configuration == "mock")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LeagueModel.make())
        coordinator.addPersistentStore(with: description) { _, error in
            // No configuration of the model has the name that the subclass gives.
            #expect(error != nil)
        }
        let policy: NSMergePolicy = CountingPolicy(merge: .errorMergePolicyType)
        try policy.resolve(mergeConflicts: [])
        #expect(policy.mergeType == .overwriteMergePolicyType && (policy as? CountingPolicy)?.count == 1)
    }

    @Test("descriptions of models")
    func descriptions() {
        let attribute: NSAttributeDescription = LoudAttribute()
        attribute.name = "name"
        #expect(attribute.name == "NAME" && attribute.attributeType == .stringAttributeType)
        let entity: NSEntityDescription = LoudEntity()
        entity.name = "Team"
        #expect(entity.name == "TEAM" && entity.isAbstract)
    }

    @Test("conflicts")
    func conflicts() throws {
        let team = stack.context().insert("Team", ["name": "Celtics"])
        let row: NSMergeConflict = MockMergeConflict(
            source: team, newVersion: 1, oldVersion: 0, cachedSnapshot: nil, persistedSnapshot: nil)
        #expect(row.newVersionNumber == 42 && row.oldVersionNumber == 0 && row.sourceObject === team)
        let constraint: NSConstraintConflict = MockConstraintConflict()
        #expect(constraint.constraint == ["mock"])
    }

    private final class Counter: @unchecked Sendable {
        // Unchecked: one thread.
        var count = 0
    }
}

private final class MockContainer: NSPersistentContainer, @unchecked Sendable {
    // Unchecked: set before it is used.
    var stack: Stack?

    override var name: String { "Mock" }
    override var managedObjectModel: NSManagedObjectModel {
        stack?.coordinator.managedObjectModel ?? super.managedObjectModel
    }
    override var persistentStoreCoordinator: NSPersistentStoreCoordinator {
        stack?.coordinator ?? super.persistentStoreCoordinator
    }
    override var viewContext: NSManagedObjectContext {
        let context = super.newBackgroundContext()
        context.name = "mock view"
        return context
    }
    override var persistentStoreDescriptions: [NSPersistentStoreDescription] {
        get { stack.map { [NSPersistentStoreDescription(url: $0.folder.appendingPathComponent("Mock.sqlite"))] } ?? [] }
        set { super.persistentStoreDescriptions = newValue }
    }
    override func newBackgroundContext() -> NSManagedObjectContext {
        let context = super.newBackgroundContext()
        context.name = "mock background"
        return context
    }
}

private final class MockCoordinator: NSPersistentStoreCoordinator, @unchecked Sendable {
    // Unchecked: the test uses it in turn.
    var calls: [String] = []

    override var name: String? {
        get { super.name.map { $0 + "!" } }
        set { super.name = newValue }
    }
    override var persistentStores: [NSPersistentStore] { Array(super.persistentStores.prefix(1)) }
    override func addPersistentStore(
        ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        calls.append("add")
        return try super.addPersistentStore(
            ofType: storeType, configurationName: configuration, at: storeURL, options: options)
    }
    override func addPersistentStore(
        type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        calls.append("add type")
        return try super.addPersistentStore(type: type, configuration: configuration, at: storeURL, options: options)
    }
    override func addPersistentStore(
        with storeDescription: NSPersistentStoreDescription,
        completionHandler block: @escaping @Sendable (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        calls.append("add description")
        super.addPersistentStore(with: storeDescription, completionHandler: block)
    }
    override func remove(_ store: NSPersistentStore) throws {
        calls.append("remove")
        try super.remove(store)
    }
    override func persistentStore(for URL: URL) -> NSPersistentStore? {
        calls.append("store")
        return nil
    }
    override func url(for store: NSPersistentStore) -> URL {
        calls.append("url")
        return URL(fileURLWithPath: "/mock")
    }
    override func metadata(for store: NSPersistentStore) -> [String: Any] { ["mock": true] }
    override func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) { calls.append("setMetadata") }
    override func setURL(_ url: URL, for store: NSPersistentStore) -> Bool {
        calls.append("setURL")
        return false
    }
    override func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
        calls.append("id")
        return nil
    }
    override func managedObjectID(for string: String) -> NSManagedObjectID? {
        calls.append("id string")
        return nil
    }
    override func perform(_ block: @escaping @Sendable () -> Void) {
        calls.append("perform")
        super.perform(block)
    }
    override func performAndWait(_ block: () -> Void) {
        calls.append("performAndWait")
        super.performAndWait(block)
    }
    override func performAndWait<T>(_ block: () throws -> T) rethrows -> T {
        calls.append("performAndWait<T>")
        return try super.performAndWait(block)
    }
    override func perform<T>(_ block: @escaping @Sendable () throws -> T) async rethrows -> T {
        calls.append("perform<T>")
        return try await super.perform(block)
    }
    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
        ["mock"]
    }
    override func destroyPersistentStore(at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil)
        throws
    {
        calls.append("destroy")
        try super.destroyPersistentStore(at: url, ofType: storeType, options: options)
    }
    override func destroyPersistentStore(
        at url: URL, type storeType: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
    ) throws {
        calls.append("destroy type")
        try super.destroyPersistentStore(at: url, type: storeType, options: options)
    }
    override func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil, ofType storeType: String
    ) throws {
        calls.append("replace")
        try super.replacePersistentStore(
            at: destinationURL, destinationOptions: destinationOptions, withPersistentStoreFrom: sourceURL,
            sourceOptions: sourceOptions, ofType: storeType)
    }
    override func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
        type sourceType: NSPersistentStore.StoreType
    ) throws {
        calls.append("replace type")
        try super.replacePersistentStore(
            at: destinationURL, destinationOptions: destinationOptions, withPersistentStoreFrom: sourceURL,
            sourceOptions: sourceOptions, type: sourceType)
    }
    override func migratePersistentStore(
        _ store: NSPersistentStore, to URL: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
    ) throws -> NSPersistentStore {
        calls.append("migrate")
        throw CocoaError(.userCancelled)
    }
    override func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
        type storeType: NSPersistentStore.StoreType
    ) throws -> NSPersistentStore {
        calls.append("migrate type")
        return try super.migratePersistentStore(store, to: storeURL, options: options, type: storeType)
    }
    override class func metadataForPersistentStore(
        ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        ["mock": true]
    }
    override class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        throw CocoaError(.userCancelled)
    }
}

private final class MockController: NSFetchedResultsController<NSManagedObject> {
    var calls: [String] = []
    var team: NSManagedObject?

    override func performFetch() throws { calls.append("performFetch") }
    override var fetchedObjects: [NSManagedObject]? { team.map { [$0] } }
    override func object(at indexPath: IndexPath) -> NSManagedObject { team ?? super.object(at: indexPath) }
    override func indexPath(forObject object: NSManagedObject) -> IndexPath? { IndexPath(item: 1, section: 2) }
    override var sections: [any NSFetchedResultsSectionInfo]? { [] }
    override var sectionIndexTitles: [String] { ["M"] }
    override var sectionNameKeyPath: String? { "mock" }
    override var cacheName: String? { "mock" }
    override func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int { 8 }
    override func sectionIndexTitle(forSectionName sectionName: String) -> String? {
        super.sectionIndexTitle(forSectionName: sectionName).map { $0 + "!" }
    }
    override var delegate: (any NSFetchedResultsControllerDelegate)? {
        get {
            calls.append("delegate")
            return super.delegate
        }
        set {
            calls.append("delegate=")
            super.delegate = newValue
        }
    }
    override var fetchRequest: NSFetchRequest<NSManagedObject> {
        calls.append("request")
        let request = NSFetchRequest<NSManagedObject>(entityName: "Team")
        request.fetchLimit = 5
        return request
    }
    override var managedObjectContext: NSManagedObjectContext {
        calls.append("context")
        return super.managedObjectContext
    }
}

private final class EmptyController: NSFetchedResultsController<NSManagedObject> {
    override init() { super.init() }
    override var fetchedObjects: [NSManagedObject]? { [] }
}

/// The first two teams by name, whatever is set.
private final class FirstTwo: NSFetchRequest<NSManagedObject> {
    override var entityName: String? { "Team" }
    override var fetchLimit: Int {
        get { 2 }
        set {}
    }
    override var sortDescriptors: [NSSortDescriptor]? {
        get { [NSSortDescriptor(key: "name", ascending: true)] }
        set {}
    }
    override func execute() throws -> [NSManagedObject] { [] }
}

private final class ReadOnlyDescription: NSPersistentStoreDescription {
    override var isReadOnly: Bool {
        get { true }
        set {}
    }
    override var configuration: String? {
        get { "mock" }
        set {}
    }
}

private final class CountingPolicy: NSMergePolicy, @unchecked Sendable {
    // Unchecked: one thread.
    var count = 0

    override var mergeType: NSMergePolicyType { .overwriteMergePolicyType }
    override func resolve(mergeConflicts list: [Any]) throws { count += 1 }
}

private final class LoudAttribute: NSAttributeDescription {
    override var name: String {
        get { super.name.uppercased() }
        set { super.name = newValue }
    }
    override var attributeType: NSAttributeType {
        get { .stringAttributeType }
        set {}
    }
}

private final class LoudEntity: NSEntityDescription {
    override var name: String? {
        get { super.name?.uppercased() }
        set { super.name = newValue }
    }
    override var isAbstract: Bool {
        get { true }
        set {}
    }
}

private final class MockMergeConflict: NSMergeConflict {
    override var newVersionNumber: Int { 42 }
}

private final class MockConstraintConflict: NSConstraintConflict {
    override var constraint: [String] { ["mock"] }
}
