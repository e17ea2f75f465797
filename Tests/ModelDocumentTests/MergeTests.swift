import Foundation
import ModelDocument
import RandomSeeds
import Testing

@Suite("Merging two sides of a model")
struct MergeTests {
    private func team() -> Model {
        var team = Model.Entity(name: "Team")
        team.attributes = [.init(name: "founded", type: .date), .init(name: "name", type: .string)]
        var player = Model.Entity(name: "Player")
        player.attributes = [.init(name: "age", type: .integer16), .init(name: "name", type: .string)]
        player.relationships = [.init(name: "team", destinationName: "Team")]
        var model = Model(entities: [player, team])
        model.documentInfo = .newDocument()
        return model
    }

    private func merge(
        base: Model? = nil, _ ours: (inout Model) throws -> Void, _ theirs: (inout Model) throws -> Void
    ) throws -> ModelMerge {
        let base = base ?? team()
        var (mine, their) = (base, base)
        try ours(&mine)
        try theirs(&their)
        return try ModelMerge(base: base, ours: mine, theirs: their)
    }

    @Test("Different settings of one attribute are both taken")
    func settings() throws {
        let merge = try merge {
            $0[entity: "Player"]?[attribute: "age"]?.isOptional = true
        } _: {
            $0[entity: "Player"]?[attribute: "age"]?.defaultValueString = "18"
        }
        let age = merge.model[entity: "Player"]?[attribute: "age"]
        #expect(merge.conflicts.isEmpty && age?.isOptional == true && age?.defaultValueString == "18")
    }

