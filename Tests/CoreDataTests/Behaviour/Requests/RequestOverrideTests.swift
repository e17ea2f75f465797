import CoreData
import Testing

@Suite("A fetch goes by what a subclass of its request says")
struct RequestOverrideTests {
    let stack: Stack
    let store: NSPersistentStore

    init() throws {
        stack = try Stack(LeagueModel.make())
        store = try #require(stack.coordinator.persistentStores.first)
        for name in ["Bulls", "Celtics", "Lakers", "Spurs"] { _ = try stack.saved("Team", ["name": name]) }
        for (name, age) in [("Kim", 20), ("Lee", 20), ("Max", 30)] {
            _ = try stack.saved("Player", ["name": name, "age": age])
        }
    }

    @Test("objects: entity, predicate, offset, stores, pending changes, loading and prefetching")
    func objects() throws {
        let told = NSFetchRequest<NSManagedObject>()
        told.entity = stack.coordinator.managedObjectModel.entitiesByName["Team"]
        told.predicate = NSPredicate(format: "name != 'Bulls'")
        told.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
        told.fetchOffset = 1
        told.includesPendingChanges = false
        told.returnsObjectsAsFaults = false
        told.shouldRefreshRefetchedObjects = true
        told.relationshipKeyPathsForPrefetching = ["players"]
        told.affectedStores = [store]
        let request = Mouthpiece(told)
        try stack.work { context throws in
            _ = context.insert("Team", ["name": "Mavericks"])
            let found = try context.fetch(request)
            #expect(found.map { $0.string("name") } == ["Lakers", "Celtics"])
            #expect(found.allSatisfy { !$0.isFault && !$0.hasFault(forRelationshipNamed: "players") })
            #expect(try context.count(for: request) == 2)
        }
        #expect(
            request.reads.isSuperset(of: [
                "entity", "predicate", "sort", "offset", "pending", "faults", "refreshes", "prefetching", "stores",
                "subentities", "values", "batch", "result", "properties",
            ]), "\(request.reads.sorted())")
    }

    @Test("dictionaries: result type, columns, groups, what groups fulfil, and distinct rows")
    func dictionaries() throws {
        let told = NSFetchRequest<NSDictionary>(entityName: "Player")
        told.resultType = .dictionaryResultType
        told.propertiesToFetch = ["age"]
        told.propertiesToGroupBy = ["age"]
        told.havingPredicate = NSPredicate(format: "age > 25")
        let grouped = Mouthpiece(told)
        let groups = try stack.work { try $0.fetch(grouped) }
        #expect(groups.map { $0["age"] as? Int } == [30])
        #expect(grouped.reads.isSuperset(of: ["result", "properties", "groups", "having", "distinct"]))
        told.propertiesToGroupBy = nil
        told.havingPredicate = nil
        told.returnsDistinctResults = true
        #expect(try stack.work { try $0.fetch(Mouthpiece(told)).count } == 2)
    }

    @Test("pages, and objects without their values")
    func pages() throws {
        let told = NSFetchRequest<NSManagedObject>(entityName: "Team")
        told.fetchBatchSize = 2
        try stack.work { context throws in
            // Pages come as faults, even where the objects would not.
            told.returnsObjectsAsFaults = false
            #expect(try context.fetch(Mouthpiece(told)).allSatisfy(\.isFault))
        }
        told.fetchBatchSize = 0
        told.includesPropertyValues = false
        try stack.work { context throws in
            #expect(try context.fetch(Mouthpiece(told)).count == 4)
        }
    }

    @Test("a request's kind and copy, and a request of the app's own kind, which no context can execute")
    func kinds() throws {
        let request = Mouthpiece(NSFetchRequest<NSManagedObject>(entityName: "Team"))
        let any: NSPersistentStoreRequest = request
        #expect(any.requestType == .saveRequestType && request.copy() as AnyObject === request)
        let odd: NSPersistentStoreRequest = OddRequest()
        #expect(odd.requestType == .batchDeleteRequestType && odd.affectedStores == [])
        let error = thrown { try stack.work { _ = try $0.execute(odd) } }
        #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
    }

    @Test("an asynchronous request: what it fetches, its block, its count and its copy")
    func asynchronous() throws {
        let mock = MockAsynchronous(fetchRequest: NSFetchRequest(entityName: "Player"))
        let request: NSAsynchronousFetchRequest<NSManagedObject> = mock
        #expect(request.requestType == .saveRequestType && request.copy() as AnyObject === mock)
        let context = stack.context()
        try context.performAndWait { _ = try context.execute(request) }
        #expect(mock.done.wait(timeout: .now() + 20) == .success)
        #expect(mock.names == ["Bulls", "Celtics", "Lakers", "Spurs"] && mock.isAskedForCount)
    }

    @Test("a context's stand-in answers with a result's, though nothing is fetched")
    func standIns() throws {
        let context: NSManagedObjectContext = MockExecution(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        try context.performAndWait {
            let request = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<NSManagedObject>()) { _ in }
            let result = try #require(try context.execute(request) as? NSAsynchronousFetchResult<NSManagedObject>)
            #expect(result.finalResult?.map { $0.string("name") } == ["Mock"] && result.operationError == nil)
            #expect(result.managedObjectContext === context && result.progress?.totalUnitCount == 7)
            #expect(result.fetchRequest is MockAsynchronous)
            (result as NSPersistentStoreAsynchronousResult).cancel()
            #expect(result.finalResult == nil && (result.operationError as? CocoaError)?.code == .userCancelled)
        }
        #expect(type(of: NSPersistentStoreResult()) == NSPersistentStoreResult.self)
    }

    @Test("fetch expressions: the class method that makes them, and their parts")
    func expressions() {
        let type: NSFetchRequestExpression.Type = MockFetchExpression.self
        let constant = NSExpression(forConstantValue: 1)
        #expect(type.expression(forFetch: constant, context: constant, countOnly: true).constantValue as? String == "m")
        let expression: NSFetchRequestExpression = MockFetchExpression(expressionType: NSFetchRequestExpressionType)
        #expect(expression.requestExpression.keyPath == "request" && expression.contextExpression.keyPath == "context")
        #expect(expression.isCountOnlyRequest && expression.expressionType == NSFetchRequestExpressionType)
    }
}

