import Foundation
import Testing

@testable import CoreData

@Suite struct SQLiteWritingTests {
    private let folder: StoreFolder
    private let under: StoreUnderTest

    init() throws {
        folder = try StoreFolder()
        under = try StoreUnderTest(folder.file("League.sqlite"))
    }

    @Test func aRowReadsBackAsItWasSaved() throws {
        let team = try under.newReference("Team")
        let saved = try under.save(inserts: [
            under.change(team, nil, ["name": .string("Boston Celtics"), "founded": .double(-1.5)])
        ])
        let read = try #require(try under.row(team))
        #expect(under.string(read, "name") == "Boston Celtics")
        #expect(read.double(under.slot("Team", "founded").cell) == -1.5)
        #expect(read.version == 1 && saved[0].version == 1)
        #expect(saved[0].key == team.key)
    }

    @Test func anUpdateChangesOnlyWhatItNamesAndCountsTheVersion() throws {
        let team = try under.newReference("Team")
        let old = try under.save(inserts: [under.change(team, nil, ["name": .string("A"), "founded": .double(1)])])[0]
        let new = try under.save(updates: [under.change(team, old, ["name": .string("ß\u{0}ü")])])[0]
        let read = try #require(try under.row(team))
        for row in [new, read] {
            #expect(row.version == 2)
            #expect(under.string(row, "name") == "ß\u{0}ü")
            #expect(row.double(under.slot("Team", "founded").cell) == 1)
        }
    }

