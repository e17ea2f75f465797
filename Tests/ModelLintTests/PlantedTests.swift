import Foundation
import ModelDocument
import ModelLint
import Testing

/// A model with one fault, and what is to be found in it.
struct PlantedCase: Sendable, CustomTestStringConvertible {
    var code: Model.DiagnosticCode
    /// The line of the faulty element.
    var line: Int
    var elements: String
    var attributes = ""

    init(_ code: Model.DiagnosticCode, line: Int, attributes: String = "", _ elements: String) {
        self.code = code
        self.line = line
        self.elements = elements
        self.attributes = attributes
    }

    var testDescription: String { "\(code.rawValue) on line \(line)" }
}

@Suite("Every planted fault is found on its line, and nothing else with it")
struct PlantedTests {
    @Test("Each case", arguments: PlantedCase.all)
    func planted(_ planted: PlantedCase) throws {
        let found = try Planted(planted.elements, attributes: planted.attributes).findings()
        let others = planted.code == .cloudKit ? ["2 cloudkit-port"] : []
        #expect(found == others + ["\(planted.line) \(planted.code.rawValue)"])
    }

    @Test("Every code has a case; a changed locked version is planted where there is a lock file")
    func coverage() {
        let planted = Set(PlantedCase.all.map(\.code))
        #expect(planted.union([.lockedVersion]) == Set(Model.DiagnosticCode.allCases))
    }

    @Test("Every code is explained in the documentation, under its severity")
    func documentation() throws {
        let page = Samples.package.appending(path: "Sources/CoreData/CoreData.docc/ModelTools.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        for code in Model.DiagnosticCode.allCases {
            let place = try #require(text.range(of: "`\(code.rawValue)`"), "\(code.rawValue) is not explained")
            let headings = ["Errors: ", "Warnings: ", "Notes: "].compactMap { heading in
                text[..<place.lowerBound].range(of: "\n\(heading)").map { (heading, $0.lowerBound) }
            }
            let nearest = headings.max { $0.1 < $1.1 }
            #expect(nearest?.0.lowercased() == "\(code.severity.rawValue)s: ", "\(code.rawValue)")
        }
    }

    @Test("A model without faults has no findings")
    func sound() throws {
        let planted = try Planted(
            """
            <entity name="Person" representedClassName="Person" isAbstract="YES">
                <attribute name="name" attributeType="String" minValueString="1" maxValueString="80" regularExpressionString="[^ ].*"/>
                <attribute name="age" attributeType="Integer 16" defaultValueString="18" minValueString="18" usesScalarValueType="YES"/>
                <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
                <attribute name="colour" optional="YES" attributeType="Transformable" valueTransformerName="NSSecureUnarchiveFromData"/>
                <attribute name="folded" optional="YES" attributeType="String" derived="YES" derivationExpression="canonical:(name)"/>
                <attribute name="born" optional="YES" attributeType="Date" defaultDateTimeInterval="0" maxDateTimeInterval="10"/>
                <fetchIndex name="byName"><fetchIndexElement property="name" type="Binary" order="ascending"/></fetchIndex>
            </entity>
            <entity name="Player" representedClassName="Player" parentEntity="Person" codeGenerationType="class">
                <attribute name="points" optional="YES" attributeType="Decimal" defaultValueString="0.0"/>
                <relationship name="team" maxCount="1" deletionRule="Nullify" destinationEntity="Team" inverseName="players" inverseEntity="Team"/>
                <uniquenessConstraints><uniquenessConstraint><constraint value="name"/><constraint value="team"/></uniquenessConstraint></uniquenessConstraints>
            </entity>
            <entity name="Team" representedClassName="Team">
                <attribute name="size1" optional="YES" attributeType="Integer 32" derived="YES" derivationExpression="players.@count"/>
                <attribute name="total" optional="YES" attributeType="Decimal" derived="YES" derivationExpression="players.@sum.points"/>
                <attribute name="changed" optional="YES" attributeType="Date" derived="YES" derivationExpression="now()"/>
                <relationship name="players" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Player" inverseName="team" inverseEntity="Player"/>
                <fetchedProperty name="stars" optional="YES"><fetchRequest name="r" entity="Player" predicateString="team == $FETCH_SOURCE AND points &gt; $FETCH_SOURCE.total"/></fetchedProperty>
            </entity>
            <fetchRequest name="Full" entity="Team" predicateString="SUBQUERY(players, $p, $p.age &gt; 20 AND $p.team.name != nil).@count &gt; $N OR ANY players.points &gt; 1"/>
            <fetchRequest name="Fine" entity="Person" predicateString="points &gt; 3 AND name.length &gt; 2 AND SELF != nil AND objectID != nil"/>
            <configuration name="All"><memberEntity name="Person"/><memberEntity name="Player"/><memberEntity name="Team"/></configuration>
            """)
        // `name` is no key of Team, which the walk through the subquery has to see.
        #expect(try planted.findings() == ["24 unknown-key"])
    }

