import CoreData
import Testing

@Suite("What subclasses of store descriptions, containers, conflicts, policies and transformers override is called")
struct StoreOverrideTests {
    let stack: Stack

    init() throws { stack = try Stack(LeagueModel.make()) }

    @Test("a coordinator opens a store by what a subclass of the description says")
    func opening() throws {
        let mock = MockDescription(telling: stack.storeURL)
        let description: NSPersistentStoreDescription = mock
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LeagueModel.make())
        coordinator.addPersistentStore(with: description) { told, error in
            #expect(error == nil && told === mock)
        }
        // At once: the subclass says that the store is not added in the background.
        let store = try #require(coordinator.persistentStores.first)
        #expect(store.url == stack.storeURL && store.type == NSSQLiteStoreType && store.isReadOnly)
        #expect(mock.reads == ["asynchronously", "type", "url", "options"])
        try coordinator.remove(store)
    }

    @Test("a description's options, pragmas and flags are set and read through each other's overrides")
    func options() {
        let mock = MockDescription(telling: stack.storeURL)
        let description: NSPersistentStoreDescription = mock
        #expect(description.isReadOnly && mock.reads == ["options"])
        description.isReadOnly = false
        description.setValue("off" as NSString, forPragmaNamed: "synchronous")
        #expect(
            mock.calls == ["set NSReadOnlyPersistentStoreOption", "pragma synchronous", "set NSSQLitePragmasOption"])
        #expect(description.sqlitePragmas == ["mock": 1 as NSNumber] && description.timeout == 7)
        #expect(!description.shouldMigrateStoreAutomatically && !description.shouldInferMappingModelAutomatically)
        #expect(description.copy() as AnyObject === mock && "\(description)" == "mock")
    }

    @Test("a container asks its class for the directory; loading and background tasks go to the overrides")
    func container() {
        let mock = HomeContainer(name: "League", managedObjectModel: LeagueModel.make())
        let container: NSPersistentContainer = mock
        let url = container.persistentStoreDescriptions.first?.url
        #expect(url?.path == "/home-of-tests/League.sqlite")
        container.loadPersistentStores { _, error in #expect((error as? CocoaError)?.code == .userCancelled) }
        container.performBackgroundTask { context in #expect(context.name == "task") }
        #expect(mock.calls == ["load", "task"])
    }

    @Test("a coordinator's model, and the model that a store file holds")
    func coordinator() throws {
        let coordinator: NSPersistentStoreCoordinator = ModelledCoordinator(managedObjectModel: LeagueModel.make())
        #expect(coordinator.managedObjectModel.versionIdentifiers == ["mock"])
        let type: NSPersistentStoreCoordinator.Type = ModelledCoordinator.self
        #expect(try type.cachedModelForPersistentStore(at: stack.storeURL)?.versionIdentifiers == ["mock"])
    }

    @available(*, deprecated)
    @Test("a coordinator's locking methods of old")
    func locking() {
        let mock = ModelledCoordinator(managedObjectModel: LeagueModel.make())
        let coordinator: NSPersistentStoreCoordinator = mock
        coordinator.lock()
        #expect(coordinator.tryLock())
        coordinator.unlock()
        #expect(mock.calls == ["lock", "try", "unlock"])
    }

    @Test("conflicts say what a subclass says")
    func conflicts() {
        let team = stack.context().insert("Team", ["name": "Celtics"])
        let row: NSMergeConflict = MockRowConflict(
            source: team, newVersion: 2, oldVersion: 1, cachedSnapshot: nil, persistedSnapshot: nil)
        #expect(row.sourceObject.string("name") == "Mock" && row.oldVersionNumber == 41)
        #expect(row.objectSnapshot?.keys.first == "object" && row.cachedSnapshot?.keys.first == "cached")
        #expect(row.persistedSnapshot?.keys.first == "persisted")
        let mock = MockConstraint()
        mock.team = team
        let constraint: NSConstraintConflict = mock
        #expect(constraint.constraintValues["mock"] as? Int == 1 && constraint.databaseObject === team)
        #expect(constraint.databaseSnapshot?.keys.first == "database" && constraint.conflictingObjects == [team])
        #expect(constraint.conflictingSnapshots.first?["conflicting"] as? Int == 1)
    }

    @Test("a policy's class properties")
    func policies() {
        let type: NSMergePolicy.Type = MockPolicy.self
        for policy in [
            type.error, type.mergeByPropertyStoreTrump, type.mergeByPropertyObjectTrump, type.overwrite, type.rollback,
        ] {
            #expect(policy is MockPolicy)
        }
    }

    @Test("transformers: the values of an attribute, their class, and the register of names")
    func transformers() throws {
        let name = NSValueTransformerName("StoreOverrideTests.shouting")
        ValueTransformer.setValueTransformer(ShoutingTransformer(), forName: name)
        defer { ValueTransformer.setValueTransformer(nil, forName: name) }
        let word = attribute("word", .transformableAttributeType)
        word.valueTransformerName = name.rawValue
        let stack = try Stack(CoreDataTests.model(entity("Note", [word])))
        let id = try stack.saved("Note", ["word": "hello" as NSString])
        // What is written is reversed, what is read is loud.
        try stack.reopened { context throws in
            #expect(try context.all("Note").map { $0.string("word") } == ["OLLEH"])
        }
        #expect(
            !id.isTemporaryID
                && (ShoutingTransformer.self as ValueTransformer.Type).transformedValueClass() == NSString.self)
        let type: ValueTransformer.Type = ShoutingTransformer.self
        type.setValueTransformer(nil, forName: name)
        #expect(ValueTransformer(forName: name) != nil && type.valueTransformerNames() == [NSValueTransformerName("m")])
    }

    @Test("a comparison decides as a subclass says, and is compared, hashed, copied and printed by it")
    func comparison() {
        let mock = EvenLength(
            leftExpression: NSExpression(forKeyPath: "name"), rightExpression: NSExpression(forConstantValue: "x"),
            modifier: .direct, type: .equalTo)
        let predicate: NSPredicate = mock
        #expect(predicate.evaluate(with: "four") && !predicate.evaluate(with: "three"))
        #expect(
            (["one", "four", "fifth", "eleven"] as NSArray).filtered(using: predicate) as? [String] == [
                "four", "eleven",
            ])
        #expect(predicate.isEqual("any") && predicate.hash == 7 && predicate.copy() as? String == "a copy")
        #expect((mock as NSComparisonPredicate).predicateFormat == "even" && "\(predicate)" == "an even length")
        #expect(predicate.debugDescription == "debug")
    }

    @Test("a results controller's equality and caches, and an entity's class method that inserts")
    func others() {
        let a: AnyFetchedResultsController = SameController()
        #expect(a == SameController() && a.hash == 5)
        let type: NSFetchedResultsController<NSManagedObject>.Type = SameController.self
        type.deleteCache(withName: "one")
        #expect(SameController.deleted == ["one"])
        let entities: NSEntityDescription.Type = NamingEntity.self
        let team = entities.insertNewObject(forEntityName: "Team", into: stack.context())
        #expect(team.string("name") == "named")
    }
}

