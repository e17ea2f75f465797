import CoreData
import Foundation

/// Versions of the library's model that come after ``Library/model``.
private enum LaterLibrary {
    /// Other names, new attributes and a new entity.
    nonisolated(unsafe) static let renamed = Library.makeModel { entities in
        entities["Book"]?.properties.first { $0.name == "pages" }.map {
            $0.name = "length"
            $0.renamingIdentifier = "pages"
        }
        let rating = Library.attribute("rating", .integer16AttributeType)
        rating.defaultValue = 3
        entities["Book"]?.properties.append(rating)
        entities["Tag"]?.name = "Label"
        entities["Tag"]?.renamingIdentifier = "Tag"
    }

    /// An entity that gets a parent, so that its table is copied, and covers that come into their rows.
    nonisolated(unsafe) static let copied: NSManagedObjectModel = {
        let item = Library.entity("Item")
        let model = Library.makeModel { entities in
            item.properties = [Library.attribute("note", .stringAttributeType)]
            entities["Tag"].map { item.subentities = [$0] }
            let cover = entities["Book"]?.attributesByName["cover"]
            cover?.allowsExternalBinaryDataStorage = false
        }
        model.entities.append(item)
        return model
    }()

    /// Shelves that share their books.
    nonisolated(unsafe) static let related = Library.makeModel { entities in
        entities["Book"]?.relationshipsByName["shelf"]?.maxCount = 0
        entities["Shelf"]?.relationshipsByName["books"]?.isOrdered = true
    }

    /// What a custom stage has to fill in.
    nonisolated(unsafe) static let staged = Library.makeModel { entities in
        entities["Shelf"]?.properties.append(Library.attribute("place", .stringAttributeType))
    }

    nonisolated(unsafe) static let stagedLast = Library.makeModel { entities in
        entities["Shelf"]?.properties.append(Library.attribute("place", .stringAttributeType))
        entities["Shelf"]?.properties.append(Library.attribute("room", .stringAttributeType))
        entities["Book"]?.properties.removeAll { $0.name == "pages" }
    }
}

extension Scenario {
    /// Stores that become those of another version of their model.
    static let migrations = [
        migration("migrate names and defaults", Library.storeName) { LaterLibrary.renamed },
        migration("migrate with copied tables and external data", Library.storeName) { LaterLibrary.copied }
            .with { $0.mayLeaveOrphans = true },
        migration("migrate relationships", Library.storeName) { LaterLibrary.related },
        migration("migrate a binary store", "Library.bin") { LaterLibrary.copied }.with { $0.mayLeaveOrphans = true },
        byManager("migrate by a manager and a mapping model", Library.storeName, "New.sqlite"),
        byManager("migrate an XML store by a manager", "Library.xml", "New.xml"),
        byManagerInPlace("migrate a store in its place by a manager", Library.storeName) { LaterLibrary.renamed },
        staged,
    ]

    private static var automatic: [AnyHashable: Any] {
        [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true]
    }

    /// A store that is migrated when it is opened.
    static func migration(
        _ name: String, _ store: String, _ model: @escaping @Sendable () -> NSManagedObjectModel
    ) -> Scenario {
        Scenario(name) { stage in { _ = try stage.coordinator(model(), stores: [store], options: automatic) } }.with {
            $0.stores = [store]
            $0.models = { [model(), Library.model] }
            $0.prepare = { try Library.fill($0, store) }
            // The store is migrated, and may then fail to open.
            $0.mayFailLate = true
            $0.isDurable = true
        }
    }

    private static func byManager(_ name: String, _ old: String, _ new: String) -> Scenario {
        Scenario(name) { stage in { try migrate(stage.url(old), to: stage.url(new)) } }.with {
            $0.stores = [new, old]
            $0.models = { [LaterLibrary.renamed, Library.model] }
            $0.prepare = { try Library.fill($0, old) }
            $0.mayFailLate = true
            // Where the disk is gone, what was made of the new store can't be removed.
            $0.mayLeaveOrphans = true
        }
    }

    /// The new store is made object by object, and takes the old one's place.
    static func byManagerInPlace(
        _ name: String, _ store: String, _ model: @escaping @Sendable () -> NSManagedObjectModel
    ) -> Scenario {
        Scenario(name) { stage in
            {
                let (manager, mapping) = try manager(to: model())
                manager.usesStoreSpecificMigrationManager = false
                try manager.migrateStore(
                    at: stage.url(store), type: Stage.type(of: store).rawValue, mapping: mapping)
            }
        }.with {
            $0.stores = [store]
            $0.models = { [model(), Library.model] }
            $0.prepare = { try Library.fill($0, store) }
            $0.mayFailLate = true
            $0.mayLeaveOrphans = true
        }
    }

    private static func manager(to model: NSManagedObjectModel) throws -> (NSMigrationManager, NSMappingModel) {
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: Library.model, destinationModel: model)
        return (NSMigrationManager(sourceModel: Library.model, destinationModel: model), mapping)
    }

    private static func migrate(_ old: URL, to new: URL) throws {
        let (manager, mapping) = try manager(to: LaterLibrary.renamed)
        let type = Stage.type(of: old.lastPathComponent)
        try manager.migrateStore(from: old, type: type, mapping: mapping, to: new, type: type)
    }

    private static let staged = Scenario("migrate in stages") { stage in
        {
            let custom = NSCustomMigrationStage(
                migratingFrom: reference(LaterLibrary.staged), to: reference(LaterLibrary.stagedLast))
            custom.willMigrateHandler = { manager, _ in
                // The first stage is done.
                try stage.endStep(1)
                guard let context = manager.container?.newBackgroundContext() else { return }
                try context.performAndWait {
                    let request = NSFetchRequest<NSManagedObject>(entityName: "Shelf")
                    request.returnsObjectsAsFaults = false
                    for shelf in try context.fetch(request) { shelf.setValue("hall", forKey: "place") }
                    try context.save()
                }
                try stage.endStep(2)
            }
            let stages = [
                NSLightweightMigrationStage([
                    Library.model.versionChecksum, LaterLibrary.staged.versionChecksum,
                ]),
                custom,
            ]
            var options = automatic
            options[NSPersistentStoreStagedMigrationManagerOptionKey] = NSStagedMigrationManager(stages)
            _ = try stage.coordinator(LaterLibrary.stagedLast, options: options)
            try stage.endStep(3)
        }
    }.with {
        $0.models = { [LaterLibrary.stagedLast, LaterLibrary.staged, Library.model] }
        $0.mayFailLate = true
    }

    private static func reference(_ model: NSManagedObjectModel) -> NSManagedObjectModelReference {
        NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
    }
}
