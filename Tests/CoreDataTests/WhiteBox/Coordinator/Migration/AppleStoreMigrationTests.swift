import Foundation
import Testing

@testable import CoreData

/// Stores that Apple's framework made become stores of each later version of their model, at once and step by step.
@Suite(.enabled(if: VersionedModel.isAtHand, "the shared folder's models are needed"))
struct AppleStoreMigrationTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    @Test func thereAreSuchStores() { #expect(OldStore.all.count >= 8, "\(OldStore.all.map(\.store))") }

    @Test(arguments: OldStore.all)
    func eachBecomesAllLaterVersions(old: OldStore) throws {
        let (former, later) = (old.versions[0], old.versions.dropFirst())
        let stepwise = try copy(old, "Steps")
        guard try SQLiteStore.modelArchive(at: stepwise) != nil else { return try refuses(stepwise, old) }
        var last = try dump(stepwise, try old.model.model(former), former)
        var model = try old.model.model(former)
        for version in later {
            let next = try old.model.model(version)
            if !InferredMapping(from: model, to: next).obstacles.isEmpty {
                print(
                    "\(old) → \(version): \(InferenceObstacle.sentences(InferredMapping(from: model, to: next).obstacles))"
                )
                return
            }
            let after = try dump(stepwise, next, version)
            #expect(last.lost(in: after, model, next).isEmpty, "\(old) → \(version)")
            try check(stepwise, next)
            let direct = try copy(old, version)
            if InferredMapping(from: try old.model.model(former), to: next).obstacles.isEmpty,
                try !old.losesOnTheWay(to: version)
            {
                let atOnce = try dump(direct, try old.model.model(version), version)
                #expect(atOnce.text == after.text, "\(old) → \(version)")
            }
            (last, model) = (after, next)
        }
    }

    /// The model of an older store is in no bundle of this program.
    private func refuses(_ url: URL, _ old: OldStore) throws {
        let error = try #require(thrown { _ = try dump(url, try old.model.model(old.versions[1]), "") })
        #expect(error.code == NSMigrationMissingSourceModelError, "\(old)")
    }

    private func check(_ url: URL, _ model: NSManagedObjectModel) throws {
        let problems = try SQLiteConnection.problems(in: url, model)
        #expect(problems.isEmpty, "\(url.lastPathComponent): \(problems)")
        let schema = try PlainSchema(url).differences(from: PlainSchema(model))
        #expect(schema.isEmpty, "\(url.lastPathComponent): \(schema.joined(separator: "\n"))")
        if Oracle.isAtHand { try Oracle.checkHashes(url) }
    }

    private func copy(_ old: OldStore, _ name: String) throws -> URL {
        let url = folder.file("\(name) \(old.store.replacing("/", with: " "))")
        for suffix in ["", "-wal"] {
            let original = SharedFixtures.stores.appendingPathComponent(old.store).path + suffix
            guard FileManager.default.fileExists(atPath: original) else { continue }
            try FileManager.default.copyItem(atPath: original, toPath: url.path + suffix)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path + suffix)
        }
        return url
    }

    /// Opens the store with a version of the model, and reads all of it.
    private func dump(_ url: URL, _ model: NSManagedObjectModel, _ version: String) throws -> NamedDump {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: MigratedStore.automatic)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let dump = try context.performAndWait { try NamedDump(context, model) }
        try coordinator.remove(store)
        return dump
    }
}

/// A store of the shared folder that a version of a model made which has later ones.
struct OldStore: CustomStringConvertible {
    let store: String
    let model: VersionedModel
    /// The store's version, and the later ones.
    let versions: [String]

    var description: String { "\(store) (\(versions[0]))" }

    /// Whether a version between lacks what the first and the last have.
    func losesOnTheWay(to last: String) throws -> Bool {
        func elements(_ version: String) throws -> Set<String> {
            Set(
                try model.model(version).entities.flatMap { entity in
                    [entity.name ?? ""] + entity.propertiesByName.keys.map { "\(entity.name ?? "").\($0)" }
                })
        }
        let shared = try elements(versions[0]).intersection(elements(last))
        return try versions.prefix { $0 != last }.contains { try !shared.isSubset(of: elements($0)) }
    }

    static let all: [OldStore] = {
        var hashes: [(VersionedModel, String, [String: Data])] = []
        for model in VersionedModel.all {
            for version in model.versions.dropLast() {
                guard let found = try? model.model(version) else { continue }
                hashes.append((model, version, found.entityVersionHashesByName))
            }
        }
        return AppleStores.allNames.flatMap { name -> [OldStore] in
            let metadata = try? SQLiteStore.metadata(
                at: SharedFixtures.stores.appendingPathComponent(name),
                options: [SQLiteEvidenceOption: NSNumber(value: true)])
            guard let stored = metadata?[NSStoreModelVersionHashesKey] as? [String: Data] else { return [] }
            return hashes.filter { $0.2 == stored }.map { model, version, _ in
                OldStore(
                    store: name, model: model,
                    versions: Array(model.versions.drop { $0 != version }))
            }
        }
    }()
}
