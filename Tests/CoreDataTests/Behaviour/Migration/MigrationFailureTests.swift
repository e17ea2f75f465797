import CoreData
import Foundation
import Testing

@Suite("Migrations that fail leave the source as it is, and no destination")
final class MigrationFailureTests {
    let league: MigrationLeague
    private let before: Data

    init() throws {
        league = try MigrationLeague()
        before = try league.content()
    }

    deinit { league.remove() }

    /// The error of a migration that must fail.
    private func failure(
        _ mapping: NSMappingModel, to model: NSManagedObjectModel = MigrationLeague.secondModel(),
        _ prepare: (NSMigrationManager) -> Void = { _ in }, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> NSError {
        let error = thrown { try league.migrate(by: mapping, to: model, with: prepare) }
        #expect(try league.content() == before, sourceLocation: sourceLocation)
        try league.hasOldStoreOnly(sourceLocation: sourceLocation)
        let found = try #require(error, sourceLocation: sourceLocation)
        #expect(found.domain == NSCocoaErrorDomain || found.domain == "test", sourceLocation: sourceLocation)
        return found
    }

    @Test("an error of a policy names the mapping, and is the underlying error", arguments: FailingPolicy.Pass.allCases)
    func policy(pass: FailingPolicy.Pass) throws {
        let error = try failure(MigrationLeague.mapping(policy: String(reflecting: FailingPolicy.self))) {
            $0.userInfo = ["pass": pass]
        }
        #expect(error.code == NSEntityMigrationPolicyError)
        #expect(error.localizedDescription.contains("PlayerToAthlete"))
        #expect((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.domain == "test")
    }

    @Test("a cancelled migration throws the given error")
    func cancelling() throws {
        let mapping = MigrationLeague.mapping(policy: String(reflecting: CancellingPolicy.self))
        #expect(try failure(mapping) == NSError(domain: "test", code: 7))
        let manager = NSMigrationManager(
            sourceModel: MigrationLeague.firstModel(), destinationModel: MigrationLeague.secondModel())
        // Nothing runs as yet: there is nothing to cancel.
        manager.cancelMigrationWithError(NSError(domain: "test", code: 8))
        try manager.migrateStore(
            from: league.old, type: .tested, mapping: MigrationLeague.mapping(), to: league.new, type: .tested)
    }

    @Test("a value whose file can't be read ends a migration object by object: it would be lost")
    func externalValue() throws {
        let (old, new) = (
            model(entity("Note", [externalData("large")])),
            model(entity("Note", [externalData("large"), attribute("title", .stringAttributeType)]))
        )
        let value = Data(repeating: 7, count: 150_000)
        let store = try MigratedStore(old) { _ = $0.insert("Note", ["large": value]) }
        let files = store.folder.appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA")
        let file = files.appendingPathComponent(try #require(store.externalFiles.first))
        try FileManager.default.removeItem(at: file)
        // A folder can't be read as a file.
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        let copy = store.folder.appendingPathComponent("Copy.sqlite")
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        func migrate() throws {
            let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
            manager.usesStoreSpecificMigrationManager = false
            try manager.migrateStore(from: store.url, type: .sqlite, mapping: mapping, to: copy, type: .sqlite)
        }
        let error = try #require(thrown { try migrate() })
        let causes = sequence(first: error) { $0.userInfo[NSUnderlyingErrorKey] as? NSError }
        #expect(causes.contains { $0.code == NSMigrationManagerSourceStoreError }, "\(error)")
        #expect(!FileManager.default.fileExists(atPath: copy.path))
        try FileManager.default.removeItem(at: file)
        try value.write(to: file)
        try migrate()
        #expect(FileManager.default.fileExists(atPath: copy.path))
    }

    @Test("an object that is not valid is told as a save tells it")
    func validation() throws {
        let error = try failure(
            MigrationLeague.mapping(), to: MigrationLeague.secondModel(lastNameIsRequired: true))
        #expect(error.code == NSValidationMultipleErrorsError)
        let errors = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
        #expect(errors.count == 6 && errors.allSatisfy { $0.code == NSValidationMissingMandatoryPropertyError })
        #expect(errors[0].userInfo[NSValidationKeyErrorKey] as? String == "lastName")
    }

    @Test("a required relationship may come in the second stage, and must have come by then")
    func requiredRelationship() throws {
        let model = { MigrationLeague.secondModel(clubIsRequired: true) }
        let mapping = MigrationLeague.mapping()
        mapping.entityMappings.forEach { $0.relationshipMappings = nil }
        #expect(try failure(mapping, to: model()).code == NSValidationMultipleErrorsError)
        try league.migrate(by: MigrationLeague.mapping(), to: model())
        try MigrationLeague.open(league.new, model()) { context throws in
            #expect(try context.all("Athlete", "club != nil").count == 6)
        }
    }

    @Test("objects that violate a uniqueness constraint are refused")
    func uniqueness() throws {
        try MigrationLeague.open(league.old, MigrationLeague.firstModel()) { context throws in
            _ = context.insert("Player", ["name": "First Last0"])
            try context.save()
        }
        let error = thrown {
            try league.migrate(by: MigrationLeague.mapping(), to: MigrationLeague.secondModel(uniqueName: true))
        }
        #expect(error?.code == NSMigrationConstraintViolationError && error?.domain == NSCocoaErrorDomain)
        try league.hasOldStoreOnly()
    }

    @Test(
        "expressions without a value, or with one of another type, are refused with the property",
        arguments: [
            "$source.age", "FUNCTION($manager, \"noSuchFunction:\", 1)", "$unknown", "$source.name + 1",
            "FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", \"Nobody\", \"\")",
        ])
    func expressions(format: String) throws {
        let error = try failure(MigrationLeague.mapping(lastName: format))
        #expect(error.code == NSEntityMigrationPolicyError)
        #expect(error.localizedFailureReason?.contains("lastName") ?? false, "\(error.localizedFailureReason ?? "")")
    }

    @Test("mappings that do not fit the models are refused before anything is done")
    func unfitting() throws {
        let changes: [(String, (NSMappingModel) -> Void)] = [
            ("Nobody", { $0.entityMappings[0].sourceEntityName = "Nobody" }),
            ("Nobody", { $0.entityMappings[0].destinationEntityName = "Nobody" }),
            ("another version", { $0.entityMappings[0].sourceEntityVersionHash = Data([1]) }),
            ("two", { $0.entityMappings[0].name = "PlayerToAthlete" }),
            ("no name", { $0.entityMappings[0].name = nil }),
            ("height", { $0.entityMappings[0].attributeMappings?[0].name = "height" }),
            ("athletes", { $0.entityMappings[0].attributeMappings?[0].name = "athletes" }),
            ("title", { $0.entityMappings[0].relationshipMappings?[0].name = "title" }),
            (
                "height",
                { $0.entityMappings[0].attributeMappings = [MigrationLeague.property("title", "$source.height")] }
            ),
            (
                "height",
                {
                    $0.entityMappings[1].attributeMappings = [
                        MigrationLeague.property("lastName", "uppercase($source.team.height)")
                    ]
                }
            ),
        ]
        for (word, change) in changes {
            let mapping = MigrationLeague.mapping()
            change(mapping)
            let error = try failure(mapping)
            #expect(error.code == NSMigrationError)
            let reason = error.localizedFailureReason ?? ""
            #expect(reason.lowercased().contains(word.lowercased()), "\(reason)")
        }
    }

    @Test("a policy that the program does not have, or that is none, is named")
    func missingPolicy() throws {
        for name in ["NoSuchPolicy", "CoreData.NSMappingModel"] {
            let error = try failure(MigrationLeague.mapping(policy: name))
            #expect(error.code == NSEntityMigrationPolicyError && error.localizedDescription.contains(name))
        }
    }

    @Test("an abstract destination entity is refused unless a policy makes the objects")
    func abstractEntity() throws {
        let person = entity("Athlete", abstract: true, [attribute("name", .stringAttributeType)])
        let mapping = NSMappingModel()
        mapping.entityMappings = [MigrationLeague.entityMapping("Player", to: "Athlete")]
        let error = try failure(mapping, to: model(person))
        #expect(error.code == NSEntityMigrationPolicyError && error.localizedDescription.contains("abstract"))
    }

    @Test("without a mapping model nothing is migrated")
    func missingMapping() throws {
        let manager = NSMigrationManager(
            sourceModel: MigrationLeague.firstModel(), destinationModel: MigrationLeague.secondModel())
        let error = thrown {
            try manager.migrateStore(
                from: league.old, sourceType: testedStoreType, with: nil, toDestinationURL: league.new,
                destinationType: testedStoreType)
        }
        #expect(error?.code == NSMigrationMissingMappingModelError)
    }

    @Test("a source that is missing, damaged or of another model is told apart")
    func sources() throws {
        let manager = NSMigrationManager(
            sourceModel: MigrationLeague.secondModel(), destinationModel: MigrationLeague.firstModel())
        let text = league.folder.appendingPathComponent("Text.sqlite")
        try Data("no store".utf8).write(to: text)
        let missing = league.folder.appendingPathComponent("Missing.sqlite")
        for (url, code) in [(text, 259), (missing, 260), (league.old, NSPersistentStoreIncompatibleVersionHashError)] {
            let error = thrown {
                try manager.migrateStore(
                    from: url, type: .sqlite, mapping: NSMappingModel(), to: league.new, type: .sqlite)
            }
            #expect(error?.code == NSMigrationManagerSourceStoreError)
            #expect((error?.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == code)
        }
        #expect(try league.files == ["League.sqlite", "Text.sqlite"])
    }

    @Test("a store or another file at the destination is not overwritten; a destroyed store is")
    func destinations() throws {
        try MigrationLeague.open(league.new, MigrationLeague.secondModel()) { context throws in
            _ = context.insert("Club", ["title": "Kept"])
            try context.save()
        }
        let kept = league.new.isFileURL ? try Data(contentsOf: league.new) : nil
        let error = thrown { try league.migrate(by: MigrationLeague.mapping()) }
        #expect(error?.code == NSMigrationManagerDestinationStoreError)
        #expect(
            (error?.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == CocoaError.Code.fileWriteFileExists.rawValue)
        if let kept { #expect(try Data(contentsOf: league.new) == kept) }
        try MigrationLeague.open(league.new, MigrationLeague.secondModel()) { context throws in
            #expect(try context.strings("title", of: "Club", sortedBy: "title") == ["Kept"])
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: MigrationLeague.secondModel())
        try coordinator.destroyPersistentStore(at: league.new, type: .tested)
        try league.migrate(by: MigrationLeague.mapping())
        try MigrationLeague.open(league.new, MigrationLeague.secondModel()) { context throws in
            #expect(try context.strings("title", of: "Club", sortedBy: "title") == ["Team 0", "Team 1"])
        }
    }

    @Test("a destination folder that does not exist is told")
    func missingFolder() throws {
        let manager = NSMigrationManager(
            sourceModel: MigrationLeague.firstModel(), destinationModel: MigrationLeague.secondModel())
        let url = league.folder.appendingPathComponent("nowhere/New.sqlite")
        let error = thrown {
            try manager.migrateStore(
                from: league.old, type: .sqlite, mapping: MigrationLeague.mapping(), to: url, type: .sqlite)
        }
        #expect(error?.code == NSMigrationManagerDestinationStoreError)
    }
}

/// Fails in one of its methods.
final class FailingPolicy: NSEntityMigrationPolicy {
    enum Pass: CaseIterable, Sendable { case begin, create, endCreate, relate, endRelate, validate, end }

    private func fail(_ pass: Pass, _ manager: NSMigrationManager) throws {
        if manager.userInfo?["pass"] as? Pass == pass { throw NSError(domain: "test", code: 1) }
    }

    override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
        try fail(.begin, manager)
    }

    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        try fail(.create, manager)
    }

    override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        try fail(.endCreate, manager)
    }

    override func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws { try fail(.relate, manager) }

    override func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        try fail(.endRelate, manager)
    }

    override func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        try fail(.validate, manager)
    }

    override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws { try fail(.end, manager) }
}

/// Cancels at the second object.
final class CancellingPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        if sInstance.value(forKey: "age") as? Int == 1 {
            manager.cancelMigrationWithError(NSError(domain: "test", code: 7))
        }
        if sInstance.value(forKey: "age") as? Int ?? 0 > 1 { Issue.record("the migration goes on") }
    }
}
