import CoreData
import Foundation
import Synchronization
import Testing

@Suite("What a subclass of a context overrides is called")
struct ContextOverrideTests {
    let stack: Stack
    let recorder: RecordingContext
    /// The same, as the framework and most apps know it.
    let context: NSManagedObjectContext

    init() throws {
        stack = try Stack(LeagueModel.make())
        recorder = RecordingContext(concurrencyType: .privateQueueConcurrencyType)
        context = recorder
        context.persistentStoreCoordinator = stack.coordinator
    }

    @Test("every open method, called as the superclass's")
    func methods() async throws {
        let id = try stack.saved("Team", ["name": "Celtics"])
        let team = context.object(with: id)
        _ = context.registeredObject(for: id)
        _ = try context.existingObject(with: id)
        context.refresh(team, mergeChanges: true)
        context.refreshAllObjects()
        context.detectConflicts(for: team)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Team")
        _ = try context.fetch(request)
        _ = try context.count(for: request)
        _ = try context.execute(request)
        let new = context.insert("Team", ["name": "Lakers"])
        let store = try #require(stack.coordinator.persistentStores.first)
        context.assign(new, to: store)
        try context.obtainPermanentIDs(for: [new])
        try context.save()
        context.delete(new)
        context.undo()
        context.redo()
        context.rollback()
        context.mergeChanges(fromContextDidSave: Notification(name: .NSManagedObjectContextDidSave))
        try context.setQueryGenerationFrom(nil)
        context.performAndWait {}
        #expect(context.performAndWait { 1 } == 1)
        let result = await context.perform { 2 }
        #expect(result == 2)
        await withCheckedContinuation { continuation in context.perform { continuation.resume() } }
        _ = context.shouldHandleInaccessibleFault(team, for: id, triggeredByProperty: nil)
        context.reset()
        #expect(
            Set(recorder.calls).isSuperset(of: [
                "object", "registeredObject", "existingObject", "refresh", "refreshAllObjects", "detectConflicts",
                "fetch", "count", "execute", "insert", "assign", "obtainPermanentIDs", "save", "delete", "undo", "redo",
                "rollback", "mergeChanges", "setQueryGeneration", "performAndWait", "performAndWait<T>", "perform<T>",
                "perform", "shouldHandle", "reset", "processPendingChanges",
            ]), "\(recorder.calls)")
    }

    @Test("every open property, read and set as the superclass's")
    func properties() {
        context.name = "named"
        context.propagatesDeletesAtEndOfEvent = false
        context.shouldDeleteInaccessibleFaults = false
        context.stalenessInterval = 5
        context.retainsRegisteredObjects = true
        context.automaticallyMergesChangesFromParent = true
        context.mergePolicy = NSMergePolicy.overwrite
        context.undoManager = nil
        let parent = stack.context()
        let child = RecordingContext(concurrencyType: .privateQueueConcurrencyType)
        (child as NSManagedObjectContext).parent = parent
        #expect((child as NSManagedObjectContext).parent === parent && child.calls == ["parent=", "parent"])
        #expect(context.name == "named!" && !context.propagatesDeletesAtEndOfEvent)
        #expect(!context.shouldDeleteInaccessibleFaults && context.stalenessInterval == 6)
        #expect(context.retainsRegisteredObjects && context.automaticallyMergesChangesFromParent)
        #expect(context.mergePolicy as? NSMergePolicy == NSMergePolicy.overwrite)
        #expect(context.undoManager == nil && context.queryGenerationToken == nil)
        #expect(context.persistentStoreCoordinator === stack.coordinator)
        #expect(context.concurrencyType == .mainQueueConcurrencyType && context.userInfo["who"] as? String == "mock")
        #expect(context.hasChanges && context.insertedObjects.isEmpty && context.updatedObjects.isEmpty)
        #expect(context.deletedObjects.isEmpty && context.registeredObjects.isEmpty)
        let read = [
            "propagatesDeletes", "shouldDelete", "retainsRegistered", "automaticallyMerges", "mergePolicy",
            "undoManager",
            "queryGenerationToken", "coordinator", "inserted", "updated", "deleted", "registered",
        ]
        #expect(Set(recorder.calls).isSuperset(of: read), "\(recorder.calls)")
    }

    @Test(
        "the framework calls insert(_:) where an object is made, processPendingChanges() where an event ends and a save begins"
    )
    func calledByTheFramework() async throws {
        let team = Team(entity: try #require(teamEntity), insertInto: context)
        #expect(recorder.calls == ["insert"] && team.managedObjectContext === context)
        team.setValue("Celtics", forKey: "name")
        recorder.calls = []
        await withCheckedContinuation { continuation in context.perform { continuation.resume() } }
        context.performAndWait {}
        #expect(recorder.calls.contains("processPendingChanges"))
        recorder.calls = []
        try context.save()
        #expect(recorder.calls.contains("processPendingChanges"))
        #expect(try stack.work { try $0.all("Team").count } == 1)
    }

    @Test("an override of insert(_:) that inserts nothing leaves the object without a context, and whole")
    func refusedInsertion() throws {
        recorder.refusesInsertions = true
        let team = Team(entity: try #require(teamEntity), insertInto: context)
        team.setValue("Celtics", forKey: "name")
        #expect(team.managedObjectContext == nil && team.string("name") == "Celtics" && !recorder.hasRealChanges)
    }

    @Test("class methods: mergeChanges(fromRemoteContextSave:into:)")
    func classMethods() {
        let type: NSManagedObjectContext.Type = RecordingContext.self
        type.mergeChanges(fromRemoteContextSave: [:], into: [])
        #expect(RecordingContext.remoteMerges.withLock { $0 } == 1)
    }

    @Test("the locking methods of old")
    func locking() {
        context.lock()
        #expect(context.tryLock())
        context.unlock()
        context.unlock()
        #expect(recorder.calls == ["lock", "tryLock", "unlock", "unlock"])
    }

    private var teamEntity: NSEntityDescription? {
        stack.coordinator.managedObjectModel.entitiesByName["Team"]
    }
}

private final class Team: NSManagedObject {}

/// Overrides all that Apple's headers leave open, and notes each call.
final class RecordingContext: NSManagedObjectContext, @unchecked Sendable {
    // Unchecked: the tests use it on one queue at a time.
    static let remoteMerges = Mutex(0)
    var calls: [String] = []
    var refusesInsertions = false

    /// What the context itself says.
    var hasRealChanges: Bool { super.hasChanges }

    override func insert(_ object: NSManagedObject) {
        calls.append("insert")
        if !refusesInsertions { super.insert(object) }
    }
    override func delete(_ object: NSManagedObject) {
        calls.append("delete")
        super.delete(object)
    }
    override func assign(_ object: Any, to store: NSPersistentStore) {
        calls.append("assign")
        super.assign(object, to: store)
    }
    override func object(with objectID: NSManagedObjectID) -> NSManagedObject {
        calls.append("object")
        return super.object(with: objectID)
    }
    override func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
        calls.append("registeredObject")
        return super.registeredObject(for: objectID)
    }
    override func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
        calls.append("existingObject")
        return try super.existingObject(with: objectID)
    }
    override func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
        calls.append("obtainPermanentIDs")
        try super.obtainPermanentIDs(for: objects)
    }
    override func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] {
        calls.append("fetch")
        return try super.fetch(request)
    }
    override func count(for request: AnyFetchRequest) throws -> Int {
        calls.append("count")
        return try super.count(for: request)
    }
    override func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        calls.append("execute")
        return try super.execute(request)
    }
    override func save() throws {
        calls.append("save")
        try super.save()
    }
    override func processPendingChanges() {
        calls.append("processPendingChanges")
        super.processPendingChanges()
    }
    override func rollback() {
        calls.append("rollback")
        super.rollback()
    }
    override func reset() {
        calls.append("reset")
        super.reset()
    }
    override func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
        calls.append("refresh")
        super.refresh(object, mergeChanges: flag)
    }
    override func refreshAllObjects() {
        calls.append("refreshAllObjects")
        super.refreshAllObjects()
    }
    override func mergeChanges(fromContextDidSave notification: Notification) {
        calls.append("mergeChanges")
        super.mergeChanges(fromContextDidSave: notification)
    }
    override class func mergeChanges(
        fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
    ) {
        remoteMerges.withLock { $0 += 1 }
        super.mergeChanges(fromRemoteContextSave: changeNotificationData, into: contexts)
    }
    override func detectConflicts(for object: NSManagedObject) {
        calls.append("detectConflicts")
        super.detectConflicts(for: object)
    }
    override func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
        calls.append("setQueryGeneration")
        try super.setQueryGenerationFrom(generation)
    }
    override func undo() {
        calls.append("undo")
        super.undo()
    }
    override func redo() {
        calls.append("redo")
        super.redo()
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
    override func perform<T>(
        schedule: ScheduledTaskType = .immediate, _ block: @escaping @Sendable () throws -> T
    ) async rethrows -> T {
        calls.append("perform<T>")
        return try await super.perform(schedule: schedule, block)
    }
    override func shouldHandleInaccessibleFault(
        _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
    ) -> Bool {
        calls.append("shouldHandle")
        return super.shouldHandleInaccessibleFault(fault, for: oid, triggeredByProperty: property)
    }
    override func lock() { calls.append("lock") }
    override func unlock() { calls.append("unlock") }
    override func tryLock() -> Bool {
        calls.append("tryLock")
        return true
    }

    override var concurrencyType: NSManagedObjectContextConcurrencyType { .mainQueueConcurrencyType }
    override var userInfo: NSMutableDictionary { NSMutableDictionary(object: "mock", forKey: "who" as NSString) }
    override var hasChanges: Bool { true }
    override var name: String? {
        get { super.name.map { $0 + "!" } }
        set { super.name = newValue }
    }
    override var stalenessInterval: TimeInterval {
        get { super.stalenessInterval + 1 }
        set { super.stalenessInterval = newValue }
    }
    override var propagatesDeletesAtEndOfEvent: Bool {
        get { noting("propagatesDeletes", super.propagatesDeletesAtEndOfEvent) }
        set { super.propagatesDeletesAtEndOfEvent = newValue }
    }
    override var shouldDeleteInaccessibleFaults: Bool {
        get { noting("shouldDelete", super.shouldDeleteInaccessibleFaults) }
        set { super.shouldDeleteInaccessibleFaults = newValue }
    }
    override var retainsRegisteredObjects: Bool {
        get { noting("retainsRegistered", super.retainsRegisteredObjects) }
        set { super.retainsRegisteredObjects = newValue }
    }
    override var automaticallyMergesChangesFromParent: Bool {
        get { noting("automaticallyMerges", super.automaticallyMergesChangesFromParent) }
        set { super.automaticallyMergesChangesFromParent = newValue }
    }
    override var mergePolicy: Any {
        get { noting("mergePolicy", super.mergePolicy) }
        set { super.mergePolicy = newValue }
    }
    override var undoManager: UndoManager? {
        get { noting("undoManager", super.undoManager) }
        set { super.undoManager = newValue }
    }
    override var parent: NSManagedObjectContext? {
        get { noting("parent", super.parent) }
        set {
            calls.append("parent=")
            super.parent = newValue
        }
    }
    override var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        get { noting("coordinator", super.persistentStoreCoordinator) }
        set { super.persistentStoreCoordinator = newValue }
    }
    override var queryGenerationToken: NSQueryGenerationToken? {
        noting("queryGenerationToken", super.queryGenerationToken)
    }
    override var insertedObjects: Set<NSManagedObject> { noting("inserted", super.insertedObjects) }
    override var updatedObjects: Set<NSManagedObject> { noting("updated", super.updatedObjects) }
    override var deletedObjects: Set<NSManagedObject> { noting("deleted", super.deletedObjects) }
    override var registeredObjects: Set<NSManagedObject> { noting("registered", super.registeredObjects) }

    private func noting<T>(_ call: String, _ value: T) -> T {
        calls.append(call)
        return value
    }
}