private final class MockDescription: NSPersistentStoreDescription, @unchecked Sendable {
    // Unchecked: one thread.
    let file: URL
    var reads: Set<String> = []
    var calls: [String] = []

    init(telling file: URL) {
        self.file = file
        super.init()
        // Not what the store is to be opened with.
        super.type = NSInMemoryStoreType
        super.shouldAddStoreAsynchronously = true
    }

    private func read<Value>(_ name: String, _ value: Value) -> Value {
        reads.insert(name)
        return value
    }

    override var type: String {
        get { read("type", NSSQLiteStoreType) }
        set {}
    }
    override var url: URL? {
        get { read("url", file) }
        set {}
    }
    override var shouldAddStoreAsynchronously: Bool {
        get { read("asynchronously", false) }
        set {}
    }
    override var options: [String: NSObject] {
        read("options", [NSReadOnlyPersistentStoreOption: NSNumber(value: true)])
    }
    override func setOption(_ option: NSObject?, forKey key: String) { calls.append("set \(key)") }
    override var shouldMigrateStoreAutomatically: Bool {
        get { false }
        set {}
    }
    override var shouldInferMappingModelAutomatically: Bool {
        get { false }
        set {}
    }
    override var timeout: TimeInterval {
        get { 7 }
        set {}
    }
    override var sqlitePragmas: [String: NSObject] { ["mock": NSNumber(value: 1)] }
    override func setValue(_ value: NSObject?, forPragmaNamed name: String) {
        calls.append("pragma \(name)")
        super.setValue(value, forPragmaNamed: name)
    }
    override func copy(with zone: NSZone? = nil) -> Any { self }
    override var description: String { "mock" }
}

private final class HomeContainer: NSPersistentContainer, @unchecked Sendable {
    // Unchecked: one thread.
    var calls: [String] = []

