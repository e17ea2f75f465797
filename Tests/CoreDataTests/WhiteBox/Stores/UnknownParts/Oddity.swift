import Foundation
import PropertyLists
import Testing

/// One thing in a model that its reader does not know.
struct Oddity: Sendable, CustomTestStringConvertible {
    let name: String
    /// Whether the store can still be written: nothing that is stored depends on what is not understood.
    let isWritable: Bool
    /// What the reader says of it; nil: nothing, as there is nothing to leave out.
    let note: String?
    let plant: @Sendable (inout OpenArchive) throws -> Void

    var testDescription: String { name }

    private init(
        _ name: String, writable: Bool = true, note: String?,
        _ plant: @escaping @Sendable (inout OpenArchive) throws -> Void
    ) {
        (self.name, isWritable, self.note, self.plant) = (name, writable, note, plant)
    }

    static let all: [Oddity] = indexes + requests + modelParts + entityParts + attributes + relationships

    // MARK: Indexes

    private static let indexes = [
        Oddity("an index over SELF, as a Photos library has one", note: nil) { archive in
            let element = try archive.find("NSFetchIndexElementDescription")
            let this = archive.add(class: "NSSelfExpression", [], ["NSExpressionType": .integer(1)])
            let name = archive.add(.string("expression1"))
            let computed = archive.add(
                class: "NSExpressionDescription", [],
                ["NSPropertyName": name, "NSExpression": this, "NSExpressionType": .integer(2000)])
            archive.set(element, "NSPropertyName", name)
            archive.set(element, "NSIndexedProperty", computed)
        },
        Oddity("an index over an expression of an unknown class", note: "NSFutureExpression") { archive in
            let element = try archive.find("NSFetchIndexElementDescription")
            let future = archive.add(class: "NSFutureExpression")
            let computed = archive.add(class: "NSExpressionDescription", [], ["NSExpression": future])
            archive.set(element, "NSIndexedProperty", computed)
        },
        Oddity("an index over an expression of an unknown type", note: "NSExpressionType") { archive in
            let element = try archive.find("NSFetchIndexElementDescription")
            let this = archive.add(class: "NSSelfExpression")
            let computed = archive.add(
                class: "NSExpressionDescription", [], ["NSExpression": this, "NSExpressionType": .integer(77)])
            archive.set(element, "NSIndexedProperty", computed)
        },
        Oddity("an index of an unknown class", note: "index") { archive in
            archive.change(classOf: try archive.find("NSFetchIndexDescription"), to: "NSVectorIndex")
        },
        Oddity("an index of an unknown kind", note: "unknown kind of element") { archive in
            archive.set(try archive.find("NSFetchIndexElementDescription"), "NSFetchIndexElementType", .integer(7))
        },
        Oddity("an index over a property that the entity lacks", note: "ghost") { archive in
            archive.set(try archive.find("NSFetchIndexElementDescription"), "NSPropertyName", text: "ghost")
        },
        Oddity("an index without a name", note: "NSIndexName") { archive in
            archive.set(try archive.find("NSFetchIndexDescription"), "NSIndexName", .uid(0))
        },
        Oddity("an index with a condition of an unknown class", note: "NSFuturePredicate") { archive in
            let index = try archive.find("NSFetchIndexDescription")
            archive.set(index, "NSPartialIndexPredicate", archive.add(class: "NSFuturePredicate"))
        },
        Oddity("indexes that are no list", note: "NSFetchIndexDescriptions") { archive in
            archive.set(try archive.person(), "NSFetchIndexDescriptions", text: "none")
        },
        Oddity("a compound index that is no list", note: "NSCompoundIndexes") { archive in
            let text = archive.add(.string("age"))
            archive.append(text, to: archive.target(try archive.person(), "NSCompoundIndexes"))
        },
    ]

    // MARK: Requests