    @Test func theReasonOfAFailedReadOrWriteHasTheCodesOfSQLiteAndOfTheSystem() {
        let error = SQLiteError(code: 522, message: "disk I/O error", systemError: EIO)
        #expect(
            error.cocoaError(path: "/League.sqlite").localizedFailureReason
                == "disk I/O error (SQLite's code 522; the system: \(String(cString: strerror(EIO))))")
    }

    @Test func anUpdateWithoutChangesWritesNothing() throws {
        let team = try under.newReference("Team")
        let old = try under.save(inserts: [under.change(team, nil, ["name": .string("A")])])[0]
        #expect(try under.save(updates: [under.change(team, old)])[0].version == 1)
        #expect(try under.integer("SELECT Z_OPT FROM ZTEAM") == 1)
    }

    @Test func aSaveOverAChangedRowReportsItAndWritesNothing() throws {
        let (a, b) = (try under.newReference("Team"), try under.newReference("Team"))
        let rows = try under.save(inserts: [
            under.change(a, nil, ["name": .string("A")]), under.change(b, nil, ["name": .string("B")]),
        ])
        try under.save(updates: [under.change(a, rows[0], ["name": .string("A2")])])
        let conflicts = try #require(throws: StoreConflicts.self) {
            try under.save(updates: [
                under.change(b, rows[1], ["name": .string("B2")]), under.change(a, rows[0], ["name": .string("A3")]),
            ])
        }
        #expect(conflicts.conflicts.map(\.reference) == [a])
        guard case .row(let current?) = conflicts.conflicts[0].kind else { throw SQLiteTestFailure("no row") }
        #expect(under.string(current, "name") == "A2")
        #expect(under.string(try #require(try under.row(b)), "name") == "B")
    }

    @Test func aSaveOverADeletedRowSaysThatItIsGone() throws {
        let team = try under.newReference("Team")
        let old = try under.save(inserts: [under.change(team, nil, ["name": .string("A")])])[0]
        try under.save(deletes: [under.change(team, old)])
        #expect(try under.row(team) == nil)
        let conflicts = try #require(throws: StoreConflicts.self) {
            try under.save(updates: [under.change(team, old, ["name": .string("B")])])
        }
        guard case .row(nil) = conflicts.conflicts[0].kind else { throw SQLiteTestFailure("a row") }
    }

    @Test func aUniquenessConflictNamesThePropertiesAndTheOtherRow() throws {
        let (a, b) = (try under.newReference("Team"), try under.newReference("Team"))
        try under.save(inserts: [under.change(a, nil, ["name": .string("A")])])
        let conflicts = try #require(throws: StoreConflicts.self) {
            try under.save(inserts: [under.change(b, nil, ["name": .string("A")])])
        }
        guard case .constraint(let properties, let other) = conflicts.conflicts[0].kind else {
            throw SQLiteTestFailure("none")
        }
        #expect(properties == ["name"] && other == a)
        #expect(try under.integer("SELECT count(*) FROM ZTEAM") == 1)
    }

    @Test func aUniqueValueThatTheSameSaveFreesCanBeTaken() throws {
        let (a, b, c) = (
            try under.newReference("Team"), try under.newReference("Team"), try under.newReference("Team")
        )
        let rows = try under.save(inserts: [
            under.change(a, nil, ["name": .string("A")]), under.change(b, nil, ["name": .string("B")]),
        ])
        // The first update takes what the second gives up; the insertion takes a value that no deletion frees.
        try under.save(
            inserts: [under.change(c, nil, ["name": .string("A")])],
            updates: [
                under.change(a, rows[0], ["name": .string("B")]), under.change(b, rows[1], ["name": .string("C")]),
            ])
        let read = try [a, b, c].map { under.string(try #require(try under.row($0)), "name") }
        #expect(read == ["B", "C", "A"])
    }

    @Test func anyFailureUndoesTheWholeSave() throws {
        let (a, b) = (try under.newReference("Team"), try under.newReference("Team"))
        try under.store.connection.execute(
            "CREATE TRIGGER refuse BEFORE INSERT ON ZTEAM WHEN NEW.ZNAME = 'bad' BEGIN SELECT RAISE(ABORT, 'no'); END")
        let error = #expect(throws: NSError.self) {
            try under.save(inserts: [
                under.change(a, nil, ["name": .string("good")]), under.change(b, nil, ["name": .string("bad")]),
            ])
        }
        #expect(error?.code == NSSQLiteError)
        #expect(try under.integer("SELECT count(*) FROM ZTEAM") == 0)
        try under.save(inserts: [under.change(a, nil, ["name": .string("good")])])
        #expect(try under.integer("SELECT count(*) FROM ZTEAM") == 1)
    }

    @Test func keysAreNeverHandedOutTwiceByTwoConnections() throws {
        let other = try StoreUnderTest(folder.file("League.sqlite"))
        var keys: [Int64] = []
        for _ in 0..<100 {
            for store in [under, other] {
                let team = try store.newReference("Team")
                keys.append(team.key)
                try store.save(inserts: [store.change(team)])
            }
        }
        #expect(Set(keys).count == keys.count)
        try other.store.close()
        try under.store.close()
        let reopened = try StoreUnderTest(folder.file("League.sqlite"))
        let highest = try #require(try reopened.integer("SELECT max(Z_PK) FROM ZTEAM"))
        #expect(try reopened.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Team'") ?? 0 >= highest)
    }

    @Test func closingGivesBackTheKeysThatNobodyGot() throws {
        for _ in 0..<5 { try under.save(inserts: [under.change(try under.newReference("Team"))]) }
        try under.store.close()
        let reopened = try StoreUnderTest(folder.file("League.sqlite"))
        #expect(try reopened.integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Team'") == 5)
    }

    @Test func keysStartAboveRowsThatTheKeyTableForgot() throws {
        let team = try under.newReference("Team")
        try under.save(inserts: [under.change(team)])
        try under.store.connection.execute("UPDATE ZTEAM SET Z_PK = 41; UPDATE Z_PRIMARYKEY SET Z_MAX = 0")
        #expect(try under.newReference("Team").key == 42)
    }

    @Test func unknownTablesColumnsAndTriggersSurvive() throws {
        try under.store.connection.execute(
            """
            ALTER TABLE ZTEAM ADD COLUMN ZEXTRA VARCHAR DEFAULT 'kept';
            CREATE TABLE EXTRA (A);
            INSERT INTO EXTRA VALUES (1);
            CREATE TRIGGER COUNT_TEAMS AFTER INSERT ON ZTEAM BEGIN UPDATE EXTRA SET A = A + 1; END;
            """)
        let team = try under.newReference("Team")
        let old = try under.save(inserts: [under.change(team, nil, ["name": .string("A")])])[0]
        try under.save(updates: [under.change(team, old, ["name": .string("B")])])
        #expect(try under.store.connection.text("SELECT ZEXTRA FROM ZTEAM") == "kept")
        #expect(try under.integer("SELECT A FROM EXTRA") == 2)
    }

    @Test func rowsThatTriggersChangeAreReadBack() throws {
        try under.store.connection.execute(
            """
            CREATE TRIGGER DERIVE AFTER INSERT ON ZTEAM BEGIN
                UPDATE ZTEAM SET ZFOUNDED = 7 WHERE Z_PK = NEW.Z_PK;
                SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZTEAM', Z_ENT, Z_PK, 'founded', ZFOUNDED)
                    FROM ZTEAM;
            END
            """)
        let (a, b) = (try under.newReference("Team"), try under.newReference("Team"))
        let first = try under.save(inserts: [under.change(a, nil, ["name": .string("A")])])
        #expect(first[0].double(under.slot("Team", "founded").cell) == 7)
        #expect(first.count == 1)
        let second = try under.save(inserts: [under.change(b, nil, ["name": .string("B")])])
        #expect(second.map(\.key) == [b.key, a.key])
    }

    @Test func changedMetadataIsWrittenWithTheSaveAndUnknownKeysStay() throws {
        under.store.metadata = under.store.metadata.merging(["app": "value"]) { $1 }
        #expect(try SQLiteStore.metadata(at: folder.file("League.sqlite"))["app"] == nil)
        try under.save(inserts: [under.change(try under.newReference("Team"))])
        let metadata = try SQLiteStore.metadata(at: folder.file("League.sqlite"))
        #expect(metadata["app"] as? String == "value")
        #expect(metadata["_NSAutoVacuumLevel"] as? String == "2")
        #expect(metadata[NSStoreUUIDKey] as? String == under.store.identifier)
    }

    @Test func aReadOnlyStoreRefusesToSave() throws {
        let readOnly = try StoreUnderTest(
            folder.file("League.sqlite"), options: [NSReadOnlyPersistentStoreOption: NSNumber(value: true)])
        let error = #expect(throws: NSError.self) {
            try readOnly.save(inserts: [readOnly.change(readOnly.reference("Team", 1))])
        }
        #expect(error?.code == 513)
    }
}

/// Ends a test where a value is of the wrong kind.
struct SQLiteTestFailure: Error {
    let message: String
    init(_ message: String) { self.message = message }
}
