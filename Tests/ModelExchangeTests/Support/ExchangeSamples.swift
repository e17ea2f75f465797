import Foundation
import ModelDocument

/// Models that the tests write and read.
enum ExchangeSamples {
    static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    static let fixtures = package.appendingPathComponent("Tests/ModelExchangeTests/Fixtures")
    /// All documents that are developed with, beside the package.
    static let collection = package.appendingPathComponent("../shared/fixtures/models").standardizedFileURL
    static var hasCollection: Bool { FileManager.default.fileExists(atPath: collection.path) }

    static func league() throws -> Model {
        let document = package.appendingPathComponent("Examples/LeagueManager/League.xcdatamodeld")
        return try VersionedModel(contentsOf: document).versions[0].model
    }

    static func fixture(_ name: String) throws -> String {
        try String(contentsOf: fixtures.appendingPathComponent(name), encoding: .utf8)
    }

    /// Names that end quotes, lines, comments and settings, and words of the languages.
    static let hostileNames = [
        "it's", "say \"hi\"", "back\\slash", "two\nlines", "carriage\rreturn", "tab\tbed", "tick`", "semi;colon",
        "per%cent", "%%comment", "hash#1;", "tilde~x~", "] }", "{ [", "-- sql", "/* c */", "// dbml", "'''", "Table",
        "ref", "note", "indexes", "one", "to", "pk", "FK", "select", "order", "direction TB", "direction", "Größe",
        "名前", "اسم", "🦊", "nul\u{0}", "\u{202E}turned", "\u{2028}line", "1st", "_key", " ", "$$ x $$", "a.b", "|",
        "erDiagram",
    ]

    /// A model of entities and attributes with these names, in relationships with each other.
    static func hostileModel(_ names: [String] = hostileNames) -> Model {
        var entities: [Model.Entity] = []
        for (index, name) in names.enumerated() {
            var entity = Model.Entity(name: name)
            entity.userInfo = ["documentation": .string(name)]
            for other in names {
                var attribute = Model.Attribute(name: other, type: .string)
                (attribute.defaultValueString, attribute.isOptional) = (name, true)
                attribute.regularExpressionString = other
                entity.attributes.append(attribute)
            }
            var relationship = Model.Relationship(name: "to " + name, destinationName: names[(index + 1) % names.count])
            (relationship.isOptional, relationship.maxCount) = (true, index % 2)
            entity.relationships = [relationship]
            entity.fetchIndexes = [
                .init(name: name, elements: [.init(propertyName: name), .init(expression: name, type: .string)])
            ]
            entities.append(entity)
        }
        var model = Model(entities: entities)
        model.fetchRequests = names.map { .init(name: $0, entityName: $0, predicateFormat: $0) }
        model.configurations = names.map { .init(name: $0, entityNames: [$0]) }
        return model
    }
}
