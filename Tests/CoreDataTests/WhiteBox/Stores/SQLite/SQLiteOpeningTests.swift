import Foundation
import StoreInspection
import Testing

@testable import CoreData

@Suite struct SQLiteOpeningTests {
    private let folder: StoreFolder
    private var file: URL { folder.file("League.sqlite") }

    init() throws { folder = try StoreFolder() }

    private func code(_ body: () throws -> Void) -> Int? {
        do {
            try body()
            return nil
        } catch {
            return (error as NSError).code
        }
    }

    @Test func aNewStoreHasApplesFileSettings() throws {
        let under = try StoreUnderTest(file)
        #expect(try under.integer("PRAGMA page_size") == 4096)
        #expect(try under.integer("PRAGMA auto_vacuum") == 2)
        #expect(try under.integer("PRAGMA synchronous") == 1)
        #expect(try under.store.connection.text("PRAGMA journal_mode") == "wal")
        #expect(try under.integer("PRAGMA user_version") == 0)
    }

    @Test func pragmasOfTheAppAreSet() throws {
        let options: [AnyHashable: Any] = [NSSQLitePragmasOption: ["journal_mode": "DELETE", "cache_size": -500]]
        let under = try StoreUnderTest(file, options: options)
        #expect(try under.store.connection.text("PRAGMA journal_mode") == "delete")
        #expect(try under.integer("PRAGMA cache_size") == -500)
    }

    @Test func aVacuumOnOpeningMakesTheFileSmallAndAnAnalysisGathersStatistics() throws {
        let under = try StoreUnderTest(file)
        let team = try under.newReference("Team")
        let row = try under.save(inserts: [
            under.change(team, nil, ["name": .string(String(repeating: "x", count: 400_000))])
        ])[0]
        try under.save(updates: [under.change(team, row, ["name": .string("small")])])
        try under.store.close()
        #expect(try size() > 400_000)
        let options = [NSSQLiteManualVacuumOption: NSNumber(value: true), NSSQLiteAnalyzeOption: NSNumber(value: true)]
        let reopened = try StoreUnderTest(file, options: options)
        #expect(try reopened.integer("SELECT count(*) FROM sqlite_master WHERE name = 'sqlite_stat1'") == 1)
        #expect(try reopened.integer("PRAGMA auto_vacuum") == 2)
        try reopened.store.close()
        #expect(try size() < 200_000)
        let last = try StoreUnderTest(file)
        #expect(last.string(try #require(try last.row(team)), "name") == "small")
    }

    private func size() throws -> Int {
        try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
    }

    @Test func aPragmaThatIsNoWordIsRefused() {
        let options: [AnyHashable: Any] = [NSSQLitePragmasOption: ["journal_mode": "WAL; DROP TABLE ZTEAM"]]
        #expect(code { _ = try StoreUnderTest(file, options: options) } == NSPersistentStoreOpenError)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func aReopenedStoreIsTheSameStore() throws {
        let first = try StoreUnderTest(file)
        let team = try first.newReference("Team")
        try first.save(inserts: [first.change(team, nil, ["name": .string("A")])])
        let identifier = first.store.identifier
        try first.store.close()
        let second = try StoreUnderTest(file)
        #expect(second.store.identifier == identifier)
        #expect(second.string(try #require(try second.row(team)), "name") == "A")
        #expect(second.store.schema.oddities.isEmpty)
    }