    @Test("One setting changed in two ways is a conflict that names it, and ours is taken")
    func contradiction() throws {
        let merge = try merge {
            $0[entity: "Player"]?[attribute: "age"]?.defaultValueString = "18"
        } _: {
            $0[entity: "Player"]?[attribute: "age"]?.defaultValueString = "21"
        }
        #expect(merge.model[entity: "Player"]?[attribute: "age"]?.defaultValueString == "18")
        #expect(
            merge.conflicts.map(\.description) == [
                "Player.age: defaultValueString was not there, is “18” with us and “21” with them; taken: ours"
            ])
    }

    @Test("A type changed by one side, and its default by the other, is a conflict")
    func type() throws {
        let merge = try merge {
            $0[entity: "Player"]?[attribute: "age"]?.type = .string
        } _: {
            $0[entity: "Player"]?[attribute: "age"]?.defaultValueString = "21"
        }
        #expect(merge.model[entity: "Player"]?[attribute: "age"]?.type == .string)
        #expect(merge.conflicts.count == 2 && merge.conflicts.allSatisfy { $0.place == "Player.age" })
    }

    @Test("Removed here and changed there is a conflict that keeps the change; removed on both sides is none")
    func removals() throws {
        for isOurs in [true, false] {
            let remove: (inout Model) throws -> Void = { try $0.removeProperty("age", of: "Player") }
            let change: (inout Model) throws -> Void = { $0[entity: "Player"]?[attribute: "age"]?.isOptional = true }
            let merge = try merge(isOurs ? remove : change, isOurs ? change : remove)
            #expect(merge.model[entity: "Player"]?[attribute: "age"]?.isOptional == true)
            let (one, other) = isOurs ? ("us", "them") : ("them", "us")
            #expect(
                merge.conflicts.map(\.description) == [
                    "Player.age: was removed by \(one) and changed by \(other); taken: the change"
                ])
        }
        let both = try merge {
            try $0.removeEntity("Player")
        } _: {
            try $0.removeEntity("Player")
        }
        #expect(both.conflicts.isEmpty && both.model.entities.map(\.name) == ["Team"])
    }

    @Test("What is done to a renamed element reaches it under its new name, and so do new references")
    func renames() throws {
        let merge = try merge {
            try $0.renameEntity("Team", to: "Club")
            $0[entity: "Club"]?.renamingIdentifier = "Team"
            try $0.renameProperty("name", of: "Player", to: "fullName")
            $0[entity: "Player"]?[attribute: "fullName"]?.renamingIdentifier = "name"
        } _: {
            $0[entity: "Team"]?.attributes.append(.init(name: "zip", type: .string))
            $0[entity: "Player"]?[attribute: "name"]?.isOptional = true
            $0[entity: "Player"]?.relationships.append(.init(name: "oldTeam", destinationName: "Team"))
            $0[entity: "Player"]?.uniquenessConstraints = [["name"]]
        }
        #expect(merge.conflicts.isEmpty)
        #expect(merge.model.entities.map(\.name).sorted() == ["Club", "Player"])
        #expect(merge.model[entity: "Club"]?.attributes.map(\.name) == ["founded", "name", "zip"])
        let player = merge.model[entity: "Player"]
        #expect(player?[attribute: "fullName"]?.isOptional == true && player?[attribute: "name"] == nil)
        #expect(player?.relationships.map(\.destinationName) == ["Club", "Club"])
        #expect(player?.uniquenessConstraints == [["fullName"]])
    }

    @Test("Two new names for one entity are a conflict, and nothing of either side is lost")
    func twoNames() throws {
        let merge = try merge {
            try $0.renameEntity("Team", to: "Club")
            $0[entity: "Club"]?.renamingIdentifier = "Team"
        } _: {
            try $0.renameEntity("Team", to: "Squad")
            $0[entity: "Squad"]?.renamingIdentifier = "Team"
            $0[entity: "Squad"]?.attributes.append(.init(name: "zip", type: .string))
        }
        #expect(
            merge.conflicts.map(\.description) == ["Team: is renamed Club by us and Squad by them; taken: Club"])
        #expect(merge.model[entity: "Club"]?.attributes.count == 3 && merge.model.entities.count == 2)
    }

    @Test("What only the sum of both sides breaks is a conflict")
    func sum() throws {
        let merge = try merge {
            try $0.removeProperty("team", of: "Player")
            try $0.removeEntity("Team")
        } _: {
            $0[entity: "Player"]?.relationships.append(.init(name: "oldTeam", destinationName: "Team"))
        }
        #expect(merge.conflicts.map(\.place) == ["Player.oldTeam"])
        #expect(merge.conflicts.first?.message.contains("Team, which is not in the model") == true)
    }

    @Test("Additions of both sides stand where they would in a sorted document, whichever side is ours")
    func additions() throws {
        let ours: (inout Model) -> Void = { model in
            model[entity: "Player"]?.attributes = ["age", "born", "name", "shirt"].map {
                .init(name: $0, type: .string)
            }
        }
        let theirs: (inout Model) -> Void = { model in
            model[entity: "Player"]?.attributes = ["age", "Captain", "name", "points"].map {
                .init(name: $0, type: .string)
            }
        }
        var base = team()
        base[entity: "Player"]?.attributes = ["age", "name"].map { .init(name: $0, type: .string) }
        let (one, other) = (try merge(base: base, ours, theirs), try merge(base: base, theirs, ours))
        #expect(one.conflicts.isEmpty && other.conflicts.isEmpty)
        #expect(
            one.model[entity: "Player"]?.attributes.map(\.name) == [
                "age", "born", "Captain", "name", "points", "shirt",
            ])
        #expect(try one.model.contents() == other.model.contents())
    }

    @Test("Constraints, user info and members are merged one by one; elements of an index are not")
    func lists() throws {
        var base = team()
        base.configurations = [.init(name: "C", entityNames: ["Player", "Team"])]
        base[entity: "Player"]?.uniquenessConstraints = [["name"]]
        base[entity: "Player"]?.fetchIndexes = [.init(name: "i", elements: [.init(propertyName: "age")])]
        let merge = try merge(base: base) {
            $0[configuration: "C"]?.entityNames = ["Player"]
            $0[entity: "Player"]?.uniquenessConstraints = []
            $0[entity: "Team"]?.userInfo = ["ours": "1"]
            $0[entity: "Player"]?[fetchIndex: "i"]?.elements.append(.init(propertyName: "name"))
        } _: {
            $0.entities.append(.init(name: "Zoo"))
            $0[configuration: "C"]?.entityNames.append("Zoo")
            $0[entity: "Player"]?.uniquenessConstraints.append(["age", "name"])
            $0[entity: "Team"]?.userInfo = ["theirs": "2"]
            $0[entity: "Player"]?[fetchIndex: "i"]?.elements.append(.init(propertyName: "team"))
        }
        #expect(merge.model[configuration: "C"]?.entityNames == ["Player", "Zoo"])
        #expect(merge.model[entity: "Player"]?.uniquenessConstraints == [["age", "name"]])
        #expect(merge.model[entity: "Team"]?.userInfo?.entries.map(\.key) == ["ours", "theirs"])
        #expect(merge.model[entity: "Player"]?.fetchIndexes[0].elements.map(\.propertyName) == ["age", "name"])
        #expect(
            merge.conflicts.map(\.description) == [
                "Player.fetchIndex i: its elements were changed by both sides; taken: ours"
            ])
    }

    @Test("The program that saved last, and the places of boxes, are no conflict")
    func toolsAndDiagram() throws {
        var base = team()
        base.diagramElements = [.init(name: "Player", width: 128, height: 60)]
        let merge = try merge(base: base) {
            $0.documentInfo?.lastSavedToolsVersion = "9999"
            $0.documentInfo?.systemVersion = "24A1"
            $0.diagramElements[0].height = 75
        } _: {
            $0.documentInfo?.lastSavedToolsVersion = "25000"
            $0.documentInfo?.systemVersion = "23A1"
            $0.diagramElements[0].height = 90
        }
        #expect(merge.conflicts.isEmpty)
        #expect(merge.model.documentInfo?.lastSavedToolsVersion == "25000")
        #expect(merge.model.documentInfo?.systemVersion == "23A1" && merge.model.diagramElements[0].height == 90)
    }

    @Test("What both sides took out of an index is gone from it, and an index without elements, too")
    func indexElements() throws {
        for names in [["age", "name", "team"], ["age", "name"]] {
            var base = team()
            base[entity: "Player"]?.fetchIndexes = [.init(name: "i", elements: names.map { .init(propertyName: $0) })]
            let merge = try merge(base: base) {
                try $0.removeProperty("age", of: "Player")
            } _: {
                try $0.removeProperty("name", of: "Player")
            }
            #expect(merge.conflicts.isEmpty)
            let left = merge.model[entity: "Player"]?.fetchIndexes.map { $0.elements.map(\.propertyName) }
            #expect(left == (names.count == 3 ? [["team"]] : []))
        }
    }

    @Test("What each side took out of a constraint or a compound index is gone from it; a new list is left alone")
    func listedNames() throws {
        for names: Model.NameTuple in [["age", "name", "team"], ["age", "name"]] {
            var base = team()
            base[entity: "Player"]?.compoundIndexes = [names]
            base[entity: "Player"]?.uniquenessConstraints = [names]
            let merge = try merge(base: base) {
                try $0.removeProperty("age", of: "Player")
            } _: {
                try $0.removeProperty("name", of: "Player")
            }
            #expect(merge.conflicts.isEmpty)
            let left: [Model.NameTuple] = names.names.count == 3 ? [["team"]] : []
            #expect(merge.model[entity: "Player"]?.compoundIndexes == left)
            #expect(merge.model[entity: "Player"]?.uniquenessConstraints == left)
        }
        let merge = try merge {
            try $0.removeProperty("age", of: "Player")
        } _: {
            $0[entity: "Player"]?.compoundIndexes = [["age", "name"]]
        }
        #expect(merge.conflicts.count == 1 && merge.model[entity: "Player"]?.compoundIndexes == [["age", "name"]])
    }

    @Test("Without a base, what both sides have alike is there once")
    func noBase() throws {
        var theirs = team()
        theirs.entities.append(.init(name: "Zoo"))
        theirs[entity: "Team"]?.attributes[0].isOptional = true
        let merge = try ModelMerge(base: nil, ours: team(), theirs: theirs)
        #expect(merge.model.entities.map(\.name) == ["Player", "Team", "Zoo"])
        #expect(merge.conflicts.map(\.place) == ["Team.founded"])
    }

    @Test("A model that no document can say is an error, not a loss")
    func compiled() throws {
        var model = team()
        model.entities[0].attributes[0].validationRules = [.init(predicateFormat: "SELF > 1", warning: .code(1))]
        #expect(throws: ModelDocumentError.self) { try ModelMerge(base: team(), ours: model, theirs: team()) }
    }
}

