import Foundation
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// The statements that make, write and migrate a store in PostgreSQL, compared with a recorded text.
/// `COREDATA_RECORD=1` records it anew.
@Suite("SQL of another database")
struct PostgreSQLSnapshotTests {
    private let dialect = PostgreSQLDialect()

    @Test("a store is made and written with PostgreSQL's SQL")
    func statements() throws {
        let model = StatementModel.make()
        let schema = Self.schema(model.layouts)
        var lines = ["-- the schema"]
        func add(_ title: String, _ statements: [SQLStatement]) {
            lines.append("-- \(title)")
            lines += statements.map { dialect.text(of: $0) + ";" }
        }
        try withExtendedLifetime(model) {
            lines += try PostgreSQLCreation(schema).statements.map { $0 + ";" }
            for layout in schema.layouts.layouts {
                let table = schema.table(of: layout)
                let rows = SQLRowStatements(table: table.name)
                let columns = layout.slots.filter(\.isStoredInRow)
                    .compactMap { schema.column(of: layout, slot: $0.index) }
                add(
                    "rows of \(layout.name)",
                    [
                        rows.insertion(columns.flatMap(\.columns)), rows.update(columns),
                        rows.deletion(checksVersion: true), rows.deletion(checksVersion: false),
                        rows.selection(table.columns.map(\.name)),
                        .lookUp(SQLRowLookup(table: table.name, columns: ["Z_PK", "Z_OPT"], count: 4)),
                        rows.twin(columns.prefix(2).enumerated().map { ($1.name, isGiven: $0 == 0) }),
                    ])
                for slot in layout.toManySlots {
                    let link = try #require(schema.link(of: layout, slot: slot.index))
                    let members = SQLMemberStatements(link)
                    let select = SQLMembersSelect(link, target: schema.table(of: layout.model[slot.destination]).name)
                    let writing = [members.removal, members.addition, members.sortKeys, members.sortKeyUpdate]
                    add(
                        "members of \(layout.name).\(slot.name)",
                        writing.compactMap(\.self) + members.removalsOfAll + [
                            select.ofOne(["Z_PK", "Z_ENT"]), select.ofAll(["Z_PK"], in: .array(parameter: 1)),
                            select.ofAll(["Z_PK"], in: .parameters(count: 4)),
                        ])
                }
            }
        }
        try compare(lines, with: "statements.sql")
    }

    @Test("a store becomes one of another model version with PostgreSQL's SQL")
    func migration() throws {
        let (former, latter) = (MigratedModel.former, MigratedModel.latter)
        let mapping = InferredMapping(from: former, to: latter)
        let (old, new) = (Self.schema(former.seal()), Self.schema(latter.seal()))
        let plan = PostgreSQLMigrationPlan(mapping, from: old, to: new, isDeferred: false)
        try compare(try plan.steps().map { $0.query.text + ";" }, with: "migration.sql")
    }

    private static func schema(_ layouts: ModelLayout) -> SQLSchema {
        SQLSchema.derived(from: layouts, entities: nil, naming: PostgreSQLNaming())
    }

    private func compare(_ lines: [String], with name: String) throws {
        try RecordedText.compare(lines, with: "postgresql/" + name)
    }
}

/// Texts that are recorded in the folder `Expected`.
enum RecordedText {
    /// Compares lines with a recorded text, or records them where `COREDATA_RECORD=1` asks for it.
    static func compare(_ lines: [String], with path: String) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Expected/" + path)
        let text = lines.joined(separator: "\n") + "\n"
        if ProcessInfo.processInfo.environment["COREDATA_RECORD"] == "1" {
            try Data(text.utf8).write(to: file)
            return
        }
        let expected = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
        for (index, (line, other)) in zip(lines, expected).enumerated() where line != other {
            Issue.record("line \(index + 1) is \(line), not \(other)")
        }
        #expect(expected.count == lines.count + 1)
    }
}

