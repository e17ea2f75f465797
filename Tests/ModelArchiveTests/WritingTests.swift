import Foundation
import ModelArchive
import ModelDocument
import RandomSeeds
import Testing

@Suite struct WritingTests {
    @Test(arguments: Samples.archives, ModelArchive.Form.allCases)
    func whatIsWrittenIsReadAsItWas(sample: ArchiveSample, form: ModelArchive.Form) throws {
        let model = try ModelArchive.read(sample.data)
        let written = try ModelArchive.write(model, as: form)
        let again = try ModelArchive.read(written)
        #expect(again.entities == model.entities)
        #expect(again == model)
        #expect(try VersionHashes(again) == VersionHashes(model))
        #expect(try ModelArchive.write(again, as: form) == written)
    }

    /// A third of the documents, all of them with `COREDATA_FULL_TESTS`.
    @Test(arguments: FullRun.items(of: Samples.documents, elseOneIn: 3))
    func everyVersionOfEveryDocumentIsWrittenAndRead(url: URL) throws {
        let document = try ModelDocumentFolder(contentsOf: url)
        for version in document.versionNames {
            guard let model = try? document.model(version: version) else { continue }
            let archive = try ModelArchive.write(model.compiled(), as: .file)
            let read = try ModelArchive.read(archive)
            #expect(read.entities.map(\.name) == model.entities.map(\.name).sorted())
            #expect(try VersionHashes(read) == VersionHashes(model), "\(version)")
            #expect(try ModelArchive.read(ModelArchive.write(read, as: .modelCache)) == read, "\(version)")
        }
    }

    @Test func theOrderOfEntitiesAndPropertiesDoesNotShow() throws {
        let model = try ModelArchive.read(Samples.compiled("SwiftGen-Model.momd/Model 2.mom"))
        var turned = model
        turned.entities.reverse()
        for index in turned.entities.indices { turned.entities[index].attributes.reverse() }
        turned.fetchRequests.reverse()
        #expect(try ModelArchive.write(turned, as: .modelCache) == ModelArchive.write(model, as: .modelCache))
    }

    @Test(arguments: ModelArchive.Form.allCases)
    func everythingThatAModelCanSaySurvives(form: ModelArchive.Form) throws {
        let model = KitchenSink.model
        #expect(try ModelArchive.read(ModelArchive.write(model, as: form)) == model)
    }

    @Test(arguments: [
        "TRUEPREDICATE", "FALSEPREDICATE", "name == \"a\"", "name != nil", "age < 3 AND age >= 1", "NOT age > 2",
        "name BEGINSWITH[cd] \"a\"", "name ENDSWITH \"b\"", "name CONTAINS[c] \"x\"", "name LIKE \"D*\"",
        "name MATCHES \"[a-z]+\"", "age BETWEEN {1, 10}", "name IN {\"a\", \"b\"}", "ANY players.age > 3",
        "ALL players.age > 3", "players.@count == 2", "SUBQUERY(players, $p, $p.age > 3).@count > 0",
        "$source.name == name", "age + 1 == 2 * height", "TERNARY(age > 2, 1, 0) == 1", "SELF IN $group",
        "born > CAST(694224000.5, \"NSDate\")", "uppercase(name) == \"A\"", "sum(numbers) > 3", "names[FIRST] == \"a\"",
        "a UNION b == c", "length == 3",
    ])
    func predicatesSurvive(format: String) throws {
        var request = Model.FetchRequest(name: "Template", entityName: "Player", predicateFormat: format)
        request.includesSubentities = true
        var model = Model(entities: [Model.Entity(name: "Player")])
        model.fetchRequests = [request]
        let read = try ModelArchive.read(ModelArchive.write(model, as: .file))
        let again = try ModelArchive.read(ModelArchive.write(read, as: .file))
        #expect(read.fetchRequests.map(\.predicateFormat) == [format])
        #expect(again == read)
    }
}

// MARK: - What can't be written

extension WritingTests {
    @Test(
        arguments: [
            { $0.entities[0].attributes[0].defaultValueString = "ten" },
            { $0.entities[0].attributes[0].minValueString = "ten" },
            { $0.entities[0].attributes[0].compositeName = "Missing" },
            { $0.entities[0].attributes.append($0.entities[0].attributes[0]) },
            { $0.entities[0].parentName = "Missing" },
            { $0.entities[0].parentName = $0.entities[0].name },
            { $0.entities.append($0.entities[0]) },
            { $0.entities[0].relationships = [.init(name: "team", destinationName: "Missing")] },
            { $0.fetchRequests = [.init(name: "Broken", entityName: "Player", predicateFormat: "name ==")] },
            { $0.fetchRequests = [.init(name: "Broken", entityName: "Missing")] },
            { $0.configurations = [.init(name: "Local", entityNames: ["Missing"])] },
        ] as [@Sendable (inout Model) -> Void])
    func whatIsWrongIsRefusedWithASentence(change: @Sendable (inout Model) -> Void) throws {
        var player = Model.Entity(name: "Player")
        player.attributes = [Model.Attribute(name: "age", type: .integer16)]
        var model = Model(entities: [player])
        change(&model)
        #expect {
            try ModelArchive.write(model, as: .modelCache)
        } throws: { error in
            (error as? CocoaError)?.code == .fileWriteUnknown && error.localizedDescription.hasSuffix(".")
        }
    }
}
