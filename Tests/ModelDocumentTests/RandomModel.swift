import Foundation
import ModelDocument
import RandomSeeds

/// Makes models that say anything that a document can say.
struct RandomModels {
    var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func model() -> Model {
        var model = Model(entities: list(0...5) { $0.entity() })
        model.documentInfo = documentInfo()
        model.versionIdentifiers = flip() ? [text()] : []
        model.fetchRequests = list(0...2) { $0.fetchRequest() }
        model.configurations = list(0...2) { generator in
            var configuration = Model.Configuration(
                name: generator.text(), entityNames: generator.list(0...3) { $0.text() })
            configuration.isUsedWithCloudKit = generator.flip()
            return configuration
        }
        model.composites = list(0...2) { generator in
            Model.Composite(name: generator.text(), elements: generator.list(0...3) { $0.attribute() })
        }
        model.diagramElements = list(0...3) { generator in
            Model.DiagramElement(
                name: generator.text(), positionX: generator.measure(), positionY: generator.measure(),
                width: generator.measure(), height: generator.measure())
        }
        model.documentInfo?.layout.hasEmptyDiagram = model.diagramElements.isEmpty && flip()
        model.leadingComments = list(0...1) { _ in " before\nthe root " }
        model.trailingComments = list(0...1) { _ in " after & < it " }
        model.foreign = foreign()
        return model
    }

    private mutating func documentInfo() -> Model.DocumentInfo {
        var info = Model.DocumentInfo()
        info.type = maybe { $0.text() }
        info.lastSavedToolsVersion = maybe { $0.text() }
        info.systemVersion = maybe { $0.text() }
        info.minimumToolsVersion = maybe { $0.text() }
        info.sourceLanguage = maybe { $0.text() }
        info.name = maybe { $0.text() }
        info.macOSVersion = maybe { $0.text() }
        info.isUsedWithCloudKit = flip()
        info.isUsedWithSwiftData = flip()
        info.layout.hasWindowsLineEnds = flip()
        info.layout.endsInNewline = flip()
        return info
    }

    private mutating func entity() -> Model.Entity {
        var entity = Model.Entity(name: text())
        entity.representedClass = maybe { ClassReference($0.text()) }
        entity.codeGeneration = Model.CodeGeneration.allCases.randomElement(using: &random) ?? .manual
        entity.isAbstract = flip()
        entity.parentName = maybe { $0.text() }
        entity.attributes = list(0...4) { $0.attribute() }
        entity.relationships = list(0...3) { $0.relationship() }
        entity.fetchedProperties = list(0...2) { $0.fetchedProperty() }
        entity.fetchIndexes = list(0...2) { generator in
            Model.FetchIndex(name: generator.text(), elements: generator.list(0...3) { $0.indexElement() })
        }
        entity.compoundIndexes = list(0...2) { $0.tuple() }
        entity.uniquenessConstraints = list(0...2) { $0.tuple() }
        entity.userInfo = userInfo()
        entity.renamingIdentifier = maybe { $0.text() }
        entity.versionHashModifier = maybe { $0.text() }
        entity.spotlightDisplayNameExpression = maybe { $0.text() }
        entity.isSyncable = flip()
        entity.foreign = foreign()
        return entity
    }

    private mutating func attribute() -> Model.Attribute {
        var attribute = Model.Attribute(
            name: text(), type: Model.AttributeType.allCases.randomElement(using: &random) ?? .string)
        attribute.isOptional = flip()
        attribute.isTransient = flip()
        attribute.isDerived = flip()
        attribute.isIndexed = flip()
        attribute.isIndexedBySpotlight = flip()
        attribute.isStoredInExternalRecord = flip()
        attribute.isSyncable = flip()
        attribute.allowsExternalBinaryDataStorage = flip()
        attribute.allowsCloudEncryption = flip()
        attribute.preservesValueInHistoryOnDeletion = flip()
        attribute.usesScalarValueType = maybe { $0.flip() }
        attribute.customClass = maybe { ClassReference($0.text()) }
        for path in [
            \Model.Attribute.defaultValueString, \.defaultDateTimeInterval, \.minValueString, \.maxValueString,
            \.minDateTimeInterval, \.maxDateTimeInterval, \.regularExpressionString, \.valueTransformerName,
            \.derivationExpression, \.compositeName, \.renamingIdentifier, \.versionHashModifier,
        ] {
            attribute[keyPath: path] = maybe { $0.text() }
        }
        attribute.userInfo = userInfo()
        attribute.foreign = foreign()
        return attribute
    }

