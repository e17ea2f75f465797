import Foundation
import ModelArchive
import ModelDocument
import Testing

@Suite struct ReadingTests {
    @Test(arguments: Samples.archives)
    func everySampleIsRead(sample: ArchiveSample) throws {
        let model = try ModelArchive.read(sample.data)
        #expect(!model.entities.isEmpty)
        #expect(model.entities.map(\.name) == model.entities.map(\.name).sorted())
        let names = Set(model.entities.map(\.name))
        for relationship in model.entities.flatMap(\.relationships) {
            #expect(names.contains(try #require(relationship.destinationName)))
        }
    }

    /// What Xcode compiled a document to says what the document says.
    @Test(arguments: [
        ("SwiftGen-SwiftGen-Model/Model.xcdatamodeld", "SwiftGen-Model.momd", "Model 2"),
        ("SwiftGen-SwiftGen-Model/Model.xcdatamodeld", "SwiftGen-Model.momd", "Model"),
        ("alemar11-CoreDataPlus-SampleModel3/SampleModel3.xcdatamodeld", "SampleModel3.momd", "SampleModel3"),
        ("alemar11-CoreDataPlus-SampleModel3/SampleModel3.xcdatamodeld", "SampleModel3.momd", "SampleModel3_v2"),
        ("alemar11-CoreDataPlus-SampleModel3/SampleModel3.xcdatamodeld", "SampleModel3.momd", "SampleModel3_v3"),
    ])
    func aCompiledModelEqualsItsDocument(document path: String, compiled: String, version: String) throws {
        let document = try ModelDocumentFolder(contentsOf: Samples.documentFolders[0].appending(path: path))
        let fromDocument = try document.model(version: version).comparable()
        let compiledModel = try ModelArchive.read(Samples.compiled("\(compiled)/\(version).mom")).comparable()
        #expect(fromDocument.entities.map(\.name) == compiledModel.entities.map(\.name))
        for (first, second) in zip(fromDocument.entities, compiledModel.entities) {
            #expect(first == second)
        }
        #expect(fromDocument.fetchRequests == compiledModel.fetchRequests)
        #expect(fromDocument.configurations == compiledModel.configurations)
        #expect(fromDocument.versionIdentifiers == compiledModel.versionIdentifiers)
    }

    @Test func templatesAndTheirPredicatesAreRead() throws {
        let model = try ModelArchive.read(Samples.compiled("SwiftGen-Model.momd/Model 2.mom"))
        #expect(
            model.fetchRequests.map(\.name) == ["DictionaryFetchRequest", "ObjectFetchRequest", "ObjectIDFetchRequest"])
        #expect(
            model.fetchRequests.map(\.predicateFormat) == [
                nil, "uuid == $UUID", "oneToOne.name == $NAME OR string == $NEEDLE",
            ])
        #expect(model.fetchRequests.map(\.resultType) == [2, nil, 1])
        #expect(model.fetchRequests.map(\.returnsDistinctResults) == [false, true, false])
        #expect(model.fetchRequests.map(\.includesPendingChanges) == [false, true, true])
        #expect(model.configurations == [Model.Configuration(name: "Custom", entityNames: ["NewEntity"])])
    }

    @Test func derivationsAndFetchedPropertiesAreRead() throws {
        let model = try ModelArchive.read(Samples.compiled("SwiftGen-Model.momd/Model 2.mom"))
        let child = try #require(model.entity(named: "ChildEntity"))
        #expect(
            child.attributes.map(\.derivationExpression) == [
                "canonical:(optionalString)", "count:(oneToMany)", "now()",
            ])
        #expect(child.parentName == "MainEntity")
        let property = try #require(model.entity(named: "MainEntity")?.fetchedProperties.first)
        #expect(property.fetchRequest?.entityName == "NewEntity")
        #expect(property.userInfo == ["key": "value"])
    }

    @Test func theKindOfDataIsChecked() {
        for text in ["", "bplist00", "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict/></plist>", "momv2$"] {
            #expect {
                try ModelArchive.read(Data(text.utf8))
            } throws: { error in
                (error as? CocoaError)?.code == .fileReadCorruptFile
            }
        }
    }
}

extension Model {
    /// The model without what only one of document and archive says, in the order of names.
    func comparable() throws -> Model {
        var model = Model(entities: entities.map { $0.comparable() }.sorted { $0.name < $1.name })
        model.fetchRequests = fetchRequests.map { $0.comparable() }.sorted { $0.name < $1.name }
        model.configurations = configurations
        model.versionIdentifiers = versionIdentifiers
        return model
    }
}

extension Model.Entity {
    fileprivate func comparable() -> Model.Entity {
        var entity = self
        entity.codeGeneration = .manual
        entity.isSyncable = true
        entity.foreign = ForeignContent()
        entity.attributes = attributes.map { $0.comparable() }.sorted { $0.name < $1.name }
        entity.relationships = relationships.map { $0.comparable() }.sorted { $0.name < $1.name }
        entity.fetchedProperties = fetchedProperties.map { $0.comparable() }
        entity.userInfo?.entries.sort { $0.key < $1.key }
        for index in entity.fetchIndexes.indices { entity.fetchIndexes[index].foreign = ForeignContent() }
        return entity
    }
}

extension Model.Attribute {
    fileprivate func comparable() -> Model.Attribute {
        var attribute = self
        attribute.usesScalarValueType = nil
        attribute.isSyncable = true
        attribute.foreign = ForeignContent()
        attribute.userInfo?.entries.sort { $0.key < $1.key }
        // The compiler marks what an index covers, and what is derived.
        attribute.isIndexed = false
        attribute.isReadOnly = isReadOnly || isDerived
        if derivationExpression == "oneToMany.@count" { attribute.derivationExpression = "count:(oneToMany)" }
        return attribute
    }
}

extension Model.Relationship {
    fileprivate func comparable() -> Model.Relationship {
        var relationship = self
        relationship.isSyncable = true
        relationship.foreign = ForeignContent()
        return relationship
    }
}

extension Model.FetchedProperty {
    fileprivate func comparable() -> Model.FetchedProperty {
        var property = self
        property.isSyncable = true
        property.isTransient = true
        property.isReadOnly = true
        property.foreign = ForeignContent()
        property.fetchRequest = fetchRequest?.comparable()
        return property
    }
}

extension Model.FetchRequest {
    fileprivate func comparable() -> Model.FetchRequest {
        var request = self
        request.foreign = ForeignContent()
        request.includesSubentities = includesSubentities ?? true
        request.returnsObjectsAsFaults = returnsObjectsAsFaults ?? true
        request.returnsDistinctResults = returnsDistinctResults ?? false
        request.includesPropertyValues = includesPropertyValues ?? (resultType != 1)
        request.includesPendingChanges = includesPendingChanges ?? (resultType != 2)
        if predicateFormat == "true == true" { request.predicateFormat = "1 == 1" }
        return request
    }
}