/// Says what another request says, and notes what it is asked. Its own stored properties stay as they are at first.
private final class Mouthpiece<Result>: NSFetchRequest<Result> {
    private let told: NSFetchRequest<Result>
    private(set) var reads: Set<String> = []

    init(_ told: NSFetchRequest<Result>) {
        self.told = told
        super.init()
    }

    private func read<Value>(_ name: String, _ value: Value) -> Value {
        reads.insert(name)
        return value
    }

    override var entity: NSEntityDescription? {
        get { read("entity", told.entity) }
        set {}
    }
    override var entityName: String? { told.entityName }
    override var predicate: NSPredicate? {
        get { read("predicate", told.predicate) }
        set {}
    }
    override var sortDescriptors: [NSSortDescriptor]? {
        get { read("sort", told.sortDescriptors) }
        set {}
    }
    override var fetchOffset: Int {
        get { read("offset", told.fetchOffset) }
        set {}
    }
    override var fetchBatchSize: Int {
        get { read("batch", told.fetchBatchSize) }
        set {}
    }
    override var resultType: NSFetchRequestResultType {
        get { read("result", told.resultType) }
        set {}
    }
    override var includesSubentities: Bool {
        get { read("subentities", told.includesSubentities) }
        set {}
    }
    override var includesPendingChanges: Bool {
        get { read("pending", told.includesPendingChanges) }
        set {}
    }
    override var includesPropertyValues: Bool {
        get { read("values", told.includesPropertyValues) }
        set {}
    }
    override var returnsObjectsAsFaults: Bool {
        get { read("faults", told.returnsObjectsAsFaults) }
        set {}
    }
    override var shouldRefreshRefetchedObjects: Bool {
        get { read("refreshes", told.shouldRefreshRefetchedObjects) }
        set {}
    }
    override var relationshipKeyPathsForPrefetching: [String]? {
        get { read("prefetching", told.relationshipKeyPathsForPrefetching) }
        set {}
    }
    override var propertiesToFetch: [Any]? {
        get { read("properties", told.propertiesToFetch) }
        set {}
    }
    override var returnsDistinctResults: Bool {
        get { read("distinct", told.returnsDistinctResults) }
        set {}
    }
    override var propertiesToGroupBy: [Any]? {
        get { read("groups", told.propertiesToGroupBy) }
        set {}
    }
    override var havingPredicate: NSPredicate? {
        get { read("having", told.havingPredicate) }
        set {}
    }
    override var affectedStores: [NSPersistentStore]? {
        get { read("stores", told.affectedStores) }
        set {}
    }
    override var requestType: NSPersistentStoreRequestType { .saveRequestType }
    override func copy(with zone: NSZone? = nil) -> Any { self }
}

