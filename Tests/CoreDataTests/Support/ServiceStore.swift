import CoreData
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A record of the service.
struct ServiceRecord: Codable {
    var id: String
    var name: String
    /// The club of a person, by its ID.
    var club: String?
    var version: UInt64 = 1
}

/// Clubs and their people behind a web service: an example of an incremental store.
///
/// `GET /Club` lists all records, `GET /Club/ID` gives one, `PUT` writes one, `DELETE` removes it. The service gives
/// new records their IDs: `POST /Club`.
final class ServiceStore: NSIncrementalStore, @unchecked Sendable {
    // Unchecked like its superclass.

    static let type = NSPersistentStore.StoreType(rawValue: "Service")

    static func model() -> NSManagedObjectModel {
        let (members, club) = (toMany("members"), toOne("club"))
        let clubs = entity("Club", [attribute("name", .stringAttributeType), members])
        let people = entity("Person", [attribute("name", .stringAttributeType), club])
        connect(clubs, members, people, club)
        return CoreDataTests.model(clubs, people)
    }

    override func loadMetadata() throws {
        let data = try call("GET", "metadata")
        metadata = [NSStoreUUIDKey: String(decoding: data, as: UTF8.self), NSStoreTypeKey: Self.type.rawValue]
    }

    // MARK: Requests

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        switch request {
        case let fetch as NSFetchRequest<any NSFetchRequestResult>: return try run(fetch, context!)
        case let save as NSSaveChangesRequest:
            try run(save)
            return []
        default: throw CocoaError(.persistentStoreUnsupportedRequestType)
        }
    }

    private func run(_ fetch: NSFetchRequest<any NSFetchRequestResult>, _ context: NSManagedObjectContext) throws -> Any
    {
        let entity = fetch.entity!
        let all = try JSONDecoder().decode([ServiceRecord].self, from: call("GET", entity.name!))
        let ids = all.map { newObjectID(for: entity, referenceObject: $0.id) }
        // A real service would filter and sort. Objects know how to be judged.
        var objects = ids.map { context.object(with: $0) }
        if let predicate = fetch.predicate { objects = objects.filter { predicate.evaluate(with: $0) } }
        if let order = fetch.sortDescriptors {
            objects = (objects as NSArray).sortedArray(using: order) as! [NSManagedObject]
        }
        objects = Array(objects.dropFirst(fetch.fetchOffset).prefix(fetch.fetchLimit > 0 ? fetch.fetchLimit : .max))
        switch fetch.resultType {
        case .countResultType: return [objects.count]
        case .managedObjectIDResultType: return objects.map(\.objectID)
        case .dictionaryResultType: return objects.map { ["name": $0.value(forKey: "name") ?? NSNull()] }
        default: return objects
        }
    }

    private func run(_ save: NSSaveChangesRequest) throws {
        if save.insertedObjects == nil, save.updatedObjects == nil, save.deletedObjects == nil { metadataSaves += 1 }
        for object in (save.insertedObjects ?? []).union(save.updatedObjects ?? []) {
            var record = ServiceRecord(id: id(object.objectID), name: object.value(forKey: "name") as? String ?? "")
            if object.entity.name == "Person" { record.club = object.object("club").map { id($0.objectID) } }
            _ = try call("PUT", path(object.objectID), JSONEncoder().encode(record))
        }
        for object in save.deletedObjects ?? [] { _ = try call("DELETE", path(object.objectID)) }
    }

    // MARK: Objects

    override func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        let record = try JSONDecoder().decode(ServiceRecord.self, from: call("GET", path(objectID)))
        var values: [String: Any] = ["name": record.name]
        if let relationship = objectID.entity.relationshipsByName["club"] {
            values["club"] =
                record.club.map { newObjectID(for: relationship.destinationEntity!, referenceObject: $0) } ?? NSNull()
        }
        return NSIncrementalStoreNode(objectID: objectID, withValues: values, version: record.version)
    }

    override func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        let destination = relationship.destinationEntity!
        let all = try JSONDecoder().decode([ServiceRecord].self, from: call("GET", destination.name!))
        return all.filter { $0.club == id(objectID) }.map { newObjectID(for: destination, referenceObject: $0.id) }
    }

    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        try array.map { object in
            let id = try call("POST", object.entity.name!)
            return newObjectID(for: object.entity, referenceObject: String(decoding: id, as: UTF8.self))
        }
    }

    /// How often the metadata were to be saved.
    private(set) var metadataSaves = 0

    private func id(_ objectID: NSManagedObjectID) -> String { referenceObject(for: objectID) as! String }
    private func path(_ objectID: NSManagedObjectID) -> String { "\(objectID.entity.name!)/\(id(objectID))" }

    // MARK: The service

    private func call(_ method: String, _ path: String, _ body: Data? = nil) throws -> Data {
        var request = URLRequest(url: url!.appendingPathComponent(path))
        // The service is a thread of this process, beside all other tests.
        request.timeoutInterval = 600
        request.httpMethod = method
        request.httpBody = body
        let answer = Answer()
        let task = URLSession.shared.dataTask(with: request) { data, response, error in
            answer.give(data, response, error)
        }
        task.resume()
        return try answer.wait()
    }

    /// What the service answers, for the thread that waits.
    private final class Answer: @unchecked Sendable {
        // Unchecked: the semaphore orders the uses.
        private let semaphore = DispatchSemaphore(value: 0)
        private var result: Result<Data, any Error> = .success(Data())

        func give(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
            switch ((response as? HTTPURLResponse)?.statusCode, error) {
            case (_, let error?): result = .failure(error)
            case (200, nil): result = .success(data ?? Data())
            case (404, nil): result = .failure(CocoaError(.managedObjectReferentialIntegrity))
            default: result = .failure(CocoaError(.persistentStoreOperation))
            }
            semaphore.signal()
        }

        func wait() throws -> Data {
            semaphore.wait()
            return try result.get()
        }
    }
}

