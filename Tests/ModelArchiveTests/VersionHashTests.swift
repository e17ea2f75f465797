import Foundation
import ModelArchive
import ModelDocument
import Testing

@Suite struct VersionHashTests {
    @Test func hashesOfAKnownModelEqualThePublishedVector() throws {
        var user = Model.Entity(name: "User")
        var petName = Model.Attribute(name: "petName", type: .string)
        petName.isOptional = true
        user.attributes = [petName, Model.Attribute(name: "name", type: .string)]
        let hashes = try VersionHashes(Model(entities: [user]))
        #expect(
            hashes.entities.mapValues { hex($0) }
                == ["User": "6b31f4e97b691d16c4c820bae55f89408d47013bd42151ecfde1eac7fe4be798"])
        #expect(hashes.checksum == "u970QgYhRHEJGIt0zQr1UhuZL2ZJ1KxBS+B7rkAx0ik=")
        #expect(
            hashes.digest
                == "0KLB/FnL8roMcgeszeCxnPnvYqnn4VzB2DpFP6csqrDKzLB6fyG5rrVfjY5DtnQxx4355oWuKFublPf2Jo1UWg==")
    }

    @Test(arguments: Samples.stores)
    func hashesOfTheModelInAStoreEqualTheStoresOwn(store: StoreSample) throws {
        let hashes = try VersionHashes(ModelArchive.read(try #require(store.modelCache)))
        #expect(hashes.entities == store.hashes)
        #expect(store.digest == nil || hashes.digest == store.digest)
        #expect(store.checksum == nil || hashes.checksum == store.checksum)
    }

    /// The documents that the compiled models come from, as far as both are at hand.
    @Test(arguments: [
        ("alemar11-CoreDataPlus-SampleModel3/SampleModel3.xcdatamodeld", "SampleModel3.momd"),
        ("SwiftGen-SwiftGen-Model/Model.xcdatamodeld", "SwiftGen-Model.momd"),
    ])
    func hashesOfADocumentEqualThoseThatXcodeCompiledItTo(path: String, compiled: String) throws {
        let document = try ModelDocumentFolder(contentsOf: Samples.documentFolders[0].appending(path: path))
        let info = try VersionInfo(Samples.compiled(compiled + "/VersionInfo.plist"))
        #expect(!info.hashes.isEmpty)
        for (version, expected) in info.hashes {
            #expect(try VersionHashes(document.model(version: version)).entities == expected, "\(version)")
        }
    }

    @Test func anEntityThatIsItsOwnAncestorHasNoHash() {
        var first = Model.Entity(name: "First")
        first.parentName = "Second"
        var second = Model.Entity(name: "Second")
        second.parentName = "First"
        #expect(throws: CocoaError.self) { try VersionHashes(Model(entities: [first, second])) }
    }

    @Test func whatDoesNotChangeStorageDoesNotChangeHashes() throws {
        var entity = Model.Entity(name: "Player")
        entity.attributes = [Model.Attribute(name: "name", type: .string)]
        var other = entity
        other.attributes[0].defaultValueString = "Bird"
        other.attributes[0].maxValueString = "40"
        other.attributes[0].isIndexed = true
        other.attributes[0].userInfo = ["key": "value"]
        other.attributes[0].renamingIdentifier = "title"
        other.representedClass = "League.Player"
        other.fetchIndexes = [Model.FetchIndex(name: "byName", elements: [.init(propertyName: "name")])]
        #expect(try VersionHashes(Model(entities: [entity])) == VersionHashes(Model(entities: [other])))
    }

    @Test(
        arguments: [
            { $0.isAbstract = true }, { $0.name = "Person" }, { $0.versionHashModifier = "2" },
            { $0.uniquenessConstraints = [["name"]] }, { $0.attributes[0].isOptional = true },
            { $0.attributes[0].type = .binary }, { $0.attributes[0].allowsExternalBinaryDataStorage = true },
            { $0.attributes[0].preservesValueInHistoryOnDeletion = true }, { $0.attributes[0].isTransient = true },
            { $0.relationships[0].isOrdered = true }, { $0.relationships[0].maxCount = 7 },
            { $0.relationships[0].inverseName = "teams" }, { $0.relationships[0].minCount = 1 },
        ] as [@Sendable (inout Model.Entity) -> Void])
    func whatChangesStorageChangesHashes(change: @Sendable (inout Model.Entity) -> Void) throws {
        var entity = Model.Entity(name: "Player")
        entity.attributes = [Model.Attribute(name: "name", type: .string)]
        entity.relationships = [Model.Relationship(name: "team", destinationName: "Team")]
        var changed = entity
        change(&changed)
        #expect(try VersionHashes(Model(entities: [entity])) != VersionHashes(Model(entities: [changed])))
    }
}
