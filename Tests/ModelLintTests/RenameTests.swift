import Foundation
import ModelDocument
import ModelLint
import Testing

@Suite("Renaming follows references")
struct RenameTests {
    private static let elements = """
        <entity name="Person" representedClassName=".Person" syncable="YES">
            <attribute name="first" optional="YES" attributeType="String"/>
            <attribute name="name" optional="YES" attributeType="String"/>
            <attribute name="sort" optional="YES" attributeType="String" derived="YES" derivationExpression="canonical:(name)"/>
            <relationship name="friends" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Person" inverseName="friends" inverseEntity="Person"/>
            <fetchIndex name="byName">
                <fetchIndexElement property="name" type="Binary" order="ascending"/>
                <fetchIndexElement expression="lowercase:(name)" expressionType="String" type="Binary" order="ascending"/>
            </fetchIndex>
        </entity>
        <entity name="Player" representedClassName="Athlete" parentEntity="Person" syncable="YES" coreSpotlightDisplayNameExpression="name">
            <attribute name="salary" optional="YES" attributeType="Decimal"/>
            <attribute name="home" optional="YES" attributeType="Composite" composite="Address"/>
            <relationship name="team" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Team" inverseName="players" inverseEntity="Team"/>
            <uniquenessConstraints>
                <uniquenessConstraint>
                    <constraint value="name"/>
                </uniquenessConstraint>
            </uniquenessConstraints>
        </entity>
        <entity name="Team" representedClassName="Team" syncable="YES">
            <attribute name="name" optional="YES" attributeType="String"/>
            <relationship name="players" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Player" inverseName="team" inverseEntity="Player"/>
            <fetchedProperty name="namesakes" optional="YES">
                <fetchRequest name="fetchedPropertyFetchRequest" entity="Player" predicateString="name == $FETCH_SOURCE.name"/>
            </fetchedProperty>
        </entity>
        <fetchRequest name="ByName" entity="Person" predicateString="PERSON"/>
        <fetchRequest name="ByTeam" entity="Team" predicateString="TEAM"/>
        <configuration name="People">
            <memberEntity name="Player"/>
        </configuration>
        <composite name="Address">
            <attribute name="city" optional="YES" attributeType="String"/>
        </composite>
        """

    private func model(person: String = "name == 'x'", team: String = "name != nil") throws -> Model {
        func escaped(_ text: String) -> String {
            text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
        }
        let text = Self.elements.replacing("PERSON", with: escaped(person)).replacing("TEAM", with: escaped(team))
        return try Planted(text).model
    }

