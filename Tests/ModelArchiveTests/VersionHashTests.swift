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

/// Every hash, digest and checksum in the whole collection, whatever file it is in.
@Suite(.enabled(if: Samples.hasCollection, "the collection of samples is not at hand"))
struct CollectedHashTests {
    /// Stores with models that are nowhere in the collection.
    private static let withoutModel = ["Recipes.sqlite", "Model1.sqlite"]

    @Test func everyHashIsOneThatWeComputeForAModelAtHand() throws {
        let known = try Self.computed()
        var checked = 0
        for (place, hashes) in try Self.stated() {
            for (entity, hash) in hashes {
                #expect(known[entity]?.contains(hash) == true, "\(entity) of \(place)")
                checked += 1
            }
        }
        #expect(checked > 200)
    }

    /// Digest and checksum follow from the hashes, so no model is needed.
    @Test func everyDigestAndChecksumFollowsFromTheHashes() throws {
        var checked = 0
        for store in Samples.allStores where !store.hashes.isEmpty {
            let hashes = VersionHashes(entities: store.hashes)
            #expect(store.digest == nil || store.digest == hashes.digest, "\(store)")
            #expect(store.checksum == nil || store.checksum == hashes.checksum, "\(store)")
            checked += store.digest == nil ? 0 : 1
        }
        #expect(checked > 20)
    }

    /// The hashes of all models in the collection, by the entity's name.
    private static func computed() throws -> [String: Set<Data>] {
        var known: [String: Set<Data>] = [:]
        func add(_ model: Model) throws {
            for (entity, hash) in try VersionHashes(model).entities { known[entity, default: []].insert(hash) }
        }
        for url in Samples.documents {
            let document = try ModelDocumentFolder(contentsOf: url)
            for name in document.versionNames {
                guard let model = try? document.model(version: name) else { continue }
                try add(model)
            }
        }
        for archive in Samples.archives { try add(ModelArchive.read(archive.data)) }
        return known
    }

    /// The hashes that files state: stores, version infos, compiled mapping models.
    private static func stated() throws -> [(place: String, hashes: [String: Data])] {
        let stores = Samples.allStores.filter { !withoutModel.contains($0.url.lastPathComponent) }
            .map { ($0.url.lastPathComponent, $0.hashes) }
        let infos = try Samples.versionInfos.flatMap { url in
            try VersionInfo(Data(contentsOf: url)).hashes.map { (url.path + " " + $0.key, $0.value) }
        }
        let mappings = try Samples.compiledMappings.flatMap { url in
            try CompiledMapping(Data(contentsOf: url)).entityMappings.map { mapping in
                let sides = [
                    (mapping.sourceEntityName, mapping.sourceEntityVersionHash),
                    (mapping.destinationEntityName, mapping.destinationEntityVersionHash),
                ]
                let hashes = sides.compactMap { name, hash in name.flatMap { name in hash.map { (name, $0) } } }
                return (url.path + " " + mapping.name, Dictionary(hashes) { first, _ in first })
            }
        }
        return stores + infos + mappings
    }
}