/// A model with all that a schema can hold: subentities, all kinds of relationships, derived attributes, indexes,
/// constraints.
private enum StatementModel {
    static func make() -> StoreModel {
        var builder = SchemaBuilder()
        let team = builder.entity("Team", [("name", .stringAttributeType), ("founded", .dateAttributeType)])
        let person = builder.entity("Person", [("name", .stringAttributeType), ("salary", .decimalAttributeType)])
        let player = builder.entity(
            "Player", parent: person,
            [
                ("latitude", .doubleAttributeType), ("longitude", .doubleAttributeType),
                ("rank", .integer32AttributeType),
                ("photo", .binaryDataAttributeType),
            ])
        builder.pair(
            builder.relationship("team", from: person, to: team, isToMany: false),
            builder.relationship("people", from: team, to: person, isToMany: true, isOrdered: true))
        builder.pair(
            builder.relationship("boss", from: person, to: person, isToMany: false),
            builder.relationship("reports", from: person, to: person, isToMany: true))
        builder.pair(
            builder.relationship("fans", from: team, to: person, isToMany: true, isOrdered: true),
            builder.relationship("favourites", from: person, to: team, isToMany: true))
        let friends = builder.relationship("friends", from: person, to: person, isToMany: true)
        builder.pair(friends, friends)
        builder.relationship("scouted", from: team, to: player, isToMany: true, isOrdered: true)
        derive("count", "people.@count", .integer64AttributeType, team)
        derive("pay", "people.@sum.salary", .decimalAttributeType, team)
        derive("fame", "fans.@sum.salary", .decimalAttributeType, team)
        derive("teamName", "team.name", .stringAttributeType, person)
        derive("bossName", "boss.boss.name", .stringAttributeType, player)
        derive("saved", "now()", .dateAttributeType, player)
        team.uniquenessConstraints = [["name"]]
        index("byRank", [("rank", false), ("photo", true)], .binary, player)
            .partialIndexPredicate = NSPredicate(format: "rank > 5 AND NOT (latitude == nil OR rank IN {7, 9})")
        _ = index("place", [("latitude", true), ("longitude", true)], .rTree, player)
        return builder.model()
    }

    private static func derive(
        _ name: String, _ format: String, _ type: NSAttributeType, _ entity: NSEntityDescription
    ) {
        let attribute = NSDerivedAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.derivationExpression = NSExpression(format: format)
        entity.properties.append(attribute)
    }

    private static func index(
        _ name: String, _ elements: [(String, Bool)], _ type: NSFetchIndexElementType, _ entity: NSEntityDescription
    ) -> NSFetchIndexDescription {
        let descriptions = elements.map { property, isAscending in
            let element = NSFetchIndexElementDescription(
                property: entity.propertiesByName[property]!, collationType: type)
            element.isAscending = isAscending
            return element
        }
        let index = NSFetchIndexDescription(name: name, elements: descriptions)
        entity.indexes.append(index)
        return index
    }
}

/// Two versions of a model with changes of all kinds: other numbers of entities, names, types, defaults, orders.
private enum MigratedModel {
    static var former: NSManagedObjectModel {
        let (players, team) = (toMany("players"), toOne("team"))
        let (fans, teams) = (toMany("fans"), toMany("teams"))
        let guest = entity("Guest", [attribute("seat", .integer16AttributeType)])
        let player = entity(
            "Player",
            [
                attribute("name", .stringAttributeType), attribute("note", .stringAttributeType),
                attribute("rank", .integer16AttributeType), externalData("photo"), team, teams,
            ], subentities: [guest])
        let club = entity("Team", [attribute("name", .stringAttributeType), players, fans])
        connect(club, players, player, team)
        connect(club, fans, player, teams)
        return model(player, guest, club)
    }

    static var latter: NSManagedObjectModel {
        let (players, team) = (toMany("squad", ordered: true), toOne("side"))
        players.renamingIdentifier = "players"
        team.renamingIdentifier = "team"
        let (fans, teams) = (toMany("fans", ordered: true), toMany("teams"))
        let name = attribute("surname", .stringAttributeType, optional: false, default: "?")
        name.renamingIdentifier = "name"
        let player = entity(
            "Player",
            [
                name, attribute("rank", .doubleAttributeType), attribute("age", .integer32AttributeType, default: 18),
                team, teams,
            ])
        let count = NSDerivedAttributeDescription()
        (count.name, count.attributeType) = ("count", .integer64AttributeType)
        count.derivationExpression = NSExpression(format: "squad.@count")
        let club = entity(
            "Team",
            [attribute("name", .stringAttributeType), attribute("city", .stringAttributeType), players, fans, count])
        club.uniquenessConstraints = [["name"]]
        connect(club, players, player, team)
        connect(club, fans, player, teams)
        return model(entity("Arena", []), player, club)
    }
}