    private static let requests = [
        Oddity("a template of an unknown class", note: "is left out") { archive in
            archive.change(classOf: try archive.find("NSFetchRequest"), to: "NSVectorRequest")
        },
        Oddity("a template with an unknown function", note: "futureFunction:") { archive in
            let name = archive.add(.string("futureFunction:"))
            let function = archive.add(class: "NSFunctionExpression", [], ["NSSelectorName": name])
            let comparison = try archive.find("NSComparisonPredicate")
            archive.set(comparison, "NSLeftExpression", function)
        },
        Oddity("a template with a comparison of an unknown kind", note: "NSPredicateOperator") { archive in
            let comparison = archive.target(try archive.find("NSFetchRequest"), "NSPredicate")
            archive.set(archive.target(comparison, "NSPredicateOperator"), "NSOperatorType", .integer(77))
        },
        Oddity("a template for something else than an entity", note: "NSVectorEntity") { archive in
            archive.set(try archive.find("NSFetchRequest"), "NSEntity", archive.add(class: "NSVectorEntity"))
        },
        Oddity("a template that sorts in an unknown way", note: "Young") { archive in
            archive.change(classOf: try archive.find("NSSortDescriptor"), to: "NSVectorSort")
        },
        Oddity("a template with a limit that is a text", note: "NSFetchLimit") { archive in
            archive.set(try archive.find("NSFetchRequest"), "NSFetchLimit", text: "ten")
        },
        Oddity("a fetched property whose request is unknown", note: "peers") { archive in
            let property = try archive.property("peers")
            archive.set(property, "NSFetchRequest", archive.add(class: "NSVectorRequest"))
        },
    ]

    // MARK: The model

    private static let modelParts = [
        Oddity("a configuration that is no list", note: "Extra") { archive in
            let list = archive.target(try archive.find("NSManagedObjectModel"), "NSConfigurations")
            let text = archive.add(.string("none"))
            archive.append(text, for: "Extra", to: list)
        },
        Oddity("a configuration with an unknown member", note: "NSVectorEntity") { archive in
            let list = archive.target(try archive.find("NSManagedObjectModel"), "NSConfigurations")
            let set = archive.add(class: "NSSet", [], ["NS.objects": .array([archive.add(class: "NSVectorEntity")])])
            archive.append(set, for: "Extra", to: list)
        },
        Oddity("a version identifier that is a number", note: "NSVersionIdentifiers") { archive in
            let list = archive.target(try archive.find("NSManagedObjectModel"), "NSVersionIdentifiers")
            archive.append(archive.add(.integer(4)), to: list)
        },
        Oddity("a localization that is a number", note: "NSLocalizationDictionary") { archive in
            let list = archive.target(try archive.find("NSManagedObjectModel"), "NSLocalizationDictionary")
            archive.append(archive.add(.integer(4)), for: "Entity/Team", to: list)
        },
        Oddity("a key of a later release on every object", note: nil) { archive in
            let future = archive.add(class: "NSFutureFeature")
            archive.forEachObject { $0.set($1, "NSFutureKey", future) }
        },
        Oddity("a model of a subclass", note: nil) { archive in
            archive.change(
                classOf: try archive.find("NSManagedObjectModel"), to: "PFModel", ["NSManagedObjectModel", "NSObject"])
        },
    ]

    // MARK: Entities

    private static let entityParts = [
        Oddity("an entity of a subclass", note: nil) { archive in
            archive.change(classOf: try archive.person(), to: "PFEntity", ["NSEntityDescription", "NSObject"])
        },
        Oddity("a class name that is a number", note: "NSClassNameForEntity") { archive in
            archive.set(try archive.person(), "NSClassNameForEntity", .integer(1))
        },
        Oddity("a renaming identifier that is a number", note: "NSRenamingIdentifier") { archive in
            archive.set(try archive.person(), "NSRenamingIdentifier", .integer(1))
        },
        Oddity("a user info with an object of an unknown class", note: "NSColor") { archive in
            let info = archive.target(try archive.person(), "NSUserInfo")
            archive.append(archive.add(class: "NSColor"), for: "colour", to: info)
        },
        Oddity("a Spotlight name of an unknown class", note: "NSFutureExpression") { archive in
            let future = archive.add(class: "NSFutureExpression")
            archive.set(try archive.person(), "NSCoreSpotlightDisplayNameExpression", future)
        },
        Oddity("a uniqueness constraint over a property that the entity lacks", note: "ghost") {
            archive in
            let tuples = archive.target(try archive.person(), "NSUniqueTuples")
            let list = archive.add(class: "NSArray", [], ["NS.objects": .array([archive.add(.string("ghost"))])])
            archive.append(list, to: tuples)
        },
        Oddity("a uniqueness constraint of an unknown class", writable: false, note: "NSUniqueTuples") { archive in
            let tuples = archive.target(try archive.person(), "NSUniqueTuples")
            archive.set(tuples, "NS.objects", .array([archive.add(class: "NSFutureConstraint")]))
        },
    ]