    /// A file may say anything; an object's URI is a URL all the same.
    @Test(arguments: ["a b/c", "[::1", "%41é\n"])
    func anOddIdentifierMakesURIsThatFindTheirObjects(_ odd: String) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LeagueModel.make())
        try coordinator.remove(
            coordinator.addPersistentStore(type: .sqlite, configuration: nil, at: file, options: nil))
        try SQLiteConnection(path: file.path, access: .readWrite).execute(
            "UPDATE Z_METADATA SET Z_UUID = '\(odd)'; INSERT INTO ZTEAM (Z_PK, Z_ENT, Z_OPT) "
                + "SELECT 1, Z_ENT, 1 FROM Z_PRIMARYKEY WHERE Z_NAME = 'Team'")
        _ = try coordinator.addPersistentStore(type: .sqlite, configuration: nil, at: file, options: nil)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let team = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Team")).first)
            let uri = team.objectID.uriRepresentation()
            #expect(coordinator.managedObjectID(forURIRepresentation: uri) == team.objectID)
        }
    }

    /// The log is beside the file that the link leads to.
    @Test func aStoreBehindALinkIsLookedAtWithItsLog() throws {
        let under = try StoreUnderTest(file)
        try under.save(inserts: [under.change(try under.newReference("Team"), nil, ["name": .string("Heat")])])
        let link = folder.file("Link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        let number = try #require(under.store.schema.number(of: under.layouts.layout(named: "Team")!))
        for url in [file, link] {
            #expect(try SQLiteFile.hasLog(url))
            #expect(try StoreInspection(contentsOf: url).rowCount(of: "ZTEAM", number: number) == 1)
            let count = try SQLiteFile.look(at: url, timeout: 1) { try $0.integer("SELECT count(*) FROM ZTEAM") }
            #expect(count == 1)
        }
    }

    @Test func aDatabaseWithoutContentBecomesAStore() throws {
        try SQLiteConnection(path: file.path, access: .create).execute("PRAGMA auto_vacuum = 2; VACUUM")
        #expect(try DurableFile.size(of: file.path) ?? 0 > 0)
        try StoreUnderTest(file).store.close()
        #expect(try StoreUnderTest(file).store.schema.oddities.isEmpty)
    }

    @Test func aDatabaseThatSomebodyMarkedIsLeftAlone() throws {
        for mark in ["application_id", "user_version"] {
            let file = folder.file(mark)
            try SQLiteConnection(path: file.path, access: .create).execute("PRAGMA \(mark) = 7")
            let before = try Data(contentsOf: file)
            #expect(code { _ = try StoreUnderTest(file) } == 259)
            #expect(try Data(contentsOf: file) == before)
        }
    }

    @Test func whatAKilledProcessLeftInAJournalIsRolledBack() throws {
        let original = folder.file("Original.sqlite")
        let options: [AnyHashable: Any] = [NSSQLitePragmasOption: ["journal_mode": "DELETE"]]
        let under = try StoreUnderTest(original, options: options)
        let team = try under.newReference("Team")
        try under.save(inserts: [under.change(team, nil, ["name": .string("A")])])
        let connection = under.store.connection
        // With a cache of one page the changes of an open transaction are in the file already.
        try connection.execute(
            "PRAGMA cache_size = 1; BEGIN; CREATE TABLE t AS SELECT * FROM Z_MODELCACHE; UPDATE ZTEAM SET ZNAME = 'B';"
                + "INSERT INTO t SELECT randomblob(9000)")
        for suffix in ["", "-journal"] {
            try FileManager.default.copyItem(atPath: original.path + suffix, toPath: file.path + suffix)
        }
        try connection.execute("ROLLBACK")
        #expect(code { try SQLiteConnection(path: file.path, access: .readOnly).execute("SELECT 1 FROM ZTEAM") } != nil)
        #expect(try SQLiteStore.metadata(at: file, options: nil)[NSStoreUUIDKey] as? String == under.store.identifier)
        let recovered = try StoreUnderTest(file)
        #expect(recovered.string(try #require(try recovered.row(team)), "name") == "A")
        #expect(try recovered.store.connection.text("PRAGMA integrity_check") == "ok")
    }

    @Test func aStoreInMemoryLeavesNoFile() throws {
        let under = try StoreUnderTest(URL(fileURLWithPath: "/dev/null"))
        let team = try under.newReference("Team")
        try under.save(inserts: [under.change(team, nil, ["name": .string("A")])])
        #expect(under.string(try #require(try under.row(team)), "name") == "A")
        #expect(!FileManager.default.fileExists(atPath: "/dev/null-wal"))
    }

    @Test func aStoreOfAnotherModelIsRefusedWithBothSidesAndLeftAlone() throws {
        try StoreUnderTest(file).store.close()
        let before = try Data(contentsOf: file)
        let other = League.model()
        let model = StoreModel(
            layouts: other.layouts, owner: other.owner, entities: nil,
            hashes: other.hashes.merging(["Team": Data(repeating: 8, count: 32)]) { $1 }, versionIdentifiers: ["2"],
            digest: "", checksum: "", archive: { Data() })
        let error = #expect(throws: NSError.self) { try StoreUnderTest(file, model) }
        #expect(error?.code == NSPersistentStoreIncompatibleVersionHashError)
        let stored = (error?.userInfo["metadata"] as? [String: Any])?[NSStoreModelVersionHashesKey] as? [String: Data]
        #expect(stored == other.hashes)
        #expect(error?.userInfo[NSStoreModelVersionHashesKey] as? [String: Data] == model.hashes)
        #expect(try Data(contentsOf: file) == before)
    }

    @Test func filesThatAreNoStoresHaveTheirOwnErrors() throws {
        try StoreUnderTest(file).store.close()
        let whole = try Data(contentsOf: file)
        let cases: [(String, Data, Int)] = [
            ("text", Data("This is no database, though it is long enough to be one.".utf8), 259),
            ("noise", Data((0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) }), 259),
            ("truncated", whole.prefix(whole.count / 2), 259),
        ]
        for (name, data, expected) in cases {
            let url = folder.file(name)
            try data.write(to: url)
            #expect(code { _ = try StoreUnderTest(url) } == expected, "\(name)")
            #expect(code { _ = try SQLiteStore.metadata(at: url) } == expected, "\(name)")
            #expect(try Data(contentsOf: url) == data, "\(name) was altered")
        }
    }

    @Test func anSQLiteDatabaseThatIsNoStoreIsRefused() throws {
        let connection = try SQLiteConnection(path: file.path, access: .create)
        try connection.execute("CREATE TABLE A (B)")
        connection.close()
        #expect(code { _ = try StoreUnderTest(file) } == 259)
    }

    /// Its objects' URIs would be those of unsaved objects, and of every other such store.
    @Test(arguments: ["NULL", "''"]) func aStoreWithoutAnIdentifierIsRefusedAndLeftAsItIs(_ nothing: String) throws {
        try StoreUnderTest(file).store.close()
        let connection = try SQLiteConnection(path: file.path, access: .readWrite)
        try connection.execute("UPDATE Z_METADATA SET Z_UUID = \(nothing)")
        connection.close()
        let data = try Data(contentsOf: file)
        #expect(code { _ = try StoreUnderTest(file) } == 259)
        #expect(code { _ = try SQLiteStore.metadata(at: file) } == 259)
        #expect(try Data(contentsOf: file) == data)
        #expect(try StoreInspection(contentsOf: file).metadata().values[NSStoreModelVersionHashesKey] != nil)
    }

    /// The view would yield rows for ever.
    @Test func aViewInATablesPlaceIsRefused() throws {
        try StoreUnderTest(file).store.close()
        let connection = try SQLiteConnection(path: file.path, access: .readWrite)
        try connection.execute(
            "ALTER TABLE ZTEAM RENAME TO A; CREATE VIEW ZTEAM AS WITH RECURSIVE c(x) AS "
                + "(SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS Z_PK, 1 AS Z_ENT, 1 AS Z_OPT FROM c")
        connection.close()
        #expect(code { _ = try StoreUnderTest(file) } == 259)
    }

    /// Foundation's parser makes a container anew for each reference to it: eight to the thirtieth of them.
    // The limit is for what never ends: it counts the time that other tests take, too.
    @Test(.timeLimit(.minutes(60))) func metadataThatRepeatItselfWithoutEndAreDamaged() throws {
        try StoreUnderTest(file).store.close()
        let connection = try SQLiteConnection(path: file.path, access: .readWrite)
        let update = try SQLiteStatement("UPDATE Z_METADATA SET Z_PLIST = ?", on: connection)
        let objects = 30
        var list =
            Data("bplist00".utf8) + Data((0..<objects).flatMap { [0xA8] + Array(repeating: UInt8($0 + 1), count: 8) })
        list += [0x09]
        let table = list.count
        for number in 0...objects {
            let offset = 8 + number * 9
            list += [UInt8(offset >> 8), UInt8(offset & 0xFF)]
        }
        list += [0, 0, 0, 0, 0, 0, 2, 1]
        for count in [objects + 1, 0, table] {
            list += (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
        }
        update.bind(1, blob: list)
        try update.run()
        connection.close()
        #expect(code { _ = try StoreUnderTest(file) } == 259)
        #expect(code { _ = try SQLiteStore.metadata(at: file) } == 259)
    }

    @Test func whatCanNotBeReachedHasItsOwnErrors() throws {
        #expect(code { _ = try StoreUnderTest(folder.file("missing/League.sqlite")) } == 512)
        #expect(code { _ = try SQLiteStore.metadata(at: folder.file("missing.sqlite")) } == 260)
        #expect(code { _ = try StoreUnderTest(folder.url) } == 259)
        let readOnly: [AnyHashable: Any] = [NSReadOnlyPersistentStoreOption: NSNumber(value: true)]
        #expect(code { _ = try StoreUnderTest(folder.file("missing.sqlite"), options: readOnly) } == 260)
        #expect(!FileManager.default.fileExists(atPath: folder.file("missing.sqlite").path))
    }

    @Test func aDamagedPageIsAnErrorAndNoCrash() throws {
        let first = try StoreUnderTest(file)
        let teams = try (0..<2000).map { _ in try first.newReference("Team") }
        try first.save(inserts: teams.map { first.change($0, nil, ["name": .string("Team \($0.key)")]) })
        try first.store.close()
        var bytes = try Data(contentsOf: file)
        for offset in stride(from: 4096 * 3, to: bytes.count, by: 1) { bytes[offset] = 0xA5 }
        try bytes.write(to: file)
        #expect(
            code {
                let under = try StoreUnderTest(file)
                for team in teams { _ = try under.row(team) }
            } == 259)
    }

    @Test func aModelWithADerivationThatNoStoreCanKeepLeavesNoFile() {
        #expect(code { _ = try StoreUnderTest(file, unkeepable()) } == NSPersistentStoreIncompatibleSchemaError)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func aStoreThatCanNotBeMadeLeavesTheOneThatAnotherProcessMakesThere() throws {
        nonisolated(unsafe) let (test, wrong) = (self, unkeepable())
        for round in 0..<60 {
            let file = folder.file("Race\(round).sqlite")
            nonisolated(unsafe) var (failure, success): (Int?, Int?) = (nil, nil)
            // The wrong model fails in the midst of making the store, and the right one waits for its lock.
            DispatchQueue.concurrentPerform(iterations: 2) { place in
                if place == 0 {
                    failure = test.code { _ = try StoreUnderTest(file, wrong) }
                } else {
                    success = test.code { _ = try StoreUnderTest(file) }
                }
            }
            #expect(success == nil)
            // It has come too late, or could not be made.
            #expect(
                failure == NSPersistentStoreIncompatibleSchemaError
                    || failure == NSPersistentStoreIncompatibleVersionHashError)
            #expect(FileManager.default.fileExists(atPath: file.path), "round \(round)")
            #expect(try StoreUnderTest(file).integer("SELECT count(*) FROM Z_METADATA") == 1)
        }
    }

    /// A model with an attribute that no store can keep.
    private func unkeepable() -> StoreModel {
        var builder = SchemaBuilder()
        let team = builder.entity("Team", [("name", .stringAttributeType)])
        let derived = NSDerivedAttributeDescription()
        derived.name = "shout"
        derived.attributeType = .stringAttributeType
        derived.derivationExpression = NSExpression(format: "length:(name)")
        team.properties.append(derived)
        return builder.model()
    }

    @Test func metadataIsReadAndWrittenWithoutTheStore() throws {
        let identifier = try StoreUnderTest(file).store.identifier
        var metadata = try SQLiteStore.metadata(at: file)
        #expect(metadata[NSStoreUUIDKey] as? String == identifier)
        #expect(metadata[NSStoreTypeKey] as? String == NSSQLiteStoreType)
        metadata["key"] = 5
        metadata["large"] = NSNumber(value: UInt64.max)
        // A store without an identifier could not be opened.
        metadata[NSStoreUUIDKey] = ""
        try SQLiteStore.setMetadata(metadata, at: file)
        let again = try SQLiteStore.metadata(at: file)
        #expect(again["large"] as? UInt64 == .max)
        #expect(again["key"] as? Int == 5 && again[NSStoreUUIDKey] as? String == identifier)
    }

    @Test func theModelInTheStoreComesBack() throws {
        try StoreUnderTest(file).store.close()
        #expect(try SQLiteStore.modelArchive(at: file) == Data("archive".utf8))
    }

    @Test func evidenceIsReadWithItsLogAndStaysAsItIs() throws {
        let under = try StoreUnderTest(file)
        let team = try under.newReference("Team")
        try under.save(inserts: [under.change(team, nil, ["name": .string("in the log")])])
        // The log of an open store, as a copied phone has it.
        let copy = folder.file("Copy.sqlite")
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: file.path + suffix, toPath: copy.path + suffix)
        }
        let before = try ["", "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: copy.path + $0)) }
        #expect(before[1].count > 0)
        do {
            let evidence = try StoreUnderTest(copy, options: [SQLiteEvidenceOption: NSNumber(value: true)])
            #expect(evidence.string(try #require(try evidence.row(team)), "name") == "in the log")
            #expect(evidence.store.isReadOnly)
            try evidence.store.close()
        }
        #expect(try ["", "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: copy.path + $0)) } == before)
        #expect(!FileManager.default.fileExists(atPath: copy.path + "-shm"))
    }

    @Test func deflateComesBack() throws {
        for count in [0, 1, 100_000] {
            let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) })
            let packed = try RawDeflate.deflate(data)
            #expect(try RawDeflate.inflate(packed, limit: count) == data)
            if count > 0 {
                #expect(throws: RawDeflate.Failure.self) { try RawDeflate.inflate(packed, limit: count - 1) }
            }
        }
        let cutOff = try RawDeflate.deflate(Data(repeating: 3, count: 9999)).dropLast(3)
        for damaged in [Data(), Data([0xFF, 0xFF, 0x00]), cutOff] {
            #expect(throws: RawDeflate.Failure.self) { try RawDeflate.inflate(damaged, limit: 10_000) }
        }
    }

    @Test func aModelThatInflatesWithoutEndIsRefused() throws {
        let under = try StoreUnderTest(file)
        let bomb = try RawDeflate.deflate(Data(count: SQLiteMetadata.largestModelCache + 1))
        #expect(bomb.count < 100_000)
        let statement = try SQLiteStatement("UPDATE Z_MODELCACHE SET Z_CONTENT = ?", on: under.store.connection)
        statement.bind(1, blob: bomb)
        try statement.run()
        #expect(code { _ = try SQLiteMetadata.modelCache(under.store.connection) } == 259)
    }
}
