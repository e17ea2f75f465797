@testable import CoreData
import Foundation
import ModelArchive
import ModelDocument
import Testing

/// The mapping models that Xcode wrote, as far as they are at hand.
struct FixtureMapping: CustomTestStringConvertible, Sendable {
    let url: URL
    var testDescription: String { url.deletingPathExtension().lastPathComponent }

    static let all: [FixtureMapping] = {
        let folders = [
            TestFolders.shared.appendingPathComponent("fixtures/mappings"),
            TestFolders.tests.appendingPathComponent("ModelDocumentTests/Fixtures/Mappings"),
            TestFolders.tests.appendingPathComponent("ModelArchiveTests/Fixtures/Mappings"),
        ]
        let contents = folders.flatMap(children).flatMap(children)
        return contents.filter { $0.pathExtension == "xcmappingmodel" }.map { FixtureMapping(url: $0) }
    }()

    static func children(_ folder: URL) -> [URL] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
            .map { folder.appendingPathComponent($0) }
    }

    func document() throws -> MappingModel { try MappingModel(XMLStoreDocument(contentsOf: url)) }

    /// The two models, where they are at hand and have all entities that the document names.
    func models(_ document: MappingModel) -> (Model, Model)? {
        let names = testDescription.components(separatedBy: "-")
        let sources = versions(document.sourceModelPath, named: names.first ?? "")
        let destinations = versions(document.destinationModelPath, named: names.last ?? "")
        for source in sources {
            for destination in destinations
            where (try? CompiledMapping(document, source: source, destination: destination)) != nil {
                return (source, destination)
            }
        }
        return nil
    }

    private func versions(_ path: String?, named name: String) -> [Model] {
        let version = path.map { URL(filePath: $0).deletingPathExtension().lastPathComponent } ?? name
        let folders = (try? ModelSamples.allDocuments(in: ModelSamples.collection)) ?? []
        let owner = path?.split(separator: "/").dropLast().last.map(String.init)
        return folders.filter { owner == nil || $0.lastPathComponent == owner }.compactMap { folder in
            guard let document = try? ModelDocumentFolder(contentsOf: folder),
                document.versionNames.contains(version)
            else { return nil }
            return try? document.model(version: version)
        }
    }
}

@Suite("Mapping models that Xcode wrote")
struct FixtureMappingTests {
    @Test("every document is read", arguments: FixtureMapping.all)
    func reading(mapping: FixtureMapping) throws {
        #expect(try !mapping.document().entityMappings.isEmpty)
    }

    @Test(
        "as a runtime's mapping model it says what the compiled one says, also from a file",
        arguments: FixtureMapping.all)
    func compiling(mapping: FixtureMapping) throws {
        let document = try mapping.document()
        guard let (source, destination) = mapping.models(document) else { return }
        let compiled = try CompiledMapping(document, source: source, destination: destination)
        #expect(try NSMappingModel(compiled).compiled == compiled)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).cdm")
        defer { try? FileManager.default.removeItem(at: file) }
        try compiled.data().write(to: file)
        #expect(try #require(NSMappingModel(contentsOf: file)).compiled == compiled)
    }

    @Test("a filled store arrives by it, object for object", arguments: FixtureMapping.all)
    func migrating(mapping: FixtureMapping) throws {
        let document = try mapping.document()
        guard let (source, destination) = mapping.models(document) else { return }
        let model = try NSMappingModel(CompiledMapping(document, source: source, destination: destination))
        // The app's policies are not at hand: the standard one does what the document says beside them.
        for mapping in model.entityMappings {
            if mapping.entityMigrationPolicyClassName != nil { mapping.userInfo = ["hasPolicy": true] }
            mapping.entityMigrationPolicyClassName = nil
            mapping.attributeMappings?.removeAll {
                $0.valueExpression?.description.contains(NSMigrationEntityPolicyKey) ?? false
            }
        }
        let filters = document.entityMappings.map { ($0.effectiveName, $0.sourceFilterPredicate) }
        try FilledMigration(model, Dictionary(uniqueKeysWithValues: filters), from: source, to: destination).check()
    }
}

/// A migration of a store with random objects, and what must come out of it.
private final class FilledMigration {
    private let mapping: NSMappingModel
    /// The predicates of the mappings' source objects, by the mappings' names.
    private let filters: [String: String?]
    private let source: NSManagedObjectModel
    private let destination: NSManagedObjectModel
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mapping-\(UUID().uuidString)")
    private var old: URL { folder.appendingPathComponent("Old.sqlite") }
    private var new: URL { folder.appendingPathComponent("New.sqlite") }

