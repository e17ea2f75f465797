import Foundation
import RandomSeeds
import Testing

@testable import CoreData

/// Each version of the models of the shared folder becomes the next one: a sixth of them in each run, all of them with
/// `COREDATA_FULL_TESTS`.
@Suite(.enabled(if: VersionedModel.isAtHand, "the shared folder's models are needed"))
struct ModelVersionMigrationTests {
    @Test func thePairsAreMany() { #expect(ModelVersionPair.all.count > 150) }

    @Test(arguments: VersionedModel.all.map(\.name))
    func eachVersionBecomesTheNextOrSaysWhyNot(name: String) throws {
        for pair in FullRun.items(of: ModelVersionPair.all, elseOneIn: 6) where pair.versions.name == name {
            let mapping = try InferredMapping(from: pair.oldModel(), to: pair.newModel())
            let reasons = InferenceObstacle.sentences(mapping.obstacles)
            print("\(pair): \(reasons.isEmpty ? "yes" : "no, \(reasons.joined(separator: "; "))")")
            if reasons.isEmpty { try check(pair) }
        }
    }

    private func check(_ pair: ModelVersionPair) throws {
        let old = try pair.oldModel()
        let store = try MigratedStore(old) { context in
            var filler = GraphFiller(context, seed: SeededGenerator.seed)
            filler.fill(old)
        }
        let before = try store.use(old, [:]) { try NamedDump($0, old) }
        let new = try pair.newModel()
        let after: NamedDump
        do {
            after = try store.use(new) { try NamedDump($0, new) }
        } catch let error as NSError where error.code == NSMigrationConstraintViolationError {
            // The values are random.
            #expect(try store.use(old, [:]) { try NamedDump($0, old).text } == before.text, "\(pair)")
            return
        }
        let lost = before.lost(in: after, old, new)
        #expect(lost.isEmpty, "\(pair): \(lost.prefix(5).joined(separator: "\n"))")
        let schema = try PlainSchema(store.url).differences(from: PlainSchema(new))
        #expect(schema.isEmpty, "\(pair): \(schema.joined(separator: "\n"))")
        let problems = try SQLiteConnection.problems(in: store.url, new)
        #expect(problems.isEmpty, "\(pair): \(problems.joined(separator: "\n"))")
        if Oracle.isAtHand { try Oracle.checkHashes(store.url) }
    }
}

/// An object that is saved whatever its model asks for.
final class UncheckedObject: NSManagedObject {
    override func validateForInsert() throws {}
    override func validateForUpdate() throws {}
}

/// Two versions of a model that follow each other.
struct ModelVersionPair: CustomStringConvertible {
    let versions: VersionedModel
    let old: String
    let new: String

    var description: String { "\(versions.name) \(old) → \(new)" }

    static let all: [ModelVersionPair] = VersionedModel.all.flatMap { model in
        zip(model.versions, model.versions.dropFirst()).map { ModelVersionPair(versions: model, old: $0, new: $1) }
    }

    func oldModel() throws -> NSManagedObjectModel { try versions.model(old) }
    func newModel() throws -> NSManagedObjectModel { try versions.model(new) }
}

/// A model of the shared folder with its versions, the oldest first.
struct VersionedModel: CustomStringConvertible {
    /// The path in the folder of models.
    let name: String
    let versions: [String]

    var description: String { name }

    private static let folder = SharedFixtures.folder.appendingPathComponent("fixtures/models")

    static var isAtHand: Bool { FileManager.default.fileExists(atPath: folder.path) }

    static let all: [VersionedModel] = {
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(".xcdatamodeld") }.sorted().compactMap { name in
            guard let source = try? ModelSource(contentsOf: folder.appendingPathComponent(name)) else { return nil }
            let names = source.versionNames.filter { (try? source.document(version: $0)) != nil }
                .sorted { $0.compare($1, options: .numeric) == .orderedAscending }
            return names.count > 1 ? VersionedModel(name: name, versions: names) : nil
        }
    }()

    /// A version, without what values depend on and stores do not: classes, transformers and validation.
    func model(_ version: String) throws -> NSManagedObjectModel {
        let model = try NSManagedObjectModel(
            reading: Self.folder.appendingPathComponent(name), version: version)
        for entity in model.entities {
            entity.managedObjectClassName = NSStringFromClass(UncheckedObject.self)
            for property in entity.ownProperties {
                property.setValidationPredicates(nil, withValidationWarnings: nil)
                (property as? NSAttributeDescription)?.valueTransformerName = nil
            }
        }
        return model
    }
}
