import Foundation
import ModelDocument

/// A model that says everything that an archive can keep, in the order in which archives are read.
enum KitchenSink {
    static var model: Model {
        var model = Model(entities: [person, player, team])
        model.composites = [address]
        model.versionIdentifiers = ["1", "2"]
        model.localizationDictionary = ["Entity/Player": "Spieler"]
        var local = Model.Configuration(name: "Local")
        local.entityNames = ["Player", "Team"]
        model.configurations = [local]
        model.fetchRequests = [request]
        return model
    }

    private static var request: Model.FetchRequest {
        var request = Model.FetchRequest(name: "Young", entityName: "Player", predicateFormat: "age < $age")
        request.fetchLimit = 10
        request.fetchOffset = 20
        request.fetchBatchSize = 5
        request.resultType = 2
        request.includesSubentities = false
        request.includesPropertyValues = true
        request.includesPendingChanges = false
        request.returnsObjectsAsFaults = false
        request.returnsDistinctResults = true
        request.sortKeys = [
            .init(key: "name", isAscending: false, selectorName: "localizedStandardCompare:"),
            .init(key: "age", isAscending: true),
        ]
        request.propertiesToFetch = ["name", "age"]
        request.relationshipKeyPathsForPrefetching = ["team"]
        return request
    }

    private static var address: Model.Composite {
        var zip = Model.Attribute(name: "zip", type: .string)
        zip.defaultValueString = ""
        return Model.Composite(name: "Address", elements: [zip, Model.Attribute(name: "street", type: .string)])
    }

    private static var person: Model.Entity {
        var person = Model.Entity(name: "Person")
        person.isAbstract = true
        person.userInfo = [
            "array": .array([.integer(1), .boolean(true)]), "date": .date(7), "real": .real(0.5), "text": "value",
        ]
        person.attributes = [attribute("home", .composite) { $0.compositeName = "Address" }]
        return person
    }

    private static var player: Model.Entity {
        var player = Model.Entity(name: "Player")
        player.parentName = "Person"
        player.representedClass = "League.Player"
        player.renamingIdentifier = "Athlete"
        player.versionHashModifier = "3"
        player.spotlightDisplayNameExpression = "name"
        player.uniquenessConstraints = [["name", "age"], ["key"]]
        player.compoundIndexes = [["age", "name"]]
        var byName = Model.FetchIndex(name: "byName", elements: [.init(propertyName: "name")])
        byName.elements[0].isAscending = false
        byName.elements.append(.init(expression: "lowercase(name)", type: .string))
        byName.partialIndexPredicate = "age > 3"
        player.fetchIndexes = [byName]
        player.attributes = attributes.sorted { $0.name < $1.name }
        player.relationships = [relationship]
        var fetched = Model.FetchedProperty(name: "rivals", fetchRequest: request)
        fetched.fetchRequest?.name = "fetchedPropertyFetchRequest"
        fetched.isTransient = true
        fetched.isReadOnly = true
        player.fetchedProperties = [fetched]
        return player
    }

    private static var team: Model.Entity {
        var team = Model.Entity(name: "Team")
        var players = Model.Relationship(name: "players", destinationName: "Player")
        players.inverseName = "team"
        players.inverseEntityName = "Player"
        players.maxCount = 15
        players.deleteRule = .cascade
        team.relationships = [players]
        return team
    }

    private static var relationship: Model.Relationship {
        var team = Model.Relationship(name: "team", destinationName: "Team")
        team.inverseName = "players"
        team.inverseEntityName = "Team"
        team.isOptional = true
        team.isOrdered = true
        team.minCount = 1
        team.maxCount = 0
        team.deleteRule = .deny
        team.renamingIdentifier = "club"
        team.versionHashModifier = "2"
        team.userInfo = ["key": "value"]
        team.validationRules = [.init(predicateFormat: "players.@count < 16", warning: .text("Too many players"))]
        return team
    }

    private static func attribute(
        _ name: String, _ type: Model.AttributeType, _ change: (inout Model.Attribute) -> Void
    ) -> Model.Attribute {
        var attribute = Model.Attribute(name: name, type: type)
        change(&attribute)
        return attribute
    }

    private static var attributes: [Model.Attribute] {
        [
            attribute("age", .integer16) {
                $0.defaultValueString = "-3"
                $0.minValueString = "0"
                $0.maxValueString = "99"
                $0.isIndexed = true
                $0.validationRules = [.init(predicateFormat: "SELF != 13", warning: .code(1550))]
            },
            attribute("balance", .decimal) {
                $0.defaultValueString = "0.0"
                $0.minValueString = "-12345678901234567890.123456789"
            },
            attribute("born", .date) {
                $0.defaultDateTimeInterval = "479176980"
                $0.minDateTimeInterval = "-1.5"
                $0.maxDateTimeInterval = "0"
            },
            attribute("count", .integer64) {
                $0.isDerived = true
                $0.isReadOnly = true
                $0.derivationExpression = "count:(team)"
            },
            attribute("flag", .boolean) { $0.defaultValueString = "YES" },
            attribute("height", .float) {
                $0.defaultValueString = "1.8"
                $0.isTransient = true
            },
            attribute("key", .uuid) { $0.defaultValueString = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F" },
            attribute("link", .uri) { $0.defaultValueString = "https://example.com/a%20b" },
            attribute("name", .string) {
                $0.isOptional = true
                $0.defaultValueString = "Bird"
                $0.minValueString = "2"
                $0.maxValueString = "40"
                $0.regularExpressionString = "[A-Z].*"
                $0.isIndexedBySpotlight = true
                $0.isStoredInExternalRecord = true
                $0.allowsCloudEncryption = true
            },
            attribute("photo", .binary) {
                $0.defaultValueData = Data([1, 2, 3])
                $0.allowsExternalBinaryDataStorage = true
                $0.preservesValueInHistoryOnDeletion = true
            },
            attribute("weight", .double) { $0.defaultValueString = "0.1" },
            attribute("color", .transformable) {
                $0.valueTransformerName = "ColorTransformer"
                $0.customClass = "UIColor"
            },
        ]
    }
}