    @Test("A finding names its entity and property, and prints with severity and code")
    func sentence() throws {
        let planted = try Planted(
            PlantedCase.entity("A", "<attribute name=\"hash\" optional=\"YES\" attributeType=\"String\"/>"))
        let finding = try #require(ModelLint.diagnostics(of: planted.model).first)
        #expect(finding.entityName == "A" && finding.propertyName == "hash" && finding.severity == .error)
        #expect(
            "\(finding)"
                == "error: A.hash is named like a member that every managed object has; rename it [reserved-name]")
    }
}

extension PlantedCase {
    static func entity(_ name: String, _ content: String = "", _ attributes: String = "") -> String {
        "<entity name=\"\(name)\"\(attributes)>\n\(content)\n</entity>"
    }

    private static func attribute(_ attributes: String) -> String {
        entity("A", "<attribute name=\"x\" optional=\"YES\" \(attributes)/>")
    }

    /// Team and its players, with what the relationships say beyond their names.
    private static func pair(_ players: String, _ team: String) -> String {
        """
        <entity name="Team">
        <relationship name="players" toMany="YES" destinationEntity="Player" \(players)/>
        </entity>
        <entity name="Player">
        <relationship name="team" maxCount="1" destinationEntity="Team" \(team)/>
        </entity>
        """
    }

    private static let toTeam =
        "inverseName=\"team\" inverseEntity=\"Player\" deletionRule=\"Cascade\" optional=\"YES\""
    private static let toPlayers =
        "inverseName=\"players\" inverseEntity=\"Team\" deletionRule=\"Nullify\" optional=\"YES\""
    private static let name = "<attribute name=\"name\" optional=\"YES\" attributeType=\"String\"/>"

    static let all: [PlantedCase] = names + classes + values + relationships + lists + formats + cloud

    private static let names: [PlantedCase] = [
        .init(.duplicateEntity, line: 6, entity("A") + "\n" + entity("A")),
        .init(.duplicateProperty, line: 5, entity("A", name + "\n" + name)),
        .init(
            .duplicateElement, line: 7,
            entity("A", name) + "\n<fetchRequest name=\"R\" entity=\"A\"/>\n<fetchRequest name=\"R\" entity=\"A\"/>"),
        .init(
            .duplicateElement, line: 7,
            entity("A", name) + "\n<configuration name=\"C\"/>\n<configuration name=\"C\"/>"),
        .init(
            .duplicateElement, line: 6,
            entity(
                "A",
                name
                    + "\n<fetchIndex name=\"i\"><fetchIndexElement property=\"name\" type=\"Binary\" order=\"ascending\"/></fetchIndex>"
                    + "\n<fetchIndex name=\"i\"><fetchIndexElement property=\"name\" type=\"Binary\" order=\"ascending\"/></fetchIndex>"
            )),
        .init(.invalidName, line: 3, entity("My Entity")),
        .init(
            .invalidName, line: 4, entity("A", "<attribute name=\"1st\" optional=\"YES\" attributeType=\"String\"/>")),
        .init(
            .reservedName, line: 4,
            entity("A", "<attribute name=\"isFault\" optional=\"YES\" attributeType=\"Boolean\"/>")),
        .init(
            .reservedName, line: 4,
            entity(
                "A", "<attribute name=\"Type\" optional=\"YES\" attributeType=\"String\"/>",
                " representedClassName=\"A\" codeGenerationType=\"class\"")),
        .init(.inheritedName, line: 7, entity("A", name) + "\n" + entity("B", name, " parentEntity=\"A\"")),
        .init(
            .caseClash, line: 5,
            entity("A", name + "\n<attribute name=\"Name\" optional=\"YES\" attributeType=\"String\"/>")),
        .init(
            .caseClash, line: 7,
            entity("A", name) + "\n"
                + entity(
                    "B", "<attribute name=\"NAME\" optional=\"YES\" attributeType=\"String\"/>", " parentEntity=\"A\"")),
        .init(.unknownParent, line: 3, entity("A", name, " parentEntity=\"B\"")),
        .init(.parentCycle, line: 3, entity("A", name, " parentEntity=\"A\"")),
        .init(.abstractWithoutSubentities, line: 3, entity("A", name, " isAbstract=\"YES\"")),
        .init(
            .predicateWord, line: 4,
            entity("A", "<attribute name=\"cast\" optional=\"YES\" attributeType=\"String\"/>")),
    ]