    private mutating func relationship() -> Model.Relationship {
        var relationship = Model.Relationship(name: text(), destinationName: maybe { $0.text() })
        relationship.inverseName = maybe { $0.text() }
        relationship.inverseEntityName = maybe { $0.text() }
        relationship.minCount = Int.random(in: 0...2, using: &random)
        relationship.maxCount = Int.random(in: -1...3, using: &random)
        relationship.isOrdered = flip()
        relationship.isOptional = flip()
        relationship.isTransient = flip()
        relationship.isIndexed = flip()
        relationship.isSyncable = flip()
        relationship.deleteRule = Model.DeleteRule.allCases.randomElement(using: &random) ?? .deny
        relationship.renamingIdentifier = maybe { $0.text() }
        relationship.userInfo = userInfo()
        relationship.foreign = foreign()
        return relationship
    }

    private mutating func fetchedProperty() -> Model.FetchedProperty {
        var property = Model.FetchedProperty(name: text(), fetchRequest: maybe { $0.fetchRequest() })
        property.isOptional = flip()
        property.isSyncable = flip()
        property.userInfo = userInfo()
        return property
    }

    private mutating func fetchRequest() -> Model.FetchRequest {
        var request = Model.FetchRequest(
            name: text(), entityName: maybe { $0.text() }, predicateFormat: maybe { $0.text() })
        request.fetchLimit = maybe { Int.random(in: 0...100, using: &$0.random) }
        request.fetchBatchSize = maybe { Int.random(in: 0...100, using: &$0.random) }
        request.resultType = maybe { Int.random(in: 0...4, using: &$0.random) }
        request.includesSubentities = maybe { $0.flip() }
        request.includesPropertyValues = maybe { $0.flip() }
        request.includesPendingChanges = maybe { $0.flip() }
        request.returnsObjectsAsFaults = maybe { $0.flip() }
        request.returnsDistinctResults = maybe { $0.flip() }
        return request
    }

    private mutating func indexElement() -> Model.FetchIndex.Element {
        var element =
            flip()
            ? Model.FetchIndex.Element(propertyName: text())
            : Model.FetchIndex.Element(expression: text(), type: .float)
        element.collation = flip() ? .rTree : .binary
        element.isAscending = flip()
        return element
    }

    private mutating func tuple() -> Model.NameTuple {
        Model.NameTuple(list(0...3) { $0.text() })
    }

    private mutating func userInfo() -> Model.UserInfo? {
        maybe { generator in
            Model.UserInfo(generator.list(0...2) { .init(key: $0.text(), value: .string($0.text())) })
        }
    }

    /// Unknown attributes and children, in places that are there in any element.
    private mutating func foreign() -> ForeignContent {
        var foreign = ForeignContent()
        for position in 0..<Int.random(in: 0...2, using: &random) {
            foreign.attributes.append(.init(position: position, name: "x-\(position)", value: text()))
        }
        for position in 0..<Int.random(in: 0...2, using: &random) {
            foreign.children.append(.init(position: position, node: node(depth: 2)))
        }
        return foreign
    }

    private mutating func node(depth: Int) -> MarkupNode {
        switch Int.random(in: 0...3, using: &random) {
        case 0: .comment(" a comment & <so> on ")
        case 1: .instruction("tool setting")
        default:
            .element(
                name: "x-element", attributes: [.init("z", text()), .init("a", text())],
                children: depth > 0 ? list(0...2) { $0.node(depth: depth - 1) } : [.text("text & <more>")])
        }
    }

    // MARK: Pieces

    mutating func flip() -> Bool { Bool.random(using: &random) }

    private mutating func maybe<Value>(_ make: (inout RandomModels) -> Value) -> Value? {
        Int.random(in: 0..<3, using: &random) == 0 ? make(&self) : nil
    }

    mutating func list<Value>(_ counts: ClosedRange<Int>, _ make: (inout RandomModels) -> Value) -> [Value] {
        (0..<Int.random(in: counts, using: &random)).map { _ in make(&self) }
    }

    private mutating func measure() -> Double {
        flip() ? Double(Int.random(in: -5000...5000, using: &random)) : .random(in: -5000...5000, using: &random)
    }

    /// A text with whatever is hard to spell in XML.
    mutating func text() -> String {
        let pieces = [
            "a", "Z", " ", "<", ">", "&", "\"", "'", "\n", "\t", "\r", "é", "🏟️", "]]>", "&lt;", "-->", "\u{85}",
        ]
        return list(0...8) { pieces.randomElement(using: &$0.random) ?? "" }.joined()
    }
}
