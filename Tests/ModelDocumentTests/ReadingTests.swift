import Foundation
import ModelDocument
import Testing

@Suite("Reading model documents")
struct ReadingTests {
    @Test("A document's versions are listed, and the one in .xccurrentversion is current")
    func versions() throws {
        let document = try Samples.document("alemar11-CoreDataPlus-SampleModel3/SampleModel3.xcdatamodeld")
        #expect(document.name == "SampleModel3")
        #expect(document.versionNames == ["SampleModel3", "SampleModel3_v2", "SampleModel3_v3"])
        #expect(document.currentVersionName == "SampleModel3")
        #expect(try document.model(version: "SampleModel3_v3").entities.count > 0)
    }

    @Test("A single .xcdatamodel is a document with one version")
    func singleVersion() throws {
        let document = try Samples.document(
            "bazelbuild-rules_apple-unversioned_datamodel/unversioned_datamodel.xcdatamodel")
        #expect(document.versionNames == ["unversioned_datamodel"])
        #expect(try !document.model().entities.isEmpty)
    }

    @Test("Attributes come with type, flags, bounds, defaults, pattern, modifiers and user info")
    func attributes() throws {
        let model = try Samples.document("manicmaniac-core_data_model-model/model.xcdatamodeld").model(version: "model")
        let entity = try #require(model.entity(named: "AllTypesOfAttributes"))
        #expect(entity.representedClass == ".AllTypesOfAttributes")
        #expect(entity.representedClass?.runtimeName(currentModule: "App") == "App.AllTypesOfAttributes")
        let float = try #require(entity.attributes.first { $0.name == "floatAttribute" })
        #expect(float.type == .float && float.isOptional && float.isTransient && float.isIndexed && float.isSyncable)
        #expect(float.minValueString == "0" && float.maxValueString == "1" && float.defaultValueString == "0.0")
        #expect(
            float.versionHashModifier == "Version Hash Modifier" && float.renamingIdentifier == "Renaming Identifier")
        #expect(float.userInfo?["key"]?.string == "value")
        let date = try #require(entity.attributes.first { $0.name == "dateAttribute" })
        #expect(date.minDateTimeInterval == "479176980" && date.defaultDateTimeInterval == "479176980")
        let string = try #require(entity.attributes.first { $0.name == "stringAttribute" })
        #expect(string.regularExpressionString == "Regular Expression" && string.defaultValueString == "Default Value")
        let binary = try #require(entity.attributes.first { $0.name == "binaryAttribute" })
        #expect(
            binary.allowsExternalBinaryDataStorage && binary.isIndexedBySpotlight && binary.isStoredInExternalRecord)
    }

    @Test("Relationships come with counts as stored: one for to-one, none for an unlimited to-many")
    func relationships() throws {
        let model = try Samples.document("manicmaniac-core_data_model-model/model.xcdatamodeld").model(
            version: "model 2")
        let entity = try #require(model.entity(named: "RelationshipFrom"))
        let counts = entity.relationships.map { [$0.minCount, $0.maxCount] }
        #expect(counts == [[0, 1], [1, 2], [0, 0]])
        let middle = entity.relationships[1]
        #expect(middle.isToMany && middle.isOrdered && middle.isTransient && middle.deleteRule == .nullify)
        #expect(middle.destinationName == "RelationshipTo" && middle.inverseName == "relationship2")
    }

    @Test(
        "Constraints, compound and fetch indexes, templates, fetched properties, configurations and derivations are read"
    )
    func otherElements() throws {
        let old = try Samples.document("manicmaniac-core_data_model-model/model.xcdatamodeld").model(version: "model 2")
        #expect(old.entity(named: "UserInfo")?.uniquenessConstraints == [["comma", "separated", "properties"]])
        #expect(old.entity(named: "UserInfo")?.compoundIndexes == [["comma", "separated", "properties"]])
        #expect(old.fetchRequests.first?.predicateFormat == "test = \"\"")
        #expect(old.fetchRequests.first?.returnsDistinctResults == true && old.fetchRequests.first?.fetchLimit == 1)
        #expect(old.versionIdentifiers == ["model version 2"])

        let new = try Samples.document("SwiftGen-SwiftGen-Model/Model.xcdatamodeld").model(version: "Model 2")
        #expect(new.configurations.map(\.name) == ["Custom"] && new.configurations[0].entityNames == ["NewEntity"])
        let index = try #require(new.entity(named: "NewEntity")?.fetchIndexes.first)
        #expect(index.name == "byIdentifierIndex" && index.elements == [.init(propertyName: "identifier")])
        let property = try #require(new.entity(named: "MainEntity")?.fetchedProperties.first)
        #expect(
            property.fetchRequest?.entityName == "NewEntity" && property.fetchRequest?.predicateFormat == "true == true"
        )
        let derived = try #require(new.entity(named: "ChildEntity")?.attributes.first)
        #expect(derived.isDerived && derived.derivationExpression == "canonical:(optionalString)")
        #expect(new.entity(named: "AutoClassGen")?.codeGeneration == .classDefinition)
        #expect(new.entity(named: "AutoExtensionGen")?.codeGeneration == .category)
        #expect(new.entity(named: "MainEntity")?.codeGeneration == .manual)
        #expect(new.fetchRequests.map(\.resultType) == [2, nil, 1])
    }

    @Test("A composite attribute names its definition")
    func composites() throws {
        let model = try Samples.document(
            "fatbobman-CoreDataEvolution-GeneratedFlowModel/GeneratedFlowModel.xcdatamodeld"
        ).model()
        let location = try #require(model.entity(named: "FlowTask")?.attributes.first { $0.name == "location" })
        #expect(location.type == .composite && location.compositeName == "FlowPoint")
        #expect(model.composites.first?.elements.map(\.name) == ["lat", "lng"])
    }

    @Test("A comment before the root is kept")
    func leadingComment() throws {
        let model = try Samples.document("bazelbuild-rules_apple-DataModel/DataModel.xcdatamodeld").model()
        #expect(model.leadingComments.count == 1)
    }

    @Test("Unknown attributes and elements are carried along")
    func foreignContent() throws {
        let model = try Model(
            contents: Data(
                """
                <model type="x" future="1"><entity name="A" syncable="NO"><attribute name="b" optional="NO" attributeType="String" vector="512"/>
                <novelty of="2030"><part/>text</novelty></entity></model>
                """.utf8))
        #expect(model.foreign.attributes == [.init(position: 1, name: "future", value: "1")])
        let entity = model.entities[0]
        #expect(entity.foreign.spellings == ["syncable": "NO"] && !entity.isSyncable)
        #expect(entity.attributes[0].foreign.attributes == [.init(position: 3, name: "vector", value: "512")])
        #expect(entity.attributes[0].foreign.spellings == ["optional": "NO"])
        let novelty = MarkupNode.element(
            name: "novelty", attributes: [.init("of", "2030")], children: [.element(name: "part"), .text("text")])
        #expect(entity.foreign.children == [.init(position: 1, node: novelty)])
    }
}
