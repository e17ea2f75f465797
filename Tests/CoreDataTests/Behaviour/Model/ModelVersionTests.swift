import CoreData
import Foundation
import Testing

@Suite("Version hashes of models made in code")
struct ModelVersionTests {
    private func user() -> (NSManagedObjectModel, NSEntityDescription) {
        let (name, petName) = (NSAttributeDescription(), NSAttributeDescription())
        name.name = "name"
        name.type = .string
        name.isOptional = false
        petName.name = "petName"
        petName.type = .string
        let user = NSEntityDescription()
        user.name = "User"
        user.properties = [name, petName]
        let model = NSManagedObjectModel()
        model.entities = [user]
        return (model, user)
    }

    @Test("They equal those of Apple's framework")
    func known() {
        let (model, user) = user()
        let hash = Data(base64Encoded: "azH06XtpHRbEyCC65V+JQI1HATvUIVHs/eHqx/5L55g=")
        #expect(user.versionHash == hash)
        #expect(model.entityVersionHashesByName == ["User": user.versionHash])
        #expect(model.versionChecksum == "u970QgYhRHEJGIt0zQr1UhuZL2ZJ1KxBS+B7rkAx0ik=")
    }

    @Test(
        "They change with what storage depends on",
        arguments: [
            { (user: NSEntityDescription) in user.isAbstract = true },
            { $0.versionHashModifier = "2" },
            { $0.uniquenessConstraints = [["name"]] },
            { $0.uniquenessConstraints = [[$0.propertiesByName["name"]!]] },
            { $0.propertiesByName["name"]?.isOptional = true },
            { $0.propertiesByName["name"]?.isTransient = true },
            { $0.propertiesByName["name"]?.versionHashModifier = "2" },
            { $0.propertiesByName["name"]?.name = "title" },
            { $0.attributesByName["name"]?.type = .integer16 },
            { $0.attributesByName["name"]?.allowsExternalBinaryDataStorage = true },
            { $0.attributesByName["name"]?.preservesValueInHistoryOnDeletion = true },
        ] as [@Sendable (NSEntityDescription) -> Void])
    func changing(change: @Sendable (NSEntityDescription) -> Void) {
        let (model, user) = user()
        let before = (user.versionHash, model.versionChecksum)
        change(user)
        #expect(user.versionHash != before.0 && model.versionChecksum != before.1)
    }

    @Test(
        "They do not change with anything else",
        arguments: [
            { (user: NSEntityDescription) in user.managedObjectClassName = "League.User" },
            { $0.userInfo = ["a": 1] },
            { $0.renamingIdentifier = "Person" },
            { $0.attributesByName["name"]?.defaultValue = "x" },
            { $0.attributesByName["name"]?.renamingIdentifier = "title" },
            { $0.attributesByName["name"]?.userInfo = ["a": 1] },
            {
                $0.attributesByName["name"]?.setValidationPredicates(
                    [NSPredicate(format: "length > 3")], withValidationWarnings: ["short"])
            },
            {
                let element = NSFetchIndexElementDescription(
                    property: $0.propertiesByName["name"]!, collationType: .binary)
                $0.indexes = [NSFetchIndexDescription(name: "i", elements: [element])]
            },
        ] as [@Sendable (NSEntityDescription) -> Void])
    func constant(change: @Sendable (NSEntityDescription) -> Void) {
        let (model, user) = user()
        let before = model.entityVersionHashesByName
        change(user)
        #expect(model.entityVersionHashesByName == before)
    }

    @Test("A delete rule does not change them; a destination and counts do")
    func relationships() {
        func hash(_ change: (NSRelationshipDescription) -> Void) -> Data {
            let league = ModelLeague()
            change(league.players)
            return league.model.entityVersionHashesByName["Team"] ?? Data()
        }
        let plain = hash { _ in }
        #expect(hash { $0.deleteRule = .denyDeleteRule } == plain)
        #expect(hash { $0.maxCount = 15 } != plain && hash { $0.isOrdered = true } != plain)
    }

