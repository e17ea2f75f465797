import CoreData
import Foundation
import ModelArchive
import ModelDocument
import RandomSeeds
import StoreInspection
import Testing

@Suite("What tools say of a new version of a model is what a store meets")
struct JudgedComparisonTests {
    private func league() -> Model {
        var team = Model.Entity(name: "Team")
        team.attributes = [.init(name: "founded", type: .date)]
        team.attributes[0].isOptional = true
        var player = Model.Entity(name: "Player")
        player.attributes = [.init(name: "age", type: .integer16), .init(name: "name", type: .string)]
        player.attributes[0].isOptional = true
        player.relationships = [.init(name: "team", destinationName: "Team")]
        player.relationships[0].isOptional = true
        return Model(entities: [player, team])
    }

    /// The needs of a change of the league.
    private func needs(_ change: (inout Model) throws -> Void) rethrows -> [StoreNeed] {
        var new = league()
        try change(&new)
        return JudgedComparison(from: league(), to: new).changes.map(\.need)
    }

    private func edit(_ name: String, _ change: (inout Model.Attribute) -> Void) -> [StoreNeed] {
        needs { model in
            guard var attribute = model[entity: "Player"]?[attribute: name] else { return }
            change(&attribute)
            model[entity: "Player"]?[attribute: name] = attribute
        }
    }

    private func relate(_ change: (inout Model.Relationship) -> Void) -> StoreNeed {
        var new = league()
        change(&new.entities[0].relationships[0])
        return JudgedComparison(from: league(), to: new).need
    }

