import CoreData
import Foundation
import ModelDocument
import Testing

@testable import CoreDataStudio

/// A mapping model in a folder of its own, with its models and a store, as far as there are some.
final class MappingWorkspace: Sendable {
    let folder: URL
    /// The mapping model.
    let mapping: URL
    /// The model with both versions.
    let model: URL
    let store: URL

    static let tests = Workspace.package.appending(path: "Tests")
    static let ledger = tests.appending(path: "GeneratedClassesTests/LedgerToLedger2.xcmappingmodel")
    /// The mapping models of other people, where they are at hand.
    static let collection = Workspace.collection.deletingLastPathComponent().appending(path: "mappings")

    /// - Parameters:
    ///   - original: What is copied; nil: none.
    ///   - model: The model that is copied beside it.
    init(
        _ original: URL? = MappingWorkspace.ledger,
        model: URL? = MappingWorkspace.tests.appending(path: "GeneratedClassesTests/Ledger.xcdatamodeld")
    ) throws {
        // Models are looked for in the folder above, too: samples of other tests must not lie there.
        folder = FileManager.default.temporaryDirectory
            .resolvingSymlinksInPath().appending(path: "studio-mapping-\(UUID().uuidString)/Shop")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        mapping = folder.appending(path: original?.lastPathComponent ?? "ShopToShop2.xcmappingmodel")
        self.model = folder.appending(path: model?.lastPathComponent ?? "Shop.xcdatamodeld")
        store = folder.appending(path: "Shop.sqlite")
        if let original { try FileManager.default.copyItem(at: original, to: mapping) }
        if let model { try FileManager.default.copyItem(at: model, to: self.model) }
    }

    deinit { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }

    var file: URL { mapping.appending(path: "xcmapping.xml") }
    func data() throws -> Data { try Data(contentsOf: file) }
    func text() throws -> String { String(decoding: try data(), as: UTF8.self) }

    /// All files of the folder, with their bytes.
    func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            files[path] = try? Data(contentsOf: folder.appending(path: path))
        }
        return files
    }

    // MARK: A shop of two versions

    /// A shop with two versions, of which nothing is made yet but the model and a store of the first.
    static func shop(customers: Int = 5) throws -> MappingWorkspace {
        let workspace = try MappingWorkspace(nil, model: nil)
        var versions = VersionedModel(name: "Shop", model: first)
        try versions.addVersion(named: "Shop 2")
        versions["Shop 2"] = second
        try versions.setCurrentVersion("Shop 2")
        try versions.write(to: workspace.model)
        try workspace.fill(customers)
        return workspace
    }

    /// Customers with orders, and newsletters.
    private static let first = Model(entities: [
        entity(
            "Customer", [attribute("name", .string, isOptional: false), attribute("note", .string)],
            [relationship("orders", "Order", "customer", isToMany: true)]),
        entity("Newsletter", [attribute("title", .string)], []),
        entity(
            "Order", [attribute("number", .integer32), attribute("total", .double)],
            [relationship("customer", "Customer", "orders", isToMany: false)]),
    ])

    /// A customer has a full name, which must be there; newsletters and notes are gone.
    private static let second = Model(entities: [
        entity(
            "Customer", [attribute("fullName", .string, isOptional: false)],
            [relationship("orders", "Order", "customer", isToMany: true)]),
        entity(
            "Order", [attribute("number", .integer32), attribute("total", .double)],
            [relationship("customer", "Customer", "orders", isToMany: false)]),
    ])

    private static func entity(
        _ name: String, _ attributes: [Model.Attribute], _ relationships: [Model.Relationship]
    ) -> Model.Entity {
        var entity = Model.Entity(name: name)
        (entity.attributes, entity.relationships) = (attributes, relationships)
        return entity
    }

    private static func attribute(
        _ name: String, _ type: Model.AttributeType, isOptional: Bool = true
    ) -> Model.Attribute {
        var attribute = Model.Attribute(name: name, type: type)
        attribute.isOptional = isOptional
        return attribute
    }

    private static func relationship(
        _ name: String, _ destination: String, _ inverse: String, isToMany: Bool
    ) -> Model.Relationship {
        var relationship = Model.Relationship(name: name)
        (relationship.destinationName, relationship.inverseName) = (destination, inverse)
        (relationship.inverseEntityName, relationship.isOptional) = (destination, true)
        relationship.maxCount = isToMany ? 0 : 1
        return relationship
    }

    func descriptions(_ version: String) throws -> NSManagedObjectModel {
        try NSManagedObjectModel(document: ModelDocumentFolder(contentsOf: model).model(version: version))
    }

    private func fill(_ customers: Int) throws {
        try using("Shop") { context in
            for number in 0..<customers {
                let customer = NSEntityDescription.insertNewObject(forEntityName: "Customer", into: context)
                customer.setValue("Customer \(number)", forKey: "name")
                if number < 2 { customer.setValue("likes dates", forKey: "note") }
                for place in 0..<2 {
                    let order = NSEntityDescription.insertNewObject(forEntityName: "Order", into: context)
                    order.setValue(number * 2 + place, forKey: "number")
                    order.setValue(Double(number) * 10, forKey: "total")
                    order.setValue(customer, forKey: "customer")
                }
            }
            for title in ["Spring", "Summer", "Autumn"] {
                NSEntityDescription.insertNewObject(forEntityName: "Newsletter", into: context)
                    .setValue(title, forKey: "title")
            }
            try context.save()
        }
    }

    /// Works with the store by the public interface.
    func using<R>(_ version: String, _ body: (NSManagedObjectContext) throws -> R) throws -> R {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try descriptions(version))
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: store, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        defer { try? coordinator.remove(store) }
        return try context.performAndWait { try body(context) }
    }

    /// The full names of all customers, once the store is of the second version.
    func fullNames() throws -> [String] {
        try using("Shop 2") { context in
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Customer"))
                .compactMap { $0.value(forKey: "fullName") as? String }.sorted()
        }
    }

    /// Makes the mapping that is inferred, saves it, and opens it.
    func inferred() async throws -> MappingTab {
        let request = NewMappingRequest(source: "Shop", destination: "Shop 2", name: "ShopToShop2")
        let session = try MappingSession.infer(request, from: model).session
        _ = try await session.save(MappingRequest())
        return MappingTab(session)
    }
}