/// The service that a ``ServiceStore`` talks to.
final class Service: @unchecked Sendable {
    // Unchecked: the records are under the lock.

    private let lock = NSLock()
    private var tables: [String: [String: ServiceRecord]] = ["Club": [:], "Person": [:]]
    private var lastNumber = 0
    /// Whether writing fails.
    private var isDown = false
    private(set) var server: LoopbackServer!

    init() throws { server = try LoopbackServer { [unowned self] request in answer(request) } }

    deinit { server.stop() }

    var url: URL { URL(string: "http://127.0.0.1:\(server.port)")! }

    func put(_ entity: String, _ record: ServiceRecord) { lock.withLock { tables[entity]?[record.id] = record } }
    func remove(_ entity: String, _ id: String) { lock.withLock { tables[entity]?[id] = nil } }
    func records(_ entity: String) -> [ServiceRecord] {
        lock.withLock { tables[entity]?.values.sorted { $0.id < $1.id } ?? [] }
    }
    func setDown(_ isDown: Bool) { lock.withLock { self.isDown = isDown } }

    private func answer(_ request: LoopbackServer.Request) -> (Int, Data) {
        let parts = request.path.split(separator: "/").map(String.init)
        guard let entity = parts.first else { return (404, Data()) }
        if entity == "metadata" { return (200, Data("The club service".utf8)) }
        return lock.withLock {
            if isDown, request.method != "GET" { return (500, Data()) }
            switch (request.method, parts.count) {
            case ("GET", 1):
                let all = (tables[entity] ?? [:]).values.sorted { $0.id < $1.id }
                return (200, (try? JSONEncoder().encode(all)) ?? Data())
            case ("GET", _):
                guard let record = tables[entity]?[parts[1]] else { return (404, Data()) }
                return (200, (try? JSONEncoder().encode(record)) ?? Data())
            case ("POST", _):
                lastNumber += 1
                return (200, Data("new-\(lastNumber)".utf8))
            case ("PUT", _):
                guard var record = try? JSONDecoder().decode(ServiceRecord.self, from: request.body) else {
                    return (500, Data())
                }
                record.version = (tables[entity]?[record.id]?.version ?? 0) + 1
                tables[entity]?[record.id] = record
                return (200, Data())
            case ("DELETE", _):
                tables[entity]?[parts[1]] = nil
                return (200, Data())
            default: return (500, Data())
            }
        }
    }
}