    @Test("Attributes: what stores have to follow, and what they don't notice")
    func attributes() {
        #expect(edit("name") { $0.defaultValueString = "x" } == [.nothing])
        #expect(edit("name") { $0.isOptional = true } == [.lightweight])
        #expect(edit("age") { $0.isOptional = false } == [.conditional(reason: "now required, no default")])
        #expect(edit("age") { ($0.isOptional, $0.defaultValueString) = (false, "1") } == [.lightweight])
        #expect(edit("age") { $0.type = .integer64 } == [.lightweight])
        #expect(
            edit("age") { $0.type = .boolean }
                == [.conditional(reason: "Integer 16 became Boolean, which can't hold all numbers")])
        #expect(
            edit("name") { $0.type = .uri }
                == [.mapping(reason: "String became URI, which values do not become by themselves")])
        #expect(edit("age") { $0.userInfo = ["k": "v"] } == [.nothing])
    }

    @Test("Additions, removals and names")
    func additions() throws {
        var nick = Model.Attribute(name: "nick", type: .string)
        #expect(
            needs { $0[entity: "Player"]?.attributes.append(nick) }
                == [.conditional(reason: "new, required, no default")])
        nick.isOptional = true
        #expect(needs { $0[entity: "Player"]?.attributes.append(nick) } == [.lightweight])
        nick.isTransient = true
        #expect(needs { $0[entity: "Player"]?.attributes.append(nick) } == [.nothing])
        #expect(needs { $0[entity: "Player"]?.uniquenessConstraints = [["name", "age"]] } == [.lightweight])
        #expect(needs { $0.fetchRequests = [.init(name: "All", entityName: "Player")] } == [.nothing])
        let renamed = try needs {
            try $0.renameEntity("Team", to: "Club")
            $0[entity: "Club"]?.renamingIdentifier = "Team"
            try $0.renameProperty("name", of: "Player", to: "fullName")
            $0[entity: "Player"]?[attribute: "fullName"]?.renamingIdentifier = "name"
        }
        #expect(renamed == [.lightweight, .lightweight])
    }

    @Test("Relationships and hierarchies")
    func relationships() {
        // Several teams may have had the same player, whose member a team can be once only.
        #expect(relate { $0.maxCount = 0 }.name == "conditional")
        #expect(relate { $0.deleteRule = .cascade } == .nothing)
        #expect(relate { $0.destinationName = "Player" }.name == "conditional")
        #expect(relate { $0.isOptional = false }.name == "conditional")
        var many = league()
        many.entities[0].relationships[0].maxCount = 0
        #expect(JudgedComparison(from: many, to: league()).need.name == "mapping")
        var merged = league()
        merged.entities.append(.init(name: "Thing"))
        merged[entity: "Player"]?.parentName = "Thing"
        #expect(JudgedComparison(from: league(), to: merged).need == .lightweight)
        merged[entity: "Team"]?.parentName = "Thing"
        #expect(JudgedComparison(from: league(), to: merged).need.name == "mapping")
    }

    @Test("A required attribute that moves within its hierarchy has its values already")
    func moves() throws {
        var old = league()
        old.entities.append(.init(name: "Goalkeeper"))
        old[entity: "Goalkeeper"]?.parentName = "Player"
        old[entity: "Player"]?.isAbstract = true
        var new = old
        new[entity: "Goalkeeper"]?.attributes = [.init(name: "name", type: .string)]
        new[entity: "Player"]?[attribute: "name"] = nil
        #expect(JudgedComparison(from: old, to: new).need == .lightweight)
        #expect(JudgedComparison(from: new, to: old).need == .lightweight)
    }

    @Test("Elements of composites are judged with the attributes that have them")
    func composites() {
        var old = league()
        var city = Model.Attribute(name: "city", type: .string)
        city.isOptional = true
        old.composites = [.init(name: "Address", elements: [city])]
        var address = Model.Attribute(name: "address", type: .composite)
        (address.compositeName, address.isOptional) = ("Address", true)
        old.entities[0].attributes.append(address)
        var new = old
        new.composites[0].elements[0].type = .date
        let comparison = JudgedComparison(from: old, to: new)
        #expect(comparison.changes.map(\.need.name) == ["mapping"] && comparison.others.isEmpty)
        #expect(comparison.need.name == "mapping")
    }

    @Test("Of a faulty model the changes are told, and why the need is not")
    func faulty() {
        var broken = league()
        broken.entities[0].relationships[0].destinationName = "Nowhere"
        let comparison = JudgedComparison(from: league(), to: broken)
        #expect(comparison.changes.count == 1 && comparison.need.name == "unknown")
        #expect(comparison.need.reason?.contains("Nowhere") ?? false, "\(comparison.need)")
    }

    @Test("Adjacent versions of real models: the verdict is that of the runtime", .enabled(if: hasModels))
    func histories() throws {
        var names: [String: Int] = [:]
        for folder in try ModelSamples.allDocuments(in: ModelSamples.collection) {
            guard let document = try? ModelDocumentFolder(contentsOf: folder) else { continue }
            let versions = document.versionNames.sorted { $0.compare($1, options: .numeric) == .orderedAscending }
            let models = versions.compactMap { name in (try? document.model(version: name)).map { (name, $0) } }
            // A third of them, and all with COREDATA_FULL_TESTS.
            for (old, new) in FullRun.items(of: Array(zip(models, models.dropFirst())), elseOneIn: 6) {
                let comparison = JudgedComparison(from: old.1, to: new.1)
                let place = "\(folder.lastPathComponent): \(old.0) → \(new.0)"
                try compare(comparison, old.1, new.1, place)
                names[comparison.need.name, default: 0] += 1
            }
        }
        #expect(names.values.reduce(0, +) >= (FullRun.isOn ? 150 : 50) && names.keys.count >= 3, "\(names)")
        print("verdicts: \(names)")
    }

    private static let hasModels = FileManager.default.fileExists(atPath: ModelSamples.collection.path)

    private func compare(_ comparison: JudgedComparison, _ old: Model, _ new: Model, _ place: String) throws {
        let isSame = try VersionHashes(old).entities == VersionHashes(new).entities
        #expect((comparison.need == .nothing) == isSame, "\(place): \(comparison.need)")
        // What the changes say one by one is what is said of all.
        let needs = comparison.changes.map(\.need.name) + (comparison.others.isEmpty ? [] : ["other"])
        switch comparison.need {
        case .nothing: #expect(Set(needs).isSubset(of: ["none"]), "\(place): \(comparison.changes)")
        case .lightweight: #expect(Set(needs).isSubset(of: ["none", "lightweight"]), "\(place): \(comparison.changes)")
        case .conditional, .mapping:
            #expect(needs.contains(comparison.need.name) || needs.contains("other"), "\(place): \(comparison.changes)")
        case .unknown(let reason): Issue.record("\(place): \(reason)")
        }
        guard !isSame else { return }
        let (source, destination) = (
            try NSManagedObjectModel(document: old.withoutClasses),
            try NSManagedObjectModel(document: new.withoutClasses)
        )
        var reason: String?
        do {
            _ = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
        } catch let error as NSError { reason = error.localizedFailureReason }
        #expect((comparison.need == .lightweight) == (reason == nil), "\(place): \(comparison.need) \(reason ?? "")")
        for part in (comparison.need.reason ?? "").components(separatedBy: "; ") where !part.isEmpty {
            #expect(reason?.contains(part) ?? false, "\(place): \(part)")
        }
    }
}
