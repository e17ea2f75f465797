import CoreData
import Foundation
import StoreInspection
import Testing

/// Something wrong that is put into a copy of ``ClubStore``, and what a check has to say of it.
struct PlantedFault: Sendable, CustomTestStringConvertible {
    let name: String
    /// What plants it; `{Coach}` stands for the number of that entity.
    var sql = ""
    /// What plants it in the metadata's property list.
    var metadata: (@Sendable (inout [String: Any]) -> Void)?
    /// What plants it beside the store.
    var files: (@Sendable (_ folder: URL) throws -> Void)?
    let kind: StoreFinding.Kind
    var table: String?
    var entity: String?
    /// Where the fault is: a condition that finds its row in the clean store.
    var row: String?
    var property: String?
    /// Other kinds of findings that follow from the fault.
    var also: Set<StoreFinding.Kind> = []

    var testDescription: String { name }

    init(
        _ name: String, _ kind: StoreFinding.Kind, _ table: String? = nil, _ entity: String? = nil, row: String? = nil,
        _ property: String? = nil, sql: String = "", also: Set<StoreFinding.Kind> = []
    ) {
        (self.name, self.kind, self.table, self.entity) = (name, kind, table, entity)
        (self.row, self.property, self.sql, self.also) = (row, property, sql, also)
    }

    private func change(_ body: (inout Self) -> Void) -> Self {
        var copy = self
        body(&copy)
        return copy
    }

    static let all = bookkeeping + rows + values + toOnes + toManys + rules + files

    // MARK: Metadata and Z_PRIMARYKEY