    @Test("A property's hash changes with the property")
    func properties() throws {
        let league = ModelLeague()
        let name = try #require(league.team.propertiesByName["name"])
        let before = name.versionHash
        #expect(before.count == 32 && before != league.players.versionHash)
        name.isOptional = false
        #expect(name.versionHash != before)
    }

    @Test("A configuration is compatible with a store that has exactly its entities in its version")
    func compatibility() {
        let league = ModelLeague()
        league.model.setEntities([league.team], forConfigurationName: "Public")
        let all: [String: Any] = [NSStoreModelVersionHashesKey: league.model.entityVersionHashesByName]
        let team: [String: Any] = [NSStoreModelVersionHashesKey: ["Team": league.team.versionHash]]
        #expect(league.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: all))
        #expect(!league.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: team))
        #expect(league.model.isConfiguration(withName: "Public", compatibleWithStoreMetadata: team))
        #expect(!league.model.isConfiguration(withName: "Public", compatibleWithStoreMetadata: all))
        #expect(!league.model.isConfiguration(withName: "Nowhere", compatibleWithStoreMetadata: all))
        #expect(!league.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: [:]))
        league.team.properties.append(league.attribute("city", .string))
        #expect(!league.model.isConfiguration(withName: "Public", compatibleWithStoreMetadata: team))
    }
}

@Suite("Merging models")
struct ModelMergingTests {
    private func stadiums() -> NSManagedObjectModel {
        let stadium = NSEntityDescription()
        stadium.name = "Stadium"
        let model = NSManagedObjectModel()
        model.entities = [stadium]
        model.setEntities([stadium], forConfigurationName: "Public")
        return model
    }

    @Test("The merged model has copies of all entities, configurations joined, equal entities once")
    func merging() throws {
        let (league, other) = (ModelLeague(), ModelLeague())
        league.model.setEntities([league.team], forConfigurationName: "Public")
        let merged = try #require(NSManagedObjectModel(byMerging: [league.model, stadiums(), other.model]))
        #expect(Set(merged.entitiesByName.keys) == ["Person", "Player", "Coach", "Team", "Stadium"])
        #expect(merged.entitiesByName["Team"] !== league.team)
        #expect(Set(merged.entities(forConfigurationName: "Public")?.compactMap(\.name) ?? []) == ["Team", "Stadium"])
        #expect(merged.entitiesByName["Player"]?.superentity === merged.entitiesByName["Person"])
        #expect(merged.entitiesByName["Team"]?.versionHash == league.team.versionHash)
    }

    @Test("Nothing merges to nothing")
    func empty() {
        #expect(NSManagedObjectModel(byMerging: []) == nil)
    }

    @Test("For a store the version that it was made with is found among others")
    func forMetadata() throws {
        let (old, new) = (ModelLeague(), ModelLeague())
        new.team.properties.append(new.attribute("city", .string))
        let models = [new.model, old.model, stadiums()]
        let league = old.model.entityVersionHashesByName
        let found = try #require(
            NSManagedObjectModel(byMerging: models, forStoreMetadata: [NSStoreModelVersionHashesKey: league]))
        #expect(found.entityVersionHashesByName == league)

        let both = league.merging(stadiums().entityVersionHashesByName) { first, _ in first }
        let joined = NSManagedObjectModel(byMerging: models, forStoreMetadata: [NSStoreModelVersionHashesKey: both])
        #expect(joined?.entityVersionHashesByName == both)

        var unknown = league
        unknown["Team"] = Data(repeating: 1, count: 32)
        #expect(
            NSManagedObjectModel(byMerging: models, forStoreMetadata: [NSStoreModelVersionHashesKey: unknown]) == nil)
        #expect(NSManagedObjectModel(byMerging: models, forStoreMetadata: [:]) == nil)
    }
}
