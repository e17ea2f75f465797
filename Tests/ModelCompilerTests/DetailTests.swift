import Testing

@Suite("Details of generated code")
struct DetailTests {
    private func entity(_ name: String, _ attributes: String = "", _ properties: String = "") -> String {
        "<entity name=\"\(name)\" representedClassName=\"\(name)\" codeGenerationType=\"class\" \(attributes)>\(properties)</entity>"
    }

    @Test("Slots count the parent's properties first, then the entity's of all kinds by name in code point order")
    func slots() throws {
        let model = try TemporaryModel(
            entity(
                "B", "parentEntity=\"A\"",
                "<attribute name=\"a\" attributeType=\"String\"/><attribute name=\"Z\" attributeType=\"String\"/>")
                + entity(
                    "A", "",
                    "<attribute name=\"x\" attributeType=\"String\"/><attribute name=\"ä\" attributeType=\"String\"/>"
                        + "<relationship name=\"m\" maxCount=\"1\" destinationEntity=\"A\"/>"
                        + "<fetchedProperty name=\"f\"><fetchRequest name=\"r\" entity=\"B\"/></fetchedProperty>"))
        let code = try model.compiled().code
        for (index, name) in ["f", "m", "x", "ä", "Z", "a"].enumerated() {
            #expect(code.contains("static let \(name) = ManagedKey(\"\(name)\", slot: \(index))"))
        }
    }

    @Test("A property that repeats an inherited one keeps the inherited slot")
    func repeatedProperty() throws {
        let name = "<attribute name=\"name\" attributeType=\"String\"/>"
        let model = try TemporaryModel(
            entity("A", "", name)
                + entity("B", "parentEntity=\"A\"", "<attribute name=\"b\" attributeType=\"String\"/>"))
        let code = try model.compiled().code
        #expect(code.contains("ManagedKey(\"name\", slot: 0)"))
        #expect(code.contains("ManagedKey(\"b\", slot: 1)"))
    }

    @Test("Keywords are escaped, in properties and in class names")
    func keywords() throws {
        let model = try TemporaryModel(
            entity("Any", "", "<attribute name=\"in\" attributeType=\"String\"/>")
                + entity("Box", "", "<relationship name=\"where\" maxCount=\"1\" destinationEntity=\"Box\"/>"))
        let code = try model.compiled().code
        #expect(code.contains("public var `in`: String?"))
        #expect(code.contains("public var `where`: Box?"))
        #expect(code.contains("public nonisolated class `Any`: NSManagedObject"))
    }

    @Test("A class of another module is imported where that module is there; one of this module is not")
    func otherModules() throws {
        let model = try TemporaryModel(
            """
            <entity name="Team" representedClassName="Shared.Team"/>
            <entity name="Fan" representedClassName="App.Fan"/>
            \(entity("Player", "", """
                <relationship name="team" maxCount="1" destinationEntity="Team"/>
                <relationship name="fan" maxCount="1" destinationEntity="Fan"/>
                """))
            """)
        let code = try model.compiled(module: "App").code
        #expect(code.contains("#if canImport(Shared)\n    import Shared\n#endif"))
        #expect(code.contains("public var team: Team?"))
        #expect(code.contains("public var fan: Fan?"))
        #expect(!code.contains("import App"))
    }

    @Test("Only the root of a hierarchy declares Identifiable: its subclasses inherit it")
    func identifiable() throws {
        let model = try TemporaryModel(entity("A") + entity("B", "parentEntity=\"A\""))
        let code = try model.compiled().code
        #expect(code.contains("extension A: Identifiable {}"))
        #expect(!code.contains("extension B: Identifiable {}"))
    }

    @Test("An id that can't be hashed leaves the class without Identifiable")
    func unhashableID() throws {
        let id = "<attribute name=\"id\" attributeType=\"Transformable\" customClassName=\"Point\"/>"
        #expect(try !TemporaryModel(entity("A", "", id)).compiled().code.contains("Identifiable"))
    }

    @Test("A derived attribute is an ordinary property with a comment that says what it is derived from")
    func derivedAttribute() throws {
        let derived =
            "<attribute name=\"plain\" optional=\"YES\" attributeType=\"String\" derived=\"YES\" derivationExpression=\"canonical:(name)\"/>"
        let code = try TemporaryModel(entity("A", "", derived)).compiled().code
        #expect(
            code.contains(
                "    /// An optional String, derived from `canonical:(name)`.\n    public var plain: String? {"))
    }

    @Test("A model that asks for no code gives a file without classes")
    func noCode() throws {
        let code = try TemporaryModel("<entity name=\"A\" representedClassName=\"A\"/>").compiled().code
        #expect(!code.contains("class"))
        #expect(!code.contains("import"), "such a target need not even depend on CoreData")
    }

    @Test("Generated code for an entity without a class is a warning, not an error")
    func noClass() throws {
        let model = try TemporaryModel("<entity name=\"A\" codeGenerationType=\"class\"/>")
        let warnings = try model.compiled().warnings
        #expect(
            warnings.map(\.sentence) == [
                "A asks for generated code but names no class: it stays an NSManagedObject [missing-class]"
            ])
    }

    @Test("A relationship without an inverse gives a warning at its line")
    func missingInverse() throws {
        let team = "<relationship name=\"team\" maxCount=\"1\" destinationEntity=\"Team\"/>"
        let model = try TemporaryModel("\n" + entity("Player", "", team) + entity("Team"))
        let warnings = try model.compiled().warnings
        #expect(warnings.count == 1)
        #expect(
            "\(try #require(warnings.first))".hasPrefix(
                "\(model.url.path)/Test.xcdatamodel/contents:3: warning: Player.team has no inverse: "))
    }

    @Test("A to-many relationship is a Swift set or array where its user info says so")
    func collections() throws {
        func member(_ collection: String, ordered: Bool) -> String {
            """
            <entity name="Team" representedClassName="Team" codeGenerationType="class">
                <relationship name="players" toMany="YES" ordered="\(ordered ? "YES" : "NO")" destinationEntity="Player" inverseName="team" inverseEntity="Player">
                    <userInfo><entry key="swiftCollection" value="\(collection)"/></userInfo>
                </relationship>
            </entity>
            <entity name="Player" representedClassName="Player" codeGenerationType="class">
                <relationship name="team" maxCount="1" destinationEntity="Team" inverseName="players" inverseEntity="Team"/>
            </entity>
            """
        }
        let set = try TemporaryModel(member("Set", ordered: false)).compiled().code
        #expect(set.contains("public var players: Set<Player> {"))
        #expect(set.contains("get { managedMembers(_Key.players) ?? [] }"))
        #expect(set.contains("set { setManagedMembers(newValue, _Key.players) }"))
        #expect(set.contains("public func addToPlayers(_ values: NSSet)"))
        let array = try TemporaryModel(member("Array", ordered: true)).compiled().code
        #expect(array.contains("public var players: [Player] {"))
        #expect(array.contains("get { managedFetched(_Key.players) ?? [] }"))
        #expect(array.contains("public func insertIntoPlayers(_ value: Player, at idx: Int)"))
        #expect(try TemporaryModel(member("Array", ordered: false)).compiled().code.contains("players: [Player] {"))
        let wrong = try #require(TemporaryModel(member("Set", ordered: true)).failure())
        #expect("\(wrong)".contains("Team.players: the user info says swiftCollection = Set; write Array"))
    }
}