    private static let classes: [PlantedCase] = [
        .init(
            .duplicateClass, line: 6,
            entity("A", name, " representedClassName=\"C\"") + "\n"
                + entity("B", name, " representedClassName=\".C\"")),
        .init(
            .duplicateGeneratedClass, line: 6,
            entity("A", name, " representedClassName=\"C\" codeGenerationType=\"class\"") + "\n"
                + entity("B", name, " representedClassName=\"C\"")),
        .init(.missingClass, line: 3, entity("A", name, " codeGenerationType=\"category\"")),
    ]

    private static let values: [PlantedCase] = [
        .init(.undefinedType, line: 4, attribute("")),
        .init(.invalidDefault, line: 4, attribute("attributeType=\"Integer 16\" defaultValueString=\"70000\"")),
        .init(.invalidDefault, line: 4, attribute("attributeType=\"UUID\" defaultValueString=\"0\"")),
        .init(.invalidBound, line: 4, attribute("attributeType=\"Double\" minValueString=\"low\"")),
        .init(.invalidPattern, line: 4, attribute("attributeType=\"String\" regularExpressionString=\"(\"")),
        .init(
            .minimumAboveMaximum, line: 4,
            attribute("attributeType=\"Float\" minValueString=\"2\" maxValueString=\"1\"")),
        .init(
            .minimumAboveMaximum, line: 4,
            attribute("attributeType=\"Date\" minDateTimeInterval=\"2\" maxDateTimeInterval=\"1\"")),
        .init(
            .defaultOutsideBounds, line: 4,
            attribute("attributeType=\"Integer 32\" minValueString=\"1\" defaultValueString=\"0\"")),
        .init(
            .defaultOutsideBounds, line: 4,
            attribute("attributeType=\"String\" maxValueString=\"2\" defaultValueString=\"abc\"")),
        .init(
            .defaultOutsideBounds, line: 4,
            attribute("attributeType=\"String\" regularExpressionString=\"[0-9]+\" defaultValueString=\"12a\"")),
        .init(
            .missingDefault, line: 4,
            entity("A", "<attribute name=\"x\" attributeType=\"Integer 64\" usesScalarValueType=\"YES\"/>")),
        .init(.insecureTransformer, line: 4, attribute("attributeType=\"Transformable\"")),
        .init(
            .insecureTransformer, line: 4,
            attribute("attributeType=\"Transformable\" valueTransformerName=\"NSKeyedUnarchiveFromData\"")),
        .init(
            .externalStorage, line: 4, attribute("attributeType=\"String\" allowsExternalBinaryDataStorage=\"YES\"")),
        .init(.ignoredSetting, line: 4, attribute("attributeType=\"Boolean\" minValueString=\"0\"")),
        .init(.invalidDefault, line: 4, attribute("attributeType=\"Binary\" defaultValueString=\"0\"")),
        .init(.ignoredSetting, line: 4, attribute("attributeType=\"String\" defaultDateTimeInterval=\"0\"")),
        .init(
            .ignoredSetting, line: 4,
            attribute(
                "attributeType=\"Date\" derived=\"YES\" derivationExpression=\"now()\" defaultDateTimeInterval=\"0\"")),
        .init(.unknownComposite, line: 4, attribute("attributeType=\"Composite\" composite=\"C\"")),
        .init(
            .compositeCycle, line: 3,
            "<composite name=\"C\">\n<attribute name=\"c\" attributeType=\"Composite\" composite=\"C\"/>\n</composite>"),
        .init(.derivation, line: 4, attribute("attributeType=\"Date\" derived=\"YES\"")),
        .init(.derivation, line: 4, attribute("attributeType=\"Date\" derivationExpression=\"now()\"")),
        .init(
            .derivation, line: 5,
            entity(
                "A",
                name
                    + "\n<attribute name=\"x\" optional=\"YES\" attributeType=\"String\" derived=\"YES\" derivationExpression=\"canonical:(nmae)\"/>"
            )),
        .init(
            .derivation, line: 5,
            entity(
                "A",
                name
                    + "\n<attribute name=\"x\" optional=\"YES\" attributeType=\"String\" derived=\"YES\" derivationExpression=\"name.@count\"/>"
            )),
        .init(
            .derivation, line: 5,
            entity(
                "A",
                name
                    + "\n<attribute name=\"x\" optional=\"YES\" attributeType=\"String\" derived=\"YES\" derivationExpression=\"name +\"/>"
            )),
        .init(
            .uncompilable, line: 2,
            (1...20).map { number in
                let type =
                    number == 20
                    ? "attributeType=\"String\"" : "attributeType=\"Composite\" composite=\"C\(number + 1)\""
                return "<composite name=\"C\(number)\"><attribute name=\"c\" optional=\"YES\" \(type)/></composite>"
            }.joined(separator: "\n") + "\n" + attribute("attributeType=\"Composite\" composite=\"C1\"")),
    ]