    // MARK: Attributes

    private static let attributes = [
        Oddity("an attribute of a subclass", note: nil) { archive in
            let lineage = ["NSAttributeDescription", "NSPropertyDescription", "NSObject"]
            archive.change(classOf: try archive.property("nick"), to: "NSVectorAttributeDescription", lineage)
        },
        Oddity("a property of an unknown class", writable: false, note: "NSVectorProperty") { archive in
            archive.change(classOf: try archive.property("nick"), to: "NSVectorProperty", ["NSObject"])
        },
        Oddity("an attribute of an unknown type whose values are strings", note: "9999") { archive in
            archive.set(try archive.property("nick"), "NSAttributeType", .integer(9999))
        },
        Oddity("an attribute of an unknown type and class", writable: false, note: "9999") { archive in
            let nick = try archive.property("nick")
            archive.set(nick, "NSAttributeType", .integer(9999))
            archive.set(nick, "NSAttributeValueClassName", text: "NSVector")
        },
        Oddity("an attribute whose optionality is a text", writable: false, note: "NSIsOptional") { archive in
            archive.set(try archive.property("nick"), "NSIsOptional", text: "maybe")
        },
        Oddity("a validation rule of an unknown class", note: "NSFuturePredicate") { archive in
            let rules = archive.target(try archive.property("age"), "NSValidationPredicates")
            archive.set(rules, "NS.objects", .array([archive.add(class: "NSFuturePredicate")]))
        },
        Oddity("more validation rules than warnings", note: "rules") { archive in
            let rules = archive.target(try archive.property("age"), "NSValidationPredicates")
            archive.append(archive.add(class: "NSTruePredicate"), to: rules)
        },
        Oddity("a default value of another type", note: nil) { archive in
            archive.set(try archive.property("age"), "NSDefaultValue", text: "seven")
        },
        Oddity("a default value of an unknown class", note: nil) { archive in
            archive.set(try archive.property("age"), "NSDefaultValue", archive.add(class: "NSVector"))
        },
        Oddity("a default value that is not in the archive", note: "NSDefaultValue") { archive in
            archive.set(try archive.property("age"), "NSDefaultValue", .uid(99_999))
        },
        Oddity("a transformer's name that is a number", note: "NSValueTransformerName") { archive in
            archive.set(try archive.property("nick"), "NSValueTransformerName", .integer(1))
        },
        Oddity("a derivation by an unknown function", writable: false, note: "futureFunction:") { archive in
            let derivation = archive.target(try archive.property("folded"), "NSDerivationExpression")
            archive.set(derivation, "NSSelectorName", text: "futureFunction:")
        },
        Oddity("an element of a composite of an unknown class", writable: false, note: "NSVectorProperty") { archive in
            archive.change(classOf: try archive.property("street"), to: "NSVectorProperty", ["NSObject"])
        },
        Oddity("a user info of an attribute that is no dictionary", note: "NSUserInfo") { archive in
            archive.set(try archive.property("nick"), "NSUserInfo", text: "none")
        },
    ]

    // MARK: Relationships

    private static let relationships = [
        Oddity("an unknown delete rule", note: "NSDeleteRule") { archive in
            archive.set(try archive.property("rival"), "NSDeleteRule", .integer(9))
        },
        Oddity("a relationship to an entity that the model lacks", writable: false, note: "Ghost") { archive in
            let rival = try archive.property("rival")
            archive.set(rival, "_NSDestinationEntityName", text: "Ghost")
            archive.set(rival, "NSDestinationEntity", .uid(0))
        },
        Oddity("an inverse that the destination lacks", note: "ghost") { archive in
            archive.set(try archive.property("rival"), "_NSInverseRelationshipName", text: "ghost")
        },
        Oddity("a relationship whose greatest count is a text", writable: false, note: "NSMaxCount") { archive in
            archive.set(try archive.property("rival"), "NSMaxCount", text: "one")
        },
        Oddity("a relationship of an unknown class", writable: false, note: "NSVectorRelation") { archive in
            archive.change(classOf: try archive.property("rival"), to: "NSVectorRelation", ["NSObject"])
        },
    ]
}