private final class OddRequest: NSPersistentStoreRequest {
    override var affectedStores: [NSPersistentStore]? {
        get { [] }
        set {}
    }
    override var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }
}

private final class MockAsynchronous: NSAsynchronousFetchRequest<NSManagedObject>, @unchecked Sendable {
    // Unchecked: the test reads what the block wrote after the semaphore.
    let done = DispatchSemaphore(value: 0)
    var names: [String] = []
    var isAskedForCount = false

    override var fetchRequest: NSFetchRequest<NSManagedObject> { NSFetchRequest(entityName: "Team") }
    override var completionBlock: ((NSAsynchronousFetchResult<NSManagedObject>) -> Void)? {
        { [unowned self] result in
            names = (result.finalResult ?? []).compactMap { $0.string("name") }.sorted()
            done.signal()
        }
    }
    override var estimatedResultCount: Int {
        get {
            isAskedForCount = true
            return 4
        }
        set {}
    }
    override var requestType: NSPersistentStoreRequestType { .saveRequestType }
    override func copy(with zone: NSZone? = nil) -> Any { self }
}

private final class MockFetchExpression: NSFetchRequestExpression {
    override var requestExpression: NSExpression { NSExpression(forKeyPath: "request") }
    override var contextExpression: NSExpression { NSExpression(forKeyPath: "context") }
    override var isCountOnlyRequest: Bool { true }
    override class func expression(
        forFetch fetch: NSExpression, context: NSExpression, countOnly countFlag: Bool
    ) -> NSExpression {
        NSExpression(forConstantValue: "m")
    }
}

/// What a test gives the app for the result of a fetch that was never made.
private final class MockResult: NSAsynchronousFetchResult<NSManagedObject> {
    let context: NSManagedObjectContext
    var isCancelled = false

    init(_ context: NSManagedObjectContext) {
        self.context = context
        super.init()
    }

    override var managedObjectContext: NSManagedObjectContext { context }
    override var operationError: (any Error)? { isCancelled ? CocoaError(.userCancelled) : nil }
    override var progress: Progress? { Progress(totalUnitCount: 7) }
    override func cancel() { isCancelled = true }
    override var fetchRequest: NSAsynchronousFetchRequest<NSManagedObject> {
        MockAsynchronous(fetchRequest: NSFetchRequest(), completionBlock: nil)
    }
    override var finalResult: [NSManagedObject]? { isCancelled ? nil : [context.insert("Team", ["name": "Mock"])] }
}

private final class MockExecution: NSManagedObjectContext, @unchecked Sendable {
    override func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult { MockResult(self) }
}