    private static let relationships: [PlantedCase] = [
        .init(.noDestination, line: 4, entity("A", "<relationship name=\"x\" optional=\"YES\" maxCount=\"1\"/>")),
        .init(
            .unknownDestination, line: 4,
            entity("A", "<relationship name=\"x\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"B\"/>")),
        .init(
            .unknownDestination, line: 4,
            entity(
                "A",
                "<fetchedProperty name=\"x\" optional=\"YES\"><fetchRequest name=\"r\" entity=\"B\"/></fetchedProperty>"
            )),
        .init(
            .noInverse, line: 4,
            entity("A", "<relationship name=\"x\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"A\"/>")),
        .init(
            .oneSidedInverse, line: 5,
            """
            <entity name="A">
            <relationship name="b" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="B" inverseName="a" inverseEntity="B"/>
            <relationship name="other" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="B" inverseName="a" inverseEntity="B"/>
            </entity>
            <entity name="B">
            <relationship name="a" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="A" inverseName="b" inverseEntity="A"/>
            </entity>
            """),
        .init(
            .wrongInverse, line: 4,
            """
            <entity name="A">
            <relationship name="b" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="B" inverseName="c" inverseEntity="B"/>
            </entity>
            <entity name="B">
            <relationship name="c" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="C" inverseName="b" inverseEntity="C"/>
            </entity>
            <entity name="C">
            <relationship name="b" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="B" inverseName="c" inverseEntity="B"/>
            </entity>
            """),
        .init(
            .unknownInverse, line: 4,
            entity(
                "A",
                "<relationship name=\"x\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"A\" inverseName=\"y\" inverseEntity=\"A\"/>"
            )),
        .init(.minimumAboveMaximum, line: 4, pair(toTeam + " minCount=\"3\" maxCount=\"2\"", toPlayers)),
        .init(.toManyOfOne, line: 4, pair(toTeam + " maxCount=\"1\"", toPlayers)),
        .init(.ignoredSetting, line: 7, pair(toTeam, toPlayers + " ordered=\"YES\"")),
        .init(
            .noAction, line: 4, pair(toTeam.replacing("Cascade", with: "No Action"), toPlayers)),
        .init(
            .nullifiesRequired, line: 4,
            pair(toTeam.replacing("Cascade", with: "Nullify"), toPlayers.replacing(" optional=\"YES\"", with: ""))),
    ]

