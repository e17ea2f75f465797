import CoreData
import Foundation

/// A real context that does what commands say, and tells what it looks like then.
final class ContextDriver {
    let context: NSManagedObjectContext
    private let names: Names
    private let undoManager: UndoManager?
    /// All objects of the context, which would let them go otherwise.
    private var objects: [Int: NSManagedObject] = [:]
    private let notes = SaveNotes()
    /// The saves of this context, with the notifications that tell of objects and of IDs.
    private(set) var saves: [(objects: Notification, ids: Notification)] = []
    /// The contexts that this context takes saves over from on command.
    var sources: [ContextDriver] = []

    init(_ context: NSManagedObjectContext, _ names: Names, undo: Bool) {
        self.context = context
        self.names = names
        undoManager = undo ? UndoManager() : nil
        context.performAndWait { context.undoManager = undoManager }
        notes.listen(to: context)
    }

    /// Does what a command says, and looks. The command's changes are one event for the undo manager.
    func run(_ command: Command) throws -> Observation {
        command.names.forEach(names.enter)
        var observation = Observation()
        var failure: (any Error)?
        inEvent {
            do { try self.perform(command, &observation) } catch { failure = error }
            self.context.processPendingChanges()
            if command.forgetsUndo { self.undoManager?.removeAllActions() }
        }
        context.performAndWait {
            if let failure { describe(failure, in: &observation) }
            look(&observation)
            observation.undoCount = undoManager?.undoCount ?? 0
            observation.redoCount = undoManager?.redoCount ?? 0
        }
        return observation
    }

    /// Runs a block as an event of the context's queue and waits for it.
    private func inEvent(_ block: @escaping () -> Void) {
        // Unchecked: the caller waits, so one thread at a time uses what the block does.
        struct Work: @unchecked Sendable { let run: () -> Void }
        let work = Work(run: block)
        let done = DispatchSemaphore(value: 0)
        context.perform {
            work.run()
            done.signal()
        }
        done.wait()
        // What the event ends with has happened when the next block runs.
        context.performAndWait {}
    }

    // MARK: Doing

    private func perform(_ command: Command, _ observation: inout Observation) throws {
        switch command.verb {
        case .insert:
            let object = NSEntityDescription.insertNewObject(forEntityName: command.entity, into: context)
            names.enter(object.objectID, command.id)
            objects[command.id] = object
        case .set: try object(command.id).setValue(value(command), forKey: command.key)
        case .setToOne: try object(command.id).setValue(try command.other.map(object), forKey: command.key)
        case .add, .remove: try changeMember(command)
        case .setMembers:
            let members = try command.ids.map(object)
            try object(command.id).setValue(
                command.flag ? NSOrderedSet(array: members) : NSSet(array: members), forKey: command.key)
        case .delete: context.delete(try object(command.id))
        case .undo: context.undo()
        case .redo: context.redo()
        case .save: try save(command, &observation)
        case .rollBack: context.rollback()
        case .reset: context.reset()
        case .refresh: context.refresh(try object(command.id), mergeChanges: command.flag)
        case .refreshAll: context.refreshAllObjects()
        case .rely: context.detectConflicts(for: try object(command.id))
        case .fetch: try fetch(command, &observation)
        case .read: try readEverything()
        case .takeOver: takeOver(command)
        case .takeOverRemotely: takeOverRemotely(command)
        case .look: break
        case .forget: forget(command.ids)
        }
    }

    private func object(_ id: Int) throws -> NSManagedObject {
        if let object = objects[id] { return object }
        throw Failure("object \(id) is not in the context")
    }

    private func value(_ command: Command) -> Any? {
        command.key == "number" ? command.value.flatMap { Int64($0) } : command.value
    }

    private func changeMember(_ command: Command) throws {
        guard let other = command.other else { return }
        let (object, member) = (try object(command.id), try self.object(other))
        let isAddition = command.verb == .add
        if command.flag {
            let members = object.mutableOrderedSetValue(forKey: command.key)
            if isAddition { members.add(member) } else { members.remove(member) }
        } else {
            let members = object.mutableSetValue(forKey: command.key)
            if isAddition { members.add(member) } else { members.remove(member) }
        }
    }

