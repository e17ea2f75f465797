import Foundation
import ModelArchive
import ModelDocument
import PropertyLists

/// A model that says something in every way, and its archive with one thing in it that no reader knows.
enum OddModel {
    /// Teams and people, with a part of each kind.
    static var document: Model {
        var model = Model(entities: [person, team])
        model.versionIdentifiers = ["1"]
        model.localizationDictionary = ["Entity/Person": "Mensch"]
        model.configurations = [.init(name: "Local", entityNames: ["Person", "Team"])]
        var template = Model.FetchRequest(name: "Young", entityName: "Person", predicateFormat: "age < $age")
        template.sortKeys = [.init(key: "name", isAscending: true)]
        model.fetchRequests = [template]
        var street = Model.Attribute(name: "street", type: .string)
        street.isOptional = true
        model.composites = [.init(name: "Address", elements: [street])]
        return model
    }

    private static var person: Model.Entity {
        var person = Model.Entity(name: "Person")
        var age = Model.Attribute(name: "age", type: .integer16)
        age.isOptional = true
        age.minValueString = "0"
        age.defaultValueString = "7"
        var nick = Model.Attribute(name: "nick", type: .string)
        nick.isOptional = true
        nick.defaultValueString = "none"
        nick.userInfo = ["key": "value"]
        var folded = Model.Attribute(name: "folded", type: .string)
        folded.isOptional = true
        folded.isDerived = true
        folded.derivationExpression = "lowercase:(nick)"
        var home = Model.Attribute(name: "home", type: .composite)
        home.compositeName = "Address"
        home.isOptional = true
        person.attributes = [.init(name: "name", type: .string), age, nick, folded, home]
        person.relationships = [
            relation("team", "Team", inverse: "players"), relation("rival", "Person", inverse: nil),
        ]
        person.fetchedProperties = [
            .init(
                name: "peers",
                fetchRequest: .init(name: "peers", entityName: "Person", predicateFormat: "age == $FETCH_SOURCE.age"))
        ]
        var index = Model.FetchIndex(name: "byAge", elements: [.init(propertyName: "age")])
        index.partialIndexPredicate = "age > 1"
        person.fetchIndexes = [index]
        person.compoundIndexes = [["age", "nick"]]
        person.uniquenessConstraints = [["name"]]
        person.spotlightDisplayNameExpression = "name"
        person.userInfo = ["key": "value"]
        return person
    }

    private static var team: Model.Entity {
        var team = Model.Entity(name: "Team")
        team.attributes = [.init(name: "name", type: .string)]
        team.relationships = [relation("players", "Person", inverse: "team", maxCount: 0)]
        return team
    }

    private static func relation(
        _ name: String, _ destination: String, inverse: String?, maxCount: Int = 1
    ) -> Model.Relationship {
        var relationship = Model.Relationship(name: name, destinationName: destination)
        relationship.isOptional = true
        relationship.maxCount = maxCount
        relationship.inverseName = inverse
        relationship.inverseEntityName = inverse.map { _ in destination }
        return relationship
    }
}

/// The objects of a model's archive, to be changed.
struct OpenArchive {
    private var list: [String: PropertyListValue]
    private var objects: [PropertyListValue]

    init(_ data: Data) throws {
        list = try PropertyListValue(binary: data).dictionary ?? [:]
        objects = list["$objects"]?.array ?? []
    }

    var data: Data {
        var list = list
        list["$objects"] = .array(objects)
        return PropertyListValue.dictionary(list).binary
    }

    /// The first object of a class, one with a text in its field where that is asked for.
    func find(_ className: String, _ key: String? = nil, _ text: String? = nil) throws -> Int {
        let found = objects.indices.first { number in
            guard let fields = objects[number].dictionary, let own = fields["$class"]?.uid,
                objects[own].dictionary?["$classname"]?.string == className
            else { return false }
            guard let key, let text else { return true }
            return fields[key]?.uid.flatMap { objects[$0].string } == text
        }
        guard let found else { throw SQLiteTestFailure("The archive has no \(className).") }
        return found
    }

    func person() throws -> Int { try find("NSEntityDescription", "NSEntityName", "Person") }

    /// A property of the person.
    func property(_ name: String) throws -> Int {
        for kind in ["Attribute", "DerivedAttribute", "CompositeAttribute", "Relationship", "FetchedProperty"] {
            let number = try? find("NS\(kind)Description", "NSPropertyName", name)
            if let number { return number }
        }
        throw SQLiteTestFailure("The archive has no property \(name).")
    }

    /// The object that a field refers to.
    func target(_ number: Int, _ key: String) -> Int { objects[number].dictionary?[key]?.uid ?? 0 }

    mutating func add(_ value: PropertyListValue) -> PropertyListValue {
        objects.append(value)
        return .uid(objects.count - 1)
    }

    mutating func add(class name: String, _ lineage: [String] = [], _ fields: [String: PropertyListValue] = [:])
        -> PropertyListValue
    {
        var fields = fields
        fields["$class"] = add(
            .dictionary(["$classname": .string(name), "$classes": .array(([name] + lineage).map { .string($0) })]))
        return add(.dictionary(fields))
    }

    mutating func set(_ number: Int, _ key: String, _ value: PropertyListValue) {
        guard var fields = objects[number].dictionary else { return }
        fields[key] = value
        objects[number] = .dictionary(fields)
    }

    mutating func set(_ number: Int, _ key: String, text: String) { set(number, key, add(.string(text))) }

    /// Gives an object a class that no reader knows.
    mutating func change(classOf number: Int, to name: String, _ lineage: [String] = []) {
        let description = add(
            .dictionary(["$classname": .string(name), "$classes": .array(([name] + lineage).map { .string($0) })]))
        set(number, "$class", description)
    }

    /// Adds an element to a list.
    mutating func append(_ value: PropertyListValue, to number: Int, _ key: String = "NS.objects") {
        set(number, key, .array((objects[number].dictionary?[key]?.array ?? []) + [value]))
    }

    /// Adds an entry to a dictionary.
    mutating func append(_ value: PropertyListValue, for name: String, to number: Int) {
        append(add(.string(name)), to: number, "NS.keys")
        append(value, to: number)
    }

    mutating func forEachObject(_ change: (inout OpenArchive, Int) -> Void) {
        for number in objects.indices where objects[number].dictionary?["$class"] != nil { change(&self, number) }
    }
}
