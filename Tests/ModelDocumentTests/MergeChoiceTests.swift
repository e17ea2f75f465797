import Foundation
import ModelDocument
import RandomSeeds
import Testing

@Suite("Settling the conflicts of a merge")
struct MergeChoiceTests {
    private func base() -> Model {
        var player = Model.Entity(name: "Player")
        player.attributes = [.init(name: "age", type: .integer16), .init(name: "name", type: .string)]
        player.fetchIndexes = [.init(name: "byName", elements: [.init(propertyName: "name")])]
        var team = Model.Entity(name: "Team")
        team.attributes = [.init(name: "name", type: .string)]
        var model = Model(entities: [player, team])
        model.documentInfo = .newDocument()
        return model
    }

    /// Two sides with a conflict of each kind.
    private func sides() throws -> (base: Model, ours: Model, theirs: Model) {
        let base = base()
        var (ours, theirs) = (base, base)
        ours[entity: "Player"]?[attribute: "age"]?.type = .string
        theirs[entity: "Player"]?[attribute: "age"]?.defaultValueString = "21"
        ours[entity: "Player"]?.fetchIndexes[0].elements = [.init(propertyName: "age"), .init(propertyName: "name")]
        theirs[entity: "Player"]?.fetchIndexes[0].elements = [.init(propertyName: "name"), .init(propertyName: "age")]
        theirs[entity: "Player"]?.fetchIndexes[0].elements[1].isAscending = false
        try ours.removeProperty("name", of: "Team")
        theirs[entity: "Team"]?[attribute: "name"]?.isOptional = true
        return (base, ours, theirs)
    }

    private func merge(_ choices: [String: ModelMerge.Side] = [:]) throws -> ModelMerge {
        let (base, ours, theirs) = try sides()
        return try ModelMerge(base: base, ours: ours, theirs: theirs, choices: choices)
    }

    @Test("each conflict asks with the values of three sides")
    func questions() throws {
        let questions = try merge().questions.compactMap(\.question)
        #expect(questions.map(\.kind) == [.setting, .list, .removal])
        #expect(Set(questions.map(\.id)).count == 3)
        let fields = questions[0].fields
        #expect(fields.map(\.name) == ["attributeType", "defaultValueString"])
        #expect(fields.map(\.base) == ["Integer 16", nil] && fields.map(\.ours) == ["String", nil])
        #expect(fields.map(\.theirs) == ["Integer 16", "21"])
        #expect(questions[1].sides == [.ours, .theirs, .both])
        #expect(questions[1].fields[0].base == "name" && questions[1].fields[0].ours == "age, name")
        #expect(questions[2].fields[0].ours == nil && questions[2].standard == .theirs)
    }

    @Test("a choice settles its conflict, and no other")
    func choices() throws {
        let questions = try merge().questions.compactMap(\.question)
        let theirs = try merge([questions[0].id: .theirs])
        #expect(theirs.conflicts.compactMap { $0.question?.kind } == [.list, .removal])
        #expect(theirs.model[entity: "Player"]?[attribute: "age"]?.type == .integer16)
        #expect(theirs.model[entity: "Player"]?[attribute: "age"]?.defaultValueString == "21")
        #expect(theirs.questions == (try merge()).questions)
        let both = try merge([questions[1].id: .both])
        #expect(
            both.model[entity: "Player"]?.fetchIndexes[0].elements.compactMap(\.propertyName) == ["age", "name", "age"])
        let gone = try merge([questions[2].id: .ours])
        #expect(gone.model[entity: "Team"]?.attributes.isEmpty == true)
        let kept = try merge([questions[2].id: .theirs])
        #expect(kept.model[entity: "Team"]?[attribute: "name"]?.isOptional == true)
        // What has no such side, and what is no conflict, settles nothing.
        #expect(try merge([questions[0].id: .both, "nothing": .ours]).conflicts == merge().conflicts)
    }

    @Test("all of ours, and all of theirs, leave no conflict and a document that can be read")
    func wholeSides() throws {
        let ids = try merge().questions.compactMap { $0.question?.id }
        for side in [ModelMerge.Side.ours, .theirs] {
            let merge = try merge(Dictionary(uniqueKeysWithValues: ids.map { ($0, side) }))
            #expect(merge.conflicts.isEmpty)
            #expect(try Model(contents: merge.model.contents()) == merge.model)
            let (_, ours, theirs) = try sides()
            let wanted = side == .ours ? ours : theirs
            #expect(merge.model[entity: "Player"] == wanted[entity: "Player"])
            #expect(merge.model[entity: "Team"] == wanted[entity: "Team"])
        }
    }

    @Test("of two new names either is taken, for entities and for properties")
    func names() throws {
        let base = base()
        var (ours, theirs) = (base, base)
        ours[entity: "Team"]?.renamingIdentifier = "Team"
        theirs[entity: "Team"]?.renamingIdentifier = "Team"
        try ours.renameEntity("Team", to: "Club")
        try theirs.renameEntity("Team", to: "Squad")
        theirs[entity: "Squad"]?.attributes.append(.init(name: "motto", type: .string))
        let plain = try ModelMerge(base: base, ours: ours, theirs: theirs)
        let question = try #require(plain.questions.first?.question)
        #expect(
            question.kind == .name && question.fields == [.init("name", base: "Team", ours: "Club", theirs: "Squad")])
        for (side, name) in [(ModelMerge.Side.ours, "Club"), (.theirs, "Squad")] {
            let merge = try ModelMerge(base: base, ours: ours, theirs: theirs, choices: [question.id: side])
            #expect(merge.conflicts.isEmpty, "\(merge.conflicts)")
            #expect(merge.model.entities.map(\.name).sorted() == ["Player", name].sorted())
            #expect(merge.model[entity: name]?.attributes.map(\.name).sorted() == ["motto", "name"])
        }
    }
}