    private func fetch(_ command: Command, _ observation: inout Observation) throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: command.entity)
        request.predicate = command.other.map { NSPredicate(format: "number >= %d", $0) }
        let found = try context.fetch(request)
        hold(found)
        observation.fetched = try found.map(number)
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: command.entity)
        ids.resultType = .managedObjectIDResultType
        ids.predicate = request.predicate
        if Set(try context.fetch(ids)) != Set(found.map(\.objectID)) {
            observation.contradictions.append("a fetch for IDs finds others than one for objects")
        }
        if try context.count(for: request) != found.count {
            observation.contradictions.append("a count says another number than a fetch finds")
        }
    }

    private func number(_ object: NSManagedObject) throws -> Int {
        if let number = names.number(of: object.objectID) { return number }
        throw Failure("the object \(object.objectID.uriRepresentation()) is not known")
    }

    /// Fires every fault and loads every relationship, as far as that leads.
    private func readEverything() throws {
        var seen: Set<ObjectIdentifier> = []
        while true {
            let new = context.registeredObjects.filter { seen.insert(ObjectIdentifier($0)).inserted }
            if new.isEmpty { return }
            for object in new { objects[try number(object)] = object }
            // In an order that is the same whenever the script is played.
            for object in try new.sorted(by: { try number($0) < number($1) }) where !object.isDeleted {
                _ = object.value(forKey: "name")
                guard let entity = object.entity.name, !object.isDeleted else { continue }
                for relation in Schema.relations(of: entity) { hold(members(object, relation)) }
            }
        }
    }

    // MARK: Saving and merging

    private func save(_ command: Command, _ observation: inout Observation) throws {
        guard let type = NSMergePolicyType(rawValue: command.policy) else { throw Failure("no such policy") }
        context.mergePolicy = NSMergePolicy(merge: type)
        notes.clear()
        let new = context.insertedObjects
        let former = Set(objects.values)
        try context.save()
        for object in former.union(new) where object.managedObjectContext != nil && !object.objectID.isTemporaryID {
            let number = objects.first { $0.value === object }?.key
            guard let number else { continue }
            names.enter(object.objectID, number)
            observation.names.append(Name(id: number, uri: object.objectID.uriRepresentation().absoluteString))
        }
        guard let (objectNote, idNote) = notes.both else { return }
        saves.append((objectNote, idNote))
        observation.saved = try saved(idNote)
    }

    private func saved(_ note: Notification) throws -> Saved {
        func numbers(_ key: String) throws -> [Int] {
            try (note.userInfo?[key] as? Set<NSManagedObjectID> ?? []).map { id in
                guard let number = names.number(of: id) else { throw Failure("a save of unknown \(id)") }
                return number
            }.sorted()
        }
        return Saved(
            inserted: try numbers(NSInsertedObjectIDsKey), updated: try numbers(NSUpdatedObjectIDsKey),
            deleted: try numbers(NSDeletedObjectIDsKey))
    }

    private func takeOver(_ command: Command) {
        guard let source = sources.first(where: { _ in true }) else { return }
        for place in command.ids where place < source.saves.count {
            let save = source.saves[place]
            context.mergeChanges(fromContextDidSave: command.flag ? save.ids : save.objects)
        }
    }

    private func uris(_ ids: [Int]) -> [URL] { ids.compactMap { names.uri(of: $0).flatMap(URL.init(string:)) } }

    /// Forgets all objects, and the rows of these and of others that the context may have no object for any longer.
    private func forget(_ ids: [Int]) {
        var root = context
        while let parent = root.parent { root = parent }
        let others = uris(ids).compactMap { root.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: $0) }
        for object in context.registeredObjects.union(others.map(context.object(with:))) {
            context.refresh(object, mergeChanges: false)
        }
        context.reset()
    }

    private func takeOverRemotely(_ command: Command) {
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [
                NSInsertedObjectsKey: uris(command.inserted), NSUpdatedObjectsKey: uris(command.updated),
                NSDeletedObjectsKey: uris(command.deleted),
            ], into: [context])
    }

    // MARK: Looking

    private func describe(_ failure: any Error, in observation: inout Observation) {
        let error = failure as NSError
        observation.error = error.code
        if let failure = failure as? Failure {
            observation.contradictions.append(failure.text)
        } else if error.domain != NSCocoaErrorDomain {
            observation.contradictions.append("\(error)")
        }
        let conflicts = error.userInfo["conflictList"] as? [Any] ?? []
        observation.conflicts = conflicts.compactMap { conflict in
            (conflict as? NSMergeConflict).flatMap { names.number(of: $0.sourceObject.objectID) }
        }.sorted()
    }

    private func look(_ observation: inout Observation) {
        objects = objects.filter { $0.value.managedObjectContext != nil }
        for object in context.registeredObjects {
            guard let number = names.number(of: object.objectID) else {
                observation.contradictions.append("unknown \(object.objectID.uriRepresentation()) is registered")
                continue
            }
            if let known = objects[number], known !== object {
                observation.contradictions.append("\(number) is two objects")
            }
            objects[number] = object
            if !object.isFault, !object.isDeleted { adoptDestinations(of: object) }
        }
        for (number, object) in objects { observation.objects[number] = look(object, &observation) }
        lookAtSets(&observation)
    }

    /// Reading a relationship registers the objects at the other end.
    private func adoptDestinations(of object: NSManagedObject) {
        for relation in Schema.relations(of: object.entity.name ?? "") {
            if relation.isToMany, object.hasFault(forRelationshipNamed: relation.name) { continue }
            hold(members(object, relation))
        }
    }

    private func hold(_ others: [NSManagedObject]) {
        for other in others { if let number = names.number(of: other.objectID) { objects[number] = other } }
    }

    private func members(_ object: NSManagedObject, _ relation: Relation) -> [NSManagedObject] {
        let value = object.value(forKey: relation.name)
        let all = (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects ?? value.map { [$0] } ?? []
        return all.compactMap { $0 as? NSManagedObject }
    }

    private func look(_ object: NSManagedObject, _ observation: inout Observation) -> Observation.Object {
        let entity = object.entity.name ?? ""
        var seen = Observation.Object(entity: entity, isFault: object.isFault, version: object.rowVersion)
        guard !object.isFault, !object.isDeleted else { return seen }
        for key in Schema.attributes { seen.attributes[key] = object.value(forKey: key).map { "\($0)" } }
        for relation in Schema.relations(of: entity) {
            if !relation.isToMany {
                guard let other = object.value(forKey: relation.name) as? NSManagedObject else { continue }
                seen.toOne[relation.name] = names.number(of: other.objectID) ?? -1
            } else if !object.hasFault(forRelationshipNamed: relation.name) {
                seen.toMany[relation.name] = members(object, relation).map { names.number(of: $0.objectID) ?? -1 }
            }
        }
        return seen
    }

    private func lookAtSets(_ observation: inout Observation) {
        observation.hasChanges = context.hasChanges
        func numbers(_ set: Set<NSManagedObject>, _ what: String, _ flag: KeyPath<NSManagedObject, Bool>) -> [Int] {
            if set != Set(objects.values.filter { $0[keyPath: flag] }) {
                observation.contradictions.append("\(what): the context and its objects don't agree")
            }
            return set.map { names.number(of: $0.objectID) ?? -1 }.sorted()
        }
        observation.inserted = numbers(context.insertedObjects, "inserted", \.isInserted)
        observation.updated = numbers(context.updatedObjects, "updated", \.isUpdated)
        // What others deleted, and was merged, is told otherwise.
        observation.deleted = numbers(
            context.deletedObjects.filter { $0.managedObjectContext != nil }, "deleted", \.isDeleted)
    }
}

/// The notifications of a context's saves.
private final class SaveNotes: @unchecked Sendable {
    // Unchecked: they come during a save, to the thread that saves, and are read after it.
    private var notes: [Notification.Name: Notification] = [:]
    private var observers: [any NSObjectProtocol] = []

    func listen(to context: NSManagedObjectContext) {
        for name in [Notification.Name.NSManagedObjectContextDidSave, .NSManagedObjectContextDidSaveObjectIDs] {
            observers.append(
                NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { [weak self] in
                    self?.notes[name] = $0
                })
        }
    }

    deinit { observers.forEach(NotificationCenter.default.removeObserver) }

    func clear() { notes = [:] }

    var both: (objects: Notification, ids: Notification)? {
        guard let objects = notes[.NSManagedObjectContextDidSave],
            let ids = notes[.NSManagedObjectContextDidSaveObjectIDs],
            // A save of nothing posts empty ones.
            !(objects.userInfo ?? [:]).isEmpty
        else { return nil }
        return (objects, ids)
    }
}

/// What went wrong, as a sentence.
struct Failure: Error, CustomStringConvertible {
    let text: String

    init(_ text: String) { self.text = text }

    var description: String { text }
}