    override class func defaultDirectoryURL() -> URL { URL(fileURLWithPath: "/home-of-tests", isDirectory: true) }
    override func loadPersistentStores(
        completionHandler block: @escaping @Sendable (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        calls.append("load")
        for description in persistentStoreDescriptions { block(description, CocoaError(.userCancelled)) }
    }
    override func performBackgroundTask(_ block: @escaping @Sendable (NSManagedObjectContext) -> Void) {
        calls.append("task")
        let context = newBackgroundContext()
        context.name = "task"
        context.performAndWait { block(context) }
    }
}

private final class ModelledCoordinator: NSPersistentStoreCoordinator, @unchecked Sendable {
    // Unchecked: one thread.
    var calls: [String] = []

    override func lock() { calls.append("lock") }
    override func unlock() { calls.append("unlock") }
    override func tryLock() -> Bool {
        calls.append("try")
        return true
    }
    private static func mock() -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.versionIdentifiers = ["mock"]
        return model
    }
    override var managedObjectModel: NSManagedObjectModel { Self.mock() }
    override class func cachedModelForPersistentStore(
        at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> NSManagedObjectModel? {
        mock()
    }
}

private final class MockRowConflict: NSMergeConflict {
    override var sourceObject: NSManagedObject {
        super.sourceObject.setValue("Mock", forKey: "name")
        return super.sourceObject
    }
    override var objectSnapshot: [String: Any]? { ["object": 1] }
    override var cachedSnapshot: [String: Any]? { ["cached": 1] }
    override var persistedSnapshot: [String: Any]? { ["persisted": 1] }
    override var oldVersionNumber: Int { 41 }
}

private final class MockConstraint: NSConstraintConflict {
    var team: NSManagedObject?

    override var constraintValues: [String: Any] { ["mock": 1] }
    override var databaseObject: NSManagedObject? { team }
    override var databaseSnapshot: [String: Any]? { ["database": 1] }
    override var conflictingObjects: [NSManagedObject] { team.map { [$0] } ?? [] }
    override var conflictingSnapshots: [[AnyHashable: Any]] { [["conflicting": 1]] }
}

private final class MockPolicy: NSMergePolicy, @unchecked Sendable {
    override class var error: NSMergePolicy { MockPolicy(merge: .errorMergePolicyType) }
    override class var mergeByPropertyStoreTrump: NSMergePolicy { MockPolicy(merge: .errorMergePolicyType) }
    override class var mergeByPropertyObjectTrump: NSMergePolicy { MockPolicy(merge: .errorMergePolicyType) }
    override class var overwrite: NSMergePolicy { MockPolicy(merge: .errorMergePolicyType) }
    override class var rollback: NSMergePolicy { MockPolicy(merge: .errorMergePolicyType) }
}

/// Writes a word backwards, and reads it in capitals.
private final class ShoutingTransformer: NSSecureUnarchiveFromDataTransformer {
    override class func transformedValueClass() -> AnyClass { NSString.self }
    override func transformedValue(_ value: Any?) -> Any? {
        (super.transformedValue(value) as? String).map { $0.uppercased() }
    }
    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? String).flatMap { super.reverseTransformedValue(String($0.reversed())) }
    }
    override class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {}
    override class func valueTransformerNames() -> [NSValueTransformerName] { [NSValueTransformerName("m")] }
}

private final class EvenLength: NSComparisonPredicate {
    override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        (object as? String)?.count.isMultiple(of: 2) ?? false
    }
    override var predicateFormat: String { "even" }
    override func copy(with zone: NSZone? = nil) -> Any { "a copy" }
    override func isEqual(_ object: Any?) -> Bool { true }
    override var hash: Int { 7 }
    override var description: String { "an even length" }
    override var debugDescription: String { "debug" }
}

private final class SameController: NSFetchedResultsController<NSManagedObject> {
    /// Used by one test.
    nonisolated(unsafe) static var deleted: [String] = []

    override init() { super.init() }
    override func isEqual(_ object: Any?) -> Bool { object is SameController }
    override var hash: Int { 5 }
    override class func deleteCache(withName name: String?) { deleted.append(name ?? "") }
}

private final class NamingEntity: NSEntityDescription {
    override class func insertNewObject(
        forEntityName entityName: String, into context: NSManagedObjectContext
    ) -> NSManagedObject {
        let object = super.insertNewObject(forEntityName: entityName, into: context)
        object.setValue("named", forKey: "name")
        return object
    }
}