    @Test("An entity's new name is taken over by class, subentities, relationships, requests and configurations")
    func entity() throws {
        var model = try model()
        let references = try ModelRename(.entity("Player"), to: "Sportsman").carryOut(in: &model)
        #expect(
            references.map { "\($0.title) \($0.field) \($0.before) \($0.after)" } == [
                "Team.players destination Player Sportsman", "Team.namesakes destination Player Sportsman",
                "Configuration People entities Player Sportsman",
            ])
        #expect(model[entity: "Team"]?[relationship: "players"]?.inverseEntityName == "Sportsman")
        // A class of another name is the user's own choice.
        #expect(model[entity: "Sportsman"]?.representedClass == "Athlete")
        try ModelRename(.entity("Person"), to: "Human").carryOut(in: &model)
        #expect(model[entity: "Human"]?.representedClass == ".Human")
        #expect(model[entity: "Sportsman"]?.parentName == "Human")
        #expect(model[fetchRequest: "ByName"]?.entityName == "Human")
        #expect(model[entity: "Human"]?[relationship: "friends"]?.inverseEntityName == "Human")
    }

    @Test("A property's new name is taken over by inverses, constraints, indexes and texts") func property() throws {
        var model = try model()
        let references = try ModelRename(.property("name", entity: "Person"), to: "fullName").carryOut(in: &model)
        #expect(
            references.map { "\($0.title) \($0.field) | \($0.before) | \($0.after)" } == [
                "Index byName of Person propertyName | name | fullName",
                "Constraint of Player names | name | fullName",
                "Person.sort derivation | canonical:(name) | canonical:(fullName)",
                "Index byName of Person expression | lowercase:(name) | lowercase:(fullName)",
                "Player spotlightExpression | name | fullName",
                // The team's name is another one.
                "Team.namesakes predicate | name == $FETCH_SOURCE.name | fullName == $FETCH_SOURCE.name",
                "Fetch request ByName predicate | name == 'x' | fullName == 'x'",
            ])
        #expect(references.allSatisfy { $0.doubt == nil })
        #expect(model[fetchRequest: "ByTeam"]?.predicateFormat == "name != nil")
        try ModelRename(.property("players", entity: "Team"), to: "squad").carryOut(in: &model)
        #expect(model[entity: "Player"]?[relationship: "team"]?.inverseName == "squad")
        // Nothing that was right is wrong afterwards.
        #expect(ModelLint.diagnostics(of: model).filter { $0.severity == .error } == [])
    }

    struct Text: Sendable {
        var target: ModelRename.Target
        var newName: String
        var before: String
        var after: String
    }

    private static let name = ModelRename.Target.property("name", entity: "Person")
    private static let teamName = ModelRename.Target.property("name", entity: "Team")

    @Test(
        "Predicates of persons change where the key is the property, and keep their spelling otherwise",
        arguments: [
            Text(target: name, newName: "x", before: "name  ==\"name\"", after: "x  ==\"name\""),
            Text(target: name, newName: "x", before: "SELF.name LIKE[cd] 'a*'", after: "SELF.x LIKE[cd] 'a*'"),
            Text(
                target: name, newName: "x", before: "ANY friends.name IN {'name'}", after: "ANY friends.x IN {'name'}"),
            Text(
                target: name, newName: "x", before: "SUBQUERY(friends, $name, $name.name == 'a').@count > 0",
                after: "SUBQUERY(friends, $name, $name.x == 'a').@count > 0"),
            Text(target: name, newName: "x", before: "#name == 'a' AND name == 'b'", after: "#x == 'a' AND x == 'b'"),
            // A subentity's keys can be asked for, and lead on.
            Text(target: teamName, newName: "x", before: "team.name == name", after: "team.x == name"),
            Text(
                target: name, newName: "x", before: "team.players.name == team.name",
                after: "team.players.x == team.name"),
            Text(target: name, newName: "select", before: "name == 'a'", after: "select == 'a'"),
            // A word of the language needs its mark.
            Text(target: name, newName: "any", before: "name == 'a'", after: "#any == 'a'"),
            Text(target: name, newName: "x", before: "lowercase(name) == 'a'", after: "lowercase(x) == 'a'"),
            Text(
                target: .property("friends", entity: "Person"), newName: "pals",
                before: "friends.@count > 2 AND friends.friends.name == 'friends'",
                after: "pals.@count > 2 AND pals.pals.name == 'friends'"),
            Text(
                target: .element("city", composite: "Address"), newName: "town",
                before: "home.city == 'Rome' AND salary > 3", after: "home.town == 'Rome' AND salary > 3"),
            Text(target: .entity("Person"), newName: "Human", before: "Person == 1", after: "Person == 1"),
        ])
    func text(_ text: Text) throws {
        var model = try model(person: text.before)
        try ModelRename(text.target, to: text.newName).carryOut(in: &model)
        let request = try #require(model.fetchRequests.first { $0.name == "ByName" })
        #expect(request.predicateFormat == text.after)
    }

    @Test("What may mean something else is listed with a reason, and changed on demand only") func unsure() throws {
        for (text, sure, all) in [
            ("$who.name == 'a'", "$who.name == 'a'", "$who.x == 'a'"),
            ("name == == 'a'", "name == == 'a'", "x == == 'a'"),
            ("name == $p AND $p.name == 'a'", "x == $p AND $p.name == 'a'", "x == $p AND $p.x == 'a'"),
            ("attribute == 'name'", "attribute == 'name'", "attribute == 'x'"),
        ] {
            let rename = ModelRename(Self.name, to: "x")
            let original = try model(person: text)
            let listed = try rename.references(in: original).first { $0.title == "Fetch request ByName" }
            #expect(listed?.before == text)
            #expect(listed?.after == all)
            #expect(listed?.doubt?.isEmpty == false)
            var model = original
            try rename.carryOut(in: &model)
            #expect(model[fetchRequest: "ByName"]?.predicateFormat == sure)
            model = original
            try rename.carryOut(in: &model, includingUnsure: true)
            #expect(model[fetchRequest: "ByName"]?.predicateFormat == all)
        }
    }

    @Test("An entity's name in a text is unsure") func entityText() throws {
        let original = try model(person: "entity.name == 'Player'")
        let references = try ModelRename(.entity("Player"), to: "X").references(in: original)
        let found = try #require(references.first { $0.field == "predicate" })
        #expect(found.after == "entity.name == 'X'")
        #expect(found.doubt != nil)
    }

    @Test("Names that can't be are refused, and nothing is changed") func refused() throws {
        let original = try model()
        for rename in [
            ModelRename(.entity("Player"), to: "Team"), ModelRename(.entity("Nobody"), to: "X"),
            ModelRename(Self.name, to: "sort"), ModelRename(.property("nothing", entity: "Team"), to: "X"),
            ModelRename(.entity("Player"), to: ""), ModelRename(.composite("Nothing"), to: "X"),
            ModelRename(.element("street", composite: "Address"), to: "X"),
        ] {
            #expect(throws: ModelDocumentError.self) { try rename.references(in: original) }
        }
    }

    @Test("Renaming there and back gives the bytes of before", .enabled(if: Samples.hasCollection))
    func thereAndBack() throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: Samples.collection.path)
            .filter { $0.hasSuffix("/contents") }.sorted()
        var count = 0
        for path in paths {
            guard let data = try? Data(contentsOf: Samples.collection.appending(path: path)),
                let original = try? Model(contents: data)
            else { continue }
            var model = original
            for entity in original.entities.prefix(5) where !hasDuplicates(original) {
                // Of each kind one: the collection has thousands.
                let firsts = [entity.attributes.first?.name, entity.relationships.first?.name]
                for property in firsts.compactMap({ $0 }) {
                    let there = ModelRename(.property(property, entity: entity.name), to: "zzz_other")
                    try there.carryOut(in: &model)
                    let back = ModelRename(.property("zzz_other", entity: entity.name), to: property)
                    try back.carryOut(in: &model)
                    count += 1
                }
            }
            #expect(model == original, "\(path)")
        }
        #expect(count > 1000)
    }

    /// Whether names are there twice, so that it is not known what is meant by them.
    private func hasDuplicates(_ model: Model) -> Bool {
        Set(model.entities.map(\.name)).count < model.entities.count
            || model.entities.contains { Set($0.propertyNames).count < $0.propertyNames.count }
    }
}