    private static let lists: [PlantedCase] = [
        .init(.unknownConstraintKey, line: 6, entity("A", name + constraint("nmae"))),
        .init(
            .constraintKey, line: 6,
            entity(
                "A",
                name.replacing("optional", with: "transient=\"YES\" optional") + constraint("name"))),
        .init(
            .constraintKey, line: 6,
            pair(toTeam, toPlayers).replacing(
                "/>\n</entity>\n<entity name=\"Player\">",
                with: "/>\(constraint("players"))</entity>\n<entity name=\"Player\">")),
        .init(
            .emptyElement, line: 6,
            entity("A", name + "\n<uniquenessConstraints>\n<uniquenessConstraint/>\n</uniquenessConstraints>")),
        .init(.emptyElement, line: 5, entity("A", name + "\n<fetchIndex name=\"i\"/>")),
        .init(.emptyElement, line: 3, "<composite name=\"C\"/>"),
        .init(.unknownIndexKey, line: 6, entity("A", name + index("nmae"))),
        .init(
            .unknownIndexKey, line: 6,
            entity(
                "A",
                name + "\n<compoundIndexes>\n<compoundIndex><index value=\"nmae\"/></compoundIndex>\n</compoundIndexes>"
            )),
        .init(
            .indexKey, line: 6,
            entity("A", name.replacing("optional", with: "transient=\"YES\" optional") + index("name"))),
        .init(.indexKey, line: 6, entity("A", name + index("name").replacing("Binary", with: "RTree"))),
        .init(
            .unknownRequestEntity, line: 6,
            entity("A", name) + "\n<fetchRequest name=\"R\" entity=\"B\" predicateString=\"name == 1\"/>"),
        .init(
            .unknownMember, line: 7,
            entity("A", name) + "\n<configuration name=\"C\">\n<memberEntity name=\"B\"/>\n</configuration>"),
        .init(
            .separatedByConfigurations, line: 4,
            """
            <entity name="A">
            <relationship name="b" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="B" inverseName="a" inverseEntity="B"/>
            </entity>
            <entity name="B">
            <relationship name="a" optional="YES" transient="YES" maxCount="1" deletionRule="Nullify" destinationEntity="A" inverseName="b" inverseEntity="A"/>
            </entity>
            <configuration name="C"><memberEntity name="A"/></configuration>
            <configuration name="D"><memberEntity name="B"/></configuration>
            """),
    ]

    private static func constraint(_ key: String) -> String {
        "\n<uniquenessConstraints>\n<uniquenessConstraint><constraint value=\"\(key)\"/></uniquenessConstraint></uniquenessConstraints>"
    }

    private static func index(_ key: String) -> String {
        "\n<fetchIndex name=\"i\">\n<fetchIndexElement property=\"\(key)\" type=\"Binary\" order=\"ascending\"/></fetchIndex>"
    }

    private static let formats: [PlantedCase] = [
        request(.invalidPredicate, "name == "),
        request(.invalidPredicate, "name == %@"),
        request(.unknownKey, "nmae == 'x'"),
        request(.unknownKey, "SUBQUERY(friends, $f, $f.nick == 'x').@count > 1"),
        request(.transientKey, "memory == 'x'"),
        .init(
            .unknownKey, line: 5,
            entity(
                "A",
                name
                    + "\n<fetchedProperty name=\"x\" optional=\"YES\"><fetchRequest name=\"r\" entity=\"A\" predicateString=\"name == $FETCH_SOURCE.nick\"/></fetchedProperty>"
            )),
        .init(
            .invalidExpression, line: 3, entity("A", name, " coreSpotlightDisplayNameExpression=\"name +\"")),
        .init(
            .invalidExpression, line: 5,
            entity(
                "A",
                name
                    + "\n<fetchIndex name=\"i\">\n<fetchIndexElement expression=\"name +\" expressionType=\"String\" type=\"Binary\" order=\"ascending\"/></fetchIndex>"
            )),
    ]

    private static func request(_ code: Model.DiagnosticCode, _ predicate: String) -> PlantedCase {
        let format = predicate.replacing(">", with: "&gt;")
        return .init(
            code, line: 8,
            entity(
                "A",
                """
                \(name)
                <attribute name="memory" optional="YES" transient="YES" attributeType="String"/>
                <relationship name="friends" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="A" inverseName="friends" inverseEntity="A"/>
                """) + "\n<fetchRequest name=\"R\" entity=\"A\" predicateString=\"\(format)\"/>")
    }

    private static let marked = " usedWithCloudKit=\"YES\""

    private static let cloud: [PlantedCase] = [
        .init(.cloudKitPort, line: 2, attributes: marked, entity("A", name)),
        .init(
            .cloudKitPort, line: 2,
            entity("A", name)
                + "\n<configuration name=\"C\" usedWithCloudKit=\"YES\"><memberEntity name=\"A\"/></configuration>"),
        .init(.cloudKit, line: 4, attributes: marked, entity("A", "<attribute name=\"x\" attributeType=\"String\"/>")),
        .init(.cloudKit, line: 5, attributes: marked, entity("A", name + constraint("name"))),
        .init(.cloudKit, line: 4, attributes: marked, attribute("attributeType=\"ObjectID\"")),
        .init(
            .cloudKit, line: 4, attributes: marked,
            pair(toTeam.replacing("Cascade", with: "Deny"), toPlayers)),
        .init(.cloudKit, line: 4, attributes: marked, pair(toTeam + " ordered=\"YES\"", toPlayers)),
    ]
}