/// A third of the histories, all of them with `COREDATA_FULL_TESTS`.
@Suite("Merging real histories")
struct MergeHistoryTests {
    /// Each version of a document with the one after it.
    static let histories: [(name: String, old: Data, new: Data)] = Samples.collections.flatMap { folder in
        let documents = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
        return documents.filter { $0.hasSuffix(".xcdatamodeld") }.sorted().flatMap { path -> [(String, Data, Data)] in
            guard let document = try? ModelDocumentFolder(contentsOf: folder.appending(path: path)) else { return [] }
            let names = document.versionNames.sorted { $0.compare($1, options: .numeric) == .orderedAscending }
            let versions = names.compactMap { name in (try? document.contents(ofVersion: name)).map { (name, $0) } }
            return zip(versions, versions.dropFirst()).map { ("\(document.name): \($1.0)", $0.1, $1.1) }
        }
    }

    @Test("There are histories to test with")
    func histories() {
        #expect(Self.histories.count >= (Samples.hasCollection ? 150 : 3))
    }

    @Test("A side without changes leaves the other as it is, byte for byte")
    func identities() throws {
        for (name, old, new) in FullRun.items(of: Self.histories, elseOneIn: 3) {
            let (base, side) = (try Model(contents: old), try Model(contents: new))
            let ours = try ModelMerge(base: base, ours: side, theirs: base)
            let theirs = try ModelMerge(base: base, ours: base, theirs: side)
            #expect(ours.conflicts.isEmpty && theirs.conflicts.isEmpty, "\(name)")
            #expect(try ours.model.contents() == new && theirs.model.contents() == new, "\(name)")
            let both = try ModelMerge(base: base, ours: side, theirs: side)
            #expect(try both.model.contents() == new && both.conflicts.isEmpty, "\(name)")
        }
    }