    private static let bookkeeping: [PlantedFault] = [
        PlantedFault(
            "no property list of metadata", .metadata, "Z_METADATA", sql: "UPDATE Z_METADATA SET Z_PLIST = NULL"),
        PlantedFault(
            "metadata that are no property list", .metadata, "Z_METADATA",
            sql: "UPDATE Z_METADATA SET Z_PLIST = x'00112233'"),
        PlantedFault("no UUID", .metadata, "Z_METADATA", sql: "UPDATE Z_METADATA SET Z_UUID = NULL"),
        PlantedFault("a UUID that is none", .metadata, "Z_METADATA", sql: "UPDATE Z_METADATA SET Z_UUID = 'mine'"),
        PlantedFault("no metadata at all", .metadata, "Z_METADATA", sql: "DELETE FROM Z_METADATA"),
        PlantedFault(
            "two rows of metadata", .metadata, "Z_METADATA",
            sql: "INSERT INTO Z_METADATA SELECT 2, Z_UUID, Z_PLIST FROM Z_METADATA"),
        PlantedFault("another store type", .metadata, "Z_METADATA").change {
            $0.metadata = { $0["NSStoreType"] = "Binary" }
        },
        PlantedFault("another version’s hash", .versionHash, "Z_METADATA", "Team").change {
            $0.metadata = { values in
                var hashes = values["NSStoreModelVersionHashes"] as? [String: Data] ?? [:]
                hashes["Team"] = Data(repeating: 1, count: 32)
                values["NSStoreModelVersionHashes"] = hashes
            }
        },
        PlantedFault("the hash of an entity too many", .versionHash, "Z_METADATA", "Ghost").change {
            $0.metadata = { values in
                var hashes = values["NSStoreModelVersionHashes"] as? [String: Data] ?? [:]
                hashes["Ghost"] = Data(repeating: 1, count: 32)
                values["NSStoreModelVersionHashes"] = hashes
            }
        },
        PlantedFault("a hash too few", .versionHash, "Z_METADATA", "Note").change {
            $0.metadata = { values in
                var hashes = values["NSStoreModelVersionHashes"] as? [String: Data] ?? [:]
                hashes["Note"] = nil
                values["NSStoreModelVersionHashes"] = hashes
            }
        },
        PlantedFault("a digest that does not follow", .modelDigest, "Z_METADATA").change {
            $0.metadata = { $0["NSStoreModelVersionHashesDigest"] = "AAAA" }
        },
        PlantedFault(
            "an entity that is not listed", .missingEntity, "Z_PRIMARYKEY", "Note",
            sql: "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Note'", also: [.rowEntity, .wrongDestination]),
        PlantedFault(
            "an entity listed twice", .duplicateEntity, "Z_PRIMARYKEY", "League",
            sql: "INSERT INTO Z_PRIMARYKEY SELECT 99, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'League'",
            also: [.rowEntity, .wrongDestination]),
        PlantedFault(
            "an entity that nobody knows", .unknownEntity, "Z_PRIMARYKEY", "Ghost",
            sql: "INSERT INTO Z_PRIMARYKEY VALUES (98, 'Ghost', 0, 0)"),
        PlantedFault(
            "a subentity listed without its parent", .wrongParent, "Z_PRIMARYKEY", "Player",
            sql: "UPDATE Z_PRIMARYKEY SET Z_SUPER = 0 WHERE Z_NAME = 'Player'"),
        PlantedFault(
            "a Z_MAX below the highest key", .keyMaximum, "Z_PRIMARYKEY", "Person",
            sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Person'"),
        PlantedFault(
            "a Z_MAX of NULL", .keyMaximum, "Z_PRIMARYKEY", "Team",
            sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = NULL WHERE Z_NAME = 'Team'"),
    ]

    // MARK: Tables and rows

    private static let rows: [PlantedFault] = [
        PlantedFault(
            "an index that lacks rows", .damagedFile,
            sql: "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, '(ZTEAM)', '(ZCAPTAINOF)') "
                + "WHERE name = 'ZPERSON_ZTEAM_INDEX'; PRAGMA writable_schema = OFF"),
        PlantedFault(
            "a table that is gone", .missingTable, "ZNOTE", "Note", sql: "DROP TABLE ZNOTE", also: [.missingColumn]),
        PlantedFault(
            "a column that is gone", .missingColumn, "ZNOTE", "Note", "text", sql: "ALTER TABLE ZNOTE DROP COLUMN ZTEXT"
        ),
        PlantedFault(
            "a join table that is gone", .missingColumn, "ZPERSON", "Person", "friends", sql: "DROP TABLE Z_3FRIENDS"),
        PlantedFault(
            "a column of another type", .columnType, "ZNOTE", "Note", "text",
            sql: "ALTER TABLE ZNOTE DROP COLUMN ZTEXT; ALTER TABLE ZNOTE ADD COLUMN ZTEXT BLOB"),
        PlantedFault(
            "two rows with one key", .rowKey, "ZLEAGUE", nil, row: "ZNAME = 'Premier'",
            sql: "CREATE TABLE t (Z_PK INTEGER, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR); "
                + "INSERT INTO t SELECT Z_PK, Z_ENT, Z_OPT, ZNAME FROM ZLEAGUE; INSERT INTO t SELECT * FROM t; "
                + "DROP TABLE ZLEAGUE; ALTER TABLE t RENAME TO ZLEAGUE"),
        PlantedFault(
            "a row of no entity", .rowEntity, "ZTEAM", "Team", row: "ZNAME = 'Blues'",
            sql: "UPDATE ZTEAM SET Z_ENT = 77 WHERE ZNAME = 'Blues'", also: [.wrongDestination]),
        PlantedFault(
            "a row of another table’s entity", .rowEntity, "ZNOTE", "Note", row: "ZTEXT = 'Praise'",
            sql: "UPDATE ZNOTE SET Z_ENT = {League} WHERE ZTEXT = 'Praise'", also: [.wrongDestination]),
        PlantedFault(
            "a row of an abstract entity", .rowEntity, "ZPERSON", "Person", row: "ZNAME = 'Cid'",
            sql: "UPDATE ZPERSON SET Z_ENT = {Person} WHERE ZNAME = 'Cid'"),
        PlantedFault(
            "a row without a version", .rowVersion, "ZTEAM", "Team", row: "ZNAME = 'Reds'",
            sql: "UPDATE ZTEAM SET Z_OPT = NULL WHERE ZNAME = 'Reds'"),
    ]

    // MARK: Values

    private static func value(
        _ name: String, _ kind: StoreFinding.Kind, _ property: String, _ assignment: String
    ) -> PlantedFault {
        PlantedFault(
            name, kind, "ZPERSON", "Player", row: "ZNAME = 'Bob'", property,
            sql: "UPDATE ZPERSON SET \(assignment) WHERE ZNAME = 'Bob'")
    }

    private static let values: [PlantedFault] = [
        value("a string that is a blob", .valueType, "name", "ZNAME = x'426f62'"),
        value("a string that is no UTF-8", .valueType, "email", "ZEMAIL = CAST(x'40ff' AS TEXT)"),
        value("a date that is a text", .valueType, "born", "ZBORN = 'yesterday'"),
        value("an integer that is a text", .valueType, "number", "ZNUMBER = 'ten'"),
        value("an integer that is a fraction", .valueType, "number", "ZNUMBER = 1.5"),
        value("a decimal that is a word", .valueType, "salary", "ZSALARY = 'much'"),
        value("a UUID of five bytes", .valueType, "kit", "ZKIT = x'0011223344'"),
        value("data that are a text", .valueType, "photo", "ZPHOTO = 'smile'"),
        value("a number too large for its type", .valueRange, "number", "ZNUMBER = 70000"),
        value("a boolean that is neither", .valueRange, "isFit", "ZISFIT = 7"),
        value("a required value that is NULL", .requiredValue, "name", "ZNAME = NULL"),
    ]

    // MARK: Relationships

    private static let toOnes: [PlantedFault] = [
        PlantedFault(
            "a required to-one that is NULL", .requiredValue, "ZTEAM", "Team", row: "ZNAME = 'Blues'", "league",
            sql: "UPDATE ZTEAM SET ZLEAGUE = NULL WHERE ZNAME = 'Blues'"),
        PlantedFault(
            "a to-one to nothing", .danglingReference, "ZPERSON", "Player", row: "ZNAME = 'Bob'", "team",
            sql: "UPDATE ZPERSON SET ZTEAM = 999 WHERE ZNAME = 'Bob'"),
        PlantedFault(
            "a to-one that is a text", .valueType, "ZPERSON", "Player", row: "ZNAME = 'Bob'", "team",
            sql: "UPDATE ZPERSON SET ZTEAM = 'Reds' WHERE ZNAME = 'Bob'"),
        PlantedFault(
            "a to-one to another entity", .wrongDestination, "ZTEAM", "Team", row: "ZNAME = 'Blues'", "captain",
            sql: "UPDATE ZTEAM SET ZCAPTAIN = (SELECT Z_PK FROM ZPERSON WHERE ZNAME = 'Eve') WHERE ZNAME = 'Blues'",
            also: [.oneSided]),
        PlantedFault(
            "a destination’s entity that is not its row’s", .destinationEntity, "ZNOTE", "Note",
            row: "ZTEXT = 'Praise'", "author",
            sql: "UPDATE ZNOTE SET Z{Person}_AUTHOR = {Player} WHERE ZTEXT = 'Praise'"),
        PlantedFault(
            "a one-to-one of one side", .oneSided, "ZTEAM", "Team", row: "ZNAME = 'Reds'", "captain",
            sql: "UPDATE ZPERSON SET ZCAPTAINOF = NULL WHERE ZNAME = 'Ann'"),
        PlantedFault(
            "a member without a place in the order", .missingOrderKey, "ZPERSON", "Player", row: "ZNAME = 'Bob'",
            "team",
            sql: "UPDATE ZPERSON SET Z_FOK_TEAM = NULL WHERE ZNAME = 'Bob'"),
        PlantedFault(
            "two members with one place", .duplicateOrderKey, "ZPERSON", "Player", row: "ZNAME = 'Cid'", "team",
            sql: "UPDATE ZPERSON SET Z_FOK_TEAM = (SELECT Z_FOK_TEAM FROM ZPERSON WHERE ZNAME = 'Ann') "
                + "WHERE ZNAME = 'Cid'"),
    ]

    private static let toManys: [PlantedFault] = [
        PlantedFault(
            "a pair with a row that is not there", .danglingReference, "Z_4TEAMS", "Coach", row: nil, "teams",
            sql: "INSERT INTO Z_4TEAMS (Z_4COACHES, Z_6TEAMS, Z_FOK_4COACHES) VALUES (999, 1, 9999)"),
        PlantedFault(
            "a pair with NULL", .danglingReference, "Z_4TEAMS", "Team", row: nil, "coaches",
            sql: "INSERT INTO Z_4TEAMS (Z_4COACHES, Z_6TEAMS, Z_FOK_4COACHES) "
                + "SELECT Z_PK, NULL, 9999 FROM ZPERSON WHERE ZNAME = 'Eve'"),
        PlantedFault(
            "a pair with a row of another entity", .wrongDestination, "Z_4TEAMS", "Coach", row: nil, "teams",
            sql: "UPDATE Z_4TEAMS SET Z_4COACHES = (SELECT Z_PK FROM ZPERSON WHERE ZNAME = 'Bob') "
                + "WHERE Z_4COACHES = (SELECT Z_PK FROM ZPERSON WHERE ZNAME = 'Eve')"),
        PlantedFault(
            "a pair that is there twice", .duplicatePair, "Z_3FRIENDS", "Person", row: nil, "friends",
            sql: "CREATE TABLE t AS SELECT * FROM Z_3FRIENDS; INSERT INTO t SELECT * FROM Z_3FRIENDS; "
                + "DROP TABLE Z_3FRIENDS; ALTER TABLE t RENAME TO Z_3FRIENDS"),
        PlantedFault(
            "a friend who does not know it", .oneSided, "Z_3FRIENDS", "Person", row: nil, "friends",
            sql: "DELETE FROM Z_3FRIENDS WHERE Z_3FRIENDS = (SELECT Z_PK FROM ZPERSON WHERE ZNAME = 'Eve')"),
        PlantedFault(
            "a pair without a place in the order", .missingOrderKey, "Z_4TEAMS", "Team", row: nil, "coaches",
            sql: "UPDATE Z_4TEAMS SET Z_FOK_4COACHES = NULL "
                + "WHERE Z_4COACHES = (SELECT Z_PK FROM ZPERSON WHERE ZNAME = 'Eve')"),
        PlantedFault(
            "two pairs with one place", .duplicateOrderKey, "Z_4TEAMS", "Team", row: nil, "coaches",
            sql: "UPDATE Z_4TEAMS SET Z_FOK_4COACHES = 2048"),
        PlantedFault(
            "a member of nothing", .danglingReference, "ZNOTE", "Note", row: "ZTEXT = 'Praise'", "Z6NOTES",
            sql: "UPDATE ZNOTE SET Z6NOTES = 999 WHERE ZTEXT = 'Praise'"),
        PlantedFault(
            "a required to-many without members", .requiredValue, "ZLEAGUE", "League", row: nil, "teams",
            sql: "INSERT INTO ZLEAGUE (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (50, {League}, 1, 'Empty'); "
                + "UPDATE Z_PRIMARYKEY SET Z_MAX = 50 WHERE Z_NAME = 'League'"),
    ]

    // MARK: Rules and files

    private static let rules: [PlantedFault] = [
        PlantedFault(
            "a constraint that is violated", .uniqueness, "ZTEAM", "Team", row: nil, "name",
            sql: "DROP INDEX Z_Team_UNIQUE_name; UPDATE ZTEAM SET ZNAME = 'Reds'"),
        value("a text against its pattern", .validationRule, "email", "ZEMAIL = 'nobody'"),
        value("a number below its minimum", .validationRule, "salary", "ZSALARY = -1"),
        PlantedFault(
            "more members than allowed", .memberCount, "ZTEAM", "Team", row: "ZNAME = 'Reds'", "players",
            sql: "UPDATE ZPERSON SET Z_FOK_TEAM = 99999, ZTEAM = (SELECT Z_PK FROM ZTEAM WHERE ZNAME = 'Reds') "
                + "WHERE ZNAME = 'Dan'"),
    ]

    private static let files: [PlantedFault] = [
        value("an external value of an unknown kind", .externalRecord, "photo", "ZPHOTO = x'0900'"),
        value(
            "an external file with a name that leads elsewhere", .externalRecord, "photo",
            "ZPHOTO = CAST(x'02' || '../../secret' || x'00' AS BLOB)"),
        PlantedFault(
            "an external file that is gone", .missingExternalFile, "ZPERSON", "Player", row: "ZNAME = 'Ann'", "photo"
        ).change {
            $0.files = { folder in
                for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                    try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
                }
            }
        },
        PlantedFault("an external file that nobody names", .orphanedExternalFile).change {
            $0.files = { try Data([1]).write(to: $0.appendingPathComponent(UUID().uuidString)) }
        },
    ]
}