    init(
        _ mapping: NSMappingModel, _ filters: [String: String?], from source: Model, to destination: Model
    ) throws {
        self.mapping = mapping
        self.filters = filters
        self.source = try Self.plain(source)
        self.destination = try Self.plain(destination)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// A model that needs no classes of an app.
    private static func plain(_ document: Model) throws -> NSManagedObjectModel {
        let model = try NSManagedObjectModel(document: document, moduleName: nil, leavingOut: nil)
        for entity in model.entities {
            entity.managedObjectClassName = "NSManagedObject"
            // The app's transformers are not at hand.
            for attribute in entity.attributesByName.values { attribute.valueTransformerName = nil }
        }
        return model
    }

    func check() throws {
        try MigrationLeague.open(old, source) { context in
            let grower = GraphGrower(context, seed: 7)
            for entity in source.entities.sorted(by: { $0.name ?? "" < $1.name ?? "" }) where !entity.isAbstract {
                for _ in 0..<3 {
                    let object = grower.grow(entity)
                    for relationship in entity.sortedRelationships where !relationship.isTransient {
                        grower.relate(object, relationship, count: max(2, relationship.minCount))
                    }
                }
            }
            for object in context.insertedObjects {
                for attribute in object.entity.attributesByName.values
                where attribute.attributeType == .transformableAttributeType && !attribute.isTransient {
                    object.setValue("any object", forKey: attribute.name)
                }
            }
            try context.save()
        }
        let expected = try counts()
        let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
        do {
            try manager.migrateStore(from: old, type: .sqlite, mapping: mapping, to: new, type: .sqlite)
        } catch let error as NSError {
            return try expectMissing(error)
        }
        try MigrationLeague.open(new, destination) { context in
            for (entity, count) in expected {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                request.includesSubentities = false
                let found = try context.count(for: request)
                #expect(found == count, "\(entity)")
            }
            try checkAttributes(context)
        }
    }

    /// How many objects each destination entity must have.
    private func counts() throws -> [String: Int] {
        var counts: [String: Int] = [:]
        try MigrationLeague.open(old, source) { context in
            for entity in mapping.entityMappings where entity.mappingType != .removeEntityMappingType {
                guard let from = entity.sourceEntityName, let to = entity.destinationEntityName else { continue }
                let request = NSFetchRequest<NSManagedObject>(entityName: from)
                request.includesSubentities = false
                request.predicate = predicate(entity)
                counts[to, default: 0] += try context.count(for: request)
            }
        }
        return counts
    }

    private func predicate(_ mapping: NSEntityMapping) -> NSPredicate? {
        filters[mapping.name ?? ""].flatMap(\.self).map { NSPredicate(format: $0) }
    }

    /// What an app's policy would have set is missing, and nothing else.
    private func expectMissing(_ error: NSError) throws {
        let name = error.userInfo["entityMapping"] as? String ?? ""
        if mapping.entityMappingsByName[name]?.userInfo?["hasPolicy"] != nil { return }
        let errors = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
        for error in errors {
            try #require(error.code == NSValidationMissingMandatoryPropertyError, "\(error)")
            let object = try #require(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject)
            let key = try #require(error.userInfo[NSValidationKeyErrorKey] as? String)
            let mappings = mapping.entityMappings.filter { $0.destinationEntityName == object.entity.name }
            let isSet = mappings.contains { mapping in
                let all = (mapping.attributeMappings ?? []) + (mapping.relationshipMappings ?? [])
                return all.contains { $0.name == key && $0.valueExpression != nil }
            }
            #expect(!isSet, "\(object.entity.name ?? "").\(key)")
        }
    }

    /// Attributes that are merely copied have the same values in both stores.
    private func checkAttributes(_ context: NSManagedObjectContext) throws {
        var before: [String: [String]] = [:]
        let copies = mapping.entityMappings.flatMap { mapping in
            (mapping.attributeMappings ?? []).compactMap { property in
                property.valueExpression?.sourceKey.flatMap { key in
                    key.contains(".") ? nil : (mapping: mapping, from: key, to: property.name ?? "")
                }
            }
        }
        try MigrationLeague.open(old, source) { context in
            for copy in copies {
                let values = try Self.values(
                    copy.from, copy.mapping.sourceEntityName, predicate(copy.mapping), context)
                before["\(copy.mapping.destinationEntityName ?? "").\(copy.to)", default: []] += values
            }
        }
        for (place, values) in before {
            let parts = place.split(separator: ".").map(String.init)
            let found = try Self.values(parts[1], parts[0], nil, context)
            #expect(found.sorted() == values.sorted(), "\(place)")
        }
    }

    private static func values(
        _ key: String, _ entity: String?, _ predicate: NSPredicate?, _ context: NSManagedObjectContext
    ) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity ?? "")
        request.includesSubentities = false
        request.predicate = predicate
        return try context.fetch(request).map { object in
            let value = object.value(forKey: key)
            return value.map { $0 is NSNumber ? "\(($0 as? NSNumber)?.doubleValue ?? 0)" : "\($0)" } ?? "nil"
        }
    }
}