    @Test("Random edits of both sides that don't touch are all kept, in a valid model, whichever side is ours")
    func randomEdits() throws {
        let seed = SeededGenerator.seed
        var generator = SeededGenerator(seed: seed)
        print("merging random edits, seed \(seed)")
        for (name, old, _) in Self.histories.shuffled(using: &generator).prefix(FullRun.isOn ? 60 : 20) {
            let base = try Model(contents: old)
            try check(base, base, base.editTargets, "\(name), seed \(seed)", &generator)
        }
    }

    @Test("The next version and random edits of what it left alone are all kept")
    func nextVersion() throws {
        let seed = SeededGenerator.seed
        var generator = SeededGenerator(seed: seed)
        print("merging the next version with random edits, seed \(seed)")
        for (name, old, new) in Self.histories.shuffled(using: &generator).prefix(FullRun.isOn ? 60 : 20) {
            let (base, next) = (try Model(contents: old), try Model(contents: new))
            try check(base, next, base.targetsAsBefore(in: next), "\(name), seed \(seed)", &generator)
        }
    }

    /// Edits both sides at random and merges them.
    private func check(
        _ base: Model, _ start: Model, _ targets: [EditTarget], _ place: String, _ generator: inout SeededGenerator
    ) throws {
        let shuffled = targets.shuffled(using: &generator)
        let common = base.entities.map(\.name).filter { start[entity: $0] != nil }
        var edits: [[RandomEdit]] = [[], []]
        for number in 0..<12 {
            var target = number < shuffled.count ? shuffled[number] : .model
            if number % 4 == 3 { target = .model }
            if number % 4 == 2, let entity = common.randomElement(using: &generator) { target = .entity(entity) }
            edits[number % 2].append(.random(of: target, in: base, number: number, using: &generator))
        }
        var (ours, theirs) = (start, base)
        for edit in edits[0] { try edit.apply(&ours) }
        for edit in edits[1] { try edit.apply(&theirs) }
        let merge = try ModelMerge(base: base, ours: ours, theirs: theirs)
        let titles = edits.map { $0.map(\.title) }
        #expect(merge.conflicts.isEmpty, "\(place): \(merge.conflicts), \(titles)")
        for edit in edits.joined() { #expect(edit.isKept(merge.model), "\(place): \(edit.title) is lost of \(titles)") }
        let contents = try merge.model.contents()
        #expect(try Model(contents: contents).contents() == contents, "\(place)")
        let exchanged = try ModelMerge(base: base, ours: theirs, theirs: ours).model.contents()
        #expect(exchanged == contents, "\(place): sides exchanged, \(titles)")
    }
}

extension Model {
    /// What another version has left as it was, and what refers to it, too.
    fileprivate func targetsAsBefore(in next: Model) -> [EditTarget] {
        editTargets.filter { target in
            switch target {
            case .attribute(let entity, let name):
                guard self[entity: entity]?.listsOfNames == next[entity: entity]?.listsOfNames else { return false }
                return self[entity: entity]?[attribute: name] == next[entity: entity]?[attribute: name]
            case .relationship(let entity, let name):
                return self[entity: entity]?[relationship: name] == next[entity: entity]?[relationship: name]
            case .entity, .model: return true
            }
        }
    }
}

extension Model.Entity {
    fileprivate var listsOfNames: [[Model.NameTuple]] {
        [uniquenessConstraints, compoundIndexes, fetchIndexes.map { .init($0.elements.compactMap(\.propertyName)) }]
    }
}