@Suite("Advice while writing a predicate")
struct FormatAdviceTests {
    private func league() throws -> Model {
        let file = Samples.package.appending(
            path: "Examples/LeagueManager/League.xcdatamodeld/League.xcdatamodel/contents")
        return try Model(contents: Data(contentsOf: file))
    }

    @Test("A text that can't be read has the parser's message and place") func failure() throws {
        let advice = FormatAdvice("lastName BEGINSWITH", for: .fetchRequest, entity: "Player", in: try league())
        #expect(advice.failure?.column == 20)
        #expect(advice.failure?.message.isEmpty == false)
        let right = FormatAdvice("lastName BEGINSWITH 'W'", for: .fetchRequest, entity: "Player", in: try league())
        #expect(right == FormatAdvice("", for: .fetchRequest, entity: "Player", in: try league()))
    }

    @Test("Keys that the model lacks are warned of") func unknown() throws {
        let advice = FormatAdvice("team.colour == 'x'", for: .fetchRequest, entity: "Player", in: try league())
        #expect(advice.failure == nil)
        #expect(advice.warnings == ["Team has no property colour."])
        let source = FormatAdvice(
            "lastName == $FETCH_SOURCE.owner", for: .fetchedProperty, entity: "Player", source: "Team", in: try league()
        )
        #expect(source.warnings == ["Team has no property owner."])
        let derived = FormatAdvice("players.@avg.salary", for: .derivation, entity: "Team", in: try league())
        #expect(derived.warnings.count == 1)
    }

    struct Place: Sendable {
        var text: String
        var expected: [String]
        var use = FormatAdvice.Use.fetchRequest
        var entity = "Player"
        /// Whether nothing else is proposed.
        var isAll = false
    }

    @Test(
        "What fits at the cursor is proposed",
        arguments: [
            Place(text: "", expected: ["firstName", "team", "dateOfBirth", "NOT", "SUBQUERY("]),
            Place(text: "la", expected: ["lastName"], isAll: true),
            Place(text: "lastName ", expected: ["==", "BEGINSWITH"]),
            Place(text: "lastName beg", expected: ["BEGINSWITH"], isAll: true),
            Place(text: "lastName == 'x' ", expected: ["AND", "OR"], isAll: true),
            Place(text: "lastName == 'x' AND t", expected: ["team", "TRUEPREDICATE"], isAll: true),
            Place(text: "team.", expected: ["name", "uniformColor", "players", "@count"]),
            Place(text: "team.players.sal", expected: ["salary"], isAll: true),
            Place(text: "team.@c", expected: ["count"], isAll: true),
            Place(text: "SELF.la", expected: ["lastName"], isAll: true),
            Place(text: "lastName == 'te", expected: [], isAll: true),
            Place(text: "nothing.", expected: ["@count", "@sum", "@avg", "@min", "@max"], isAll: true),
            Place(text: "SUBQUERY(players, $p, $p.sal", expected: ["salary"], entity: "Team", isAll: true),
            Place(
                text: "lastName == $F", expected: ["FETCH_SOURCE", "FETCHED_PROPERTY"], use: .fetchedProperty,
                isAll: true),
            Place(text: "lastName == $FETCH_SOURCE.un", expected: ["uniformColor"], use: .fetchedProperty, isAll: true),
            Place(text: "can", expected: ["canonical:("], use: .derivation, isAll: true),
            Place(text: "sal", expected: ["salary"], entity: "Person", isAll: true),
        ])
    func completion(_ place: Place) throws {
        let completion = FormatCompletion(
            place.text, cursor: nil, for: place.use, entity: place.entity, source: "Team", in: try league())
        let texts = completion.candidates.map(\.text)
        #expect(Set(texts).isSuperset(of: place.expected), "\(texts)")
        if place.isAll { #expect(Set(texts) == Set(place.expected), "\(texts)") }
        #expect(completion.replaced.upperBound == place.text.utf16.count)
    }

    @Test("The cursor may stand anywhere, between the halves of a character too") func cursors() throws {
        let text = "lastName == '👩‍👩‍👧é' AND te"
        for cursor in -1...(text.utf16.count + 2) {
            let completion = FormatCompletion(
                text, cursor: cursor, for: .fetchRequest, entity: "Player", in: try league())
            #expect((0...text.utf16.count).contains(completion.replaced.upperBound))
        }
    }
}
