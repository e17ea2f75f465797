import Foundation
import Testing

@testable import CoreData

@Suite struct SQLiteSchemaTests {
    /// Statements of the sample league in Apple's form, as the format's description has them.
    @Test func aModelIsLaidOutAsApplesFrameworkDoes() throws {
        let model = League.model()
        let statements = try SQLSchema.derived(from: model.layouts).creationStatements()
        let expected = [
            "CREATE TABLE ZPERSON ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTEAM INTEGER, "
                + "Z_FOK_TEAM INTEGER, ZSALARY DECIMAL, ZNAME VARCHAR, ZBADGE VARCHAR )",
            "CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHOR INTEGER, "
                + "Z2_AUTHOR INTEGER, ZTEXT VARCHAR )",
            "CREATE TABLE ZTAG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, Z1TAGS INTEGER, ZWORD VARCHAR )",
            "CREATE TABLE Z_3FANS ( Z_3FAVOURITES INTEGER, Z_2FANS INTEGER, Z_FOK_3FAVOURITES INTEGER, "
                + "PRIMARY KEY (Z_3FAVOURITES, Z_2FANS) )",
            "CREATE TABLE Z_2COUSINS ( Z_2COUSINS INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_2COUSINS, REFLEXIVE) )",
            "CREATE INDEX ZPERSON_ZTEAM_INDEX ON ZPERSON (ZTEAM)",
            "CREATE INDEX ZPERSON_Z_ENT_INDEX ON ZPERSON (Z_ENT)",
            "CREATE INDEX ZTAG_Z1TAGS_INDEX ON ZTAG (Z1TAGS)",
            "CREATE UNIQUE INDEX Z_Team_UNIQUE_name ON ZTEAM (ZNAME COLLATE BINARY ASC)",
        ]
        for statement in expected { #expect(statements.contains(statement), "\(statement)") }
    }

    @Test func namesThatOccurTwiceInATableGetADigit() {
        var builder = SchemaBuilder()
        let root = builder.entity("Root")
        let folder = builder.entity("Folder", [("x", .stringAttributeType)])
        _ = builder.entity("Special", parent: folder)
        for name in ["A", "B", "C"] {
            let sub = builder.entity(name, parent: root, [("title", .stringAttributeType)])
            builder.relationship("folder", from: sub, to: folder, isToMany: false)
        }
        let model = builder.model()
        let schema = SQLSchema.derived(from: model.layouts)
        let columns = ["A", "B", "C"].map { name -> [String] in
            let layout = model.layouts.layout(named: name)!
            let title = schema.column(of: layout, slot: layout.indexByName["title"]!)!
            let folder = schema.column(of: layout, slot: layout.indexByName["folder"]!)!
            return [title.name, folder.name, folder.entityColumn!]
        }
        #expect(
            columns == [
                ["ZTITLE", "ZFOLDER", "Z1_FOLDER"], ["ZTITLE1", "ZFOLDER1", "Z1_FOLDER1"],
                ["ZTITLE2", "ZFOLDER2", "Z1_FOLDER2"],
            ])
    }

    @Test func aSchemaFittedToItsOwnTablesIsTheSame() throws {
        let folder = try StoreFolder()
        let under = try StoreUnderTest(folder.file("League.sqlite"))
        let derived = SQLSchema.derived(from: under.layouts)
        let fitted = under.store.schema
        for layout in under.layouts.layouts {
            #expect(derived.number(of: layout) == fitted.number(of: layout))
            for slot in layout.slots.indices {
                #expect(derived.column(of: layout, slot: slot) == fitted.column(of: layout, slot: slot))
                #expect(derived.link(of: layout, slot: slot) == fitted.link(of: layout, slot: slot))
            }
        }
        #expect(fitted.oddities.isEmpty)
    }

    @Test func staleNumbersInNamesAreAcceptedAndTold() {
        let model = League.model()
        let derived = SQLSchema.derived(from: model.layouts)
        var tables = Dictionary(uniqueKeysWithValues: derived.tables.map { ($0.name, $0.columns) })
        tables["Z_9FANS"] = ["Z_8FAVOURITES", "Z_7FANS", "Z_FOK_8FAVOURITES"].map {
            SQLTableColumn(name: $0, type: "INTEGER")
        }
        let numbers = Dictionary(
            uniqueKeysWithValues: model.layouts.layouts.map { ($0.name, Int64($0.number)) })
        let fitted = SQLSchema.fitted(to: tables, numbers: numbers, layouts: model.layouts)
        let coach = model.layouts.layout(named: "Coach")!
        #expect(
            fitted.link(of: coach, slot: coach.indexByName["fans"]!)
                == .joinTable(
                    name: "Z_9FANS", sourceColumn: "Z_8FAVOURITES", targetColumn: "Z_7FANS", orderColumn: nil))
        #expect(fitted.oddities.contains { $0.contains("stale") })
        #expect(fitted.oddities.contains { $0.contains("cousins") })
    }
}