/// A session as a tab uses it: what it sends goes through JSON.
struct MappingTab {
    let session: MappingSession

    init(_ session: MappingSession) { self.session = session }

    init(_ workspace: MappingWorkspace) throws {
        session = try MappingSession(workspace.mapping)
    }

    @discardableResult
    func perform(_ actions: [JSON], merge: String? = nil, revision: Int? = nil) async throws -> JSON {
        let body: JSON = [
            "actions": .array(actions), "client": "tab", "merge": .optional(merge), "revision": .optional(revision),
        ]
        return try await session.perform(JSONDecoder().decode(MappingStepRequest.self, from: body.data()))
    }

    @discardableResult
    func perform(_ action: JSON) async throws -> JSON { try await perform([action]) }

    @discardableResult
    func set(_ element: String, _ changes: [String: JSON]) async throws -> JSON {
        try await perform(["kind": "set", "element": .text(element), "changes": .object(changes)])
    }

    /// Renames an entity mapping, saves, and lets a studio have the document.
    func rename(_ mapping: String, to name: String) async throws {
        try await perform(["kind": "rename", "element": .text(try await id(mapping)), "name": .text(name)])
        try await save()
        await session.unlock()
    }

    func undo() async { _ = await session.undo(MappingRequest()) }
    func save() async throws { _ = try await session.save(MappingRequest()) }

    /// The identifier of an entity mapping, or of a property mapping in it.
    func id(_ mapping: String, _ property: String? = nil) async throws -> String {
        let all = await session.edited.mapping.entityMappings
        let entity = try #require(all.first { $0.effectiveName == mapping }, "\(mapping)")
        guard let property else { return try #require(entity.objectID) }
        let own = entity.attributeMappings + entity.relationshipMappings
        return try #require(own.first { $0.name == property }?.objectID, "\(mapping).\(property)")
    }

    func record(_ id: String) async throws -> JSON { try #require(await session.state()["records"]?[id], "\(id)") }

    /// The codes of the problems of an element.
    func problems(_ id: String) async -> [String] {
        (await session.state()["problems"]?.array ?? []).filter { $0["element"]?.text == id }
            .compactMap { $0["code"]?.text }
    }
}
