import Foundation
import RandomSeeds
import StoreInspection
import Testing

@testable import CoreData

@Suite("A store is checked against its model")
struct StoreCheckTests {
    private let folder: StoreFolder

    init() throws { folder = try StoreFolder() }

    // MARK: Clean stores

    @Test("a clean store has no findings, and its files stay byte for byte what they were")
    func clean() throws {
        let url = try ClubStore.make(in: folder.url)
        let before = try contents()
        #expect(try check(url).map(\.description) == [])
        #expect(try contents() == before)
        #expect(try check(url, model: nil).map(\.description) == [])
    }

    @Test("the files of a store whose name differs by its extension alone are no findings")
    func sharedFolder() throws {
        let url = try ClubStore.make(in: folder.url)
        let other = url.deletingPathExtension().appendingPathExtension("other")
        try NSPersistentStoreCoordinator(managedObjectModel: ClubStore.model()).replacePersistentStore(
            at: other, withPersistentStoreFrom: url, type: .sqlite)
        let support = url.deletingPathExtension().lastPathComponent
        let file = folder.file(".\(support)_SUPPORT/_EXTERNAL_DATA/" + UUID().uuidString)
        try Data([1]).write(to: file)
        #expect(try check(url).map(\.description) == [] && check(other).map(\.description) == [])
        try FileManager.default.removeItem(at: other)
        #expect(try check(url).map(\.kind) == [.orphanedExternalFile])
    }

    @Test("stores that Apple’s framework wrote have no findings", arguments: AppleStores.namesOfOneVersion)
    func apple(name: String) throws {
        let (url, model, _) = try AppleStores.copy(name, to: folder)
        #expect(try check(url, model: model).map(\.description) == [])
    }

    @Test(
        "stores of random models, after random edits, have no findings but references without inverse to what is gone")
    func random() throws {
        for seed in SeededGenerator.seeds(25, full: 400) {
            print("random store: COREDATA_TEST_SEED=\(seed)")
            var driver = try GraphDriver(seed: seed)
            let context = driver.context
            try context.performAndWait { try driver.run(saves: 3, edits: 25) }
            let model = driver.model.makeModelWithID()
            let findings = try check(driver.stack.storeURL, model: model)
            let others = unexpected(findings, model)
            #expect(others.map(\.description) == [], "seed \(seed)")
        }
    }

    @Test("stores of models with everything that a store can hold have no findings but such references")
    func rich() throws {
        for seed in SeededGenerator.seeds(15, full: 200) {
            print("rich store: COREDATA_TEST_SEED=\(seed)")
            var random = SeededGenerator(seed: seed)
            let model = RichModel.make(using: &random)
            let stack = try Stack(model)
            let writer = stack.context()
            try writer.performAndWait {
                var graph = RichGraph(writer, random)
                try graph.run(model, saves: 3)
            }
            for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
            let findings = unexpected(try check(stack.storeURL, model: model), model)
            #expect(findings.map(\.description) == [], "seed \(seed)")
        }
    }

    // MARK: Planted faults

    @Test("there are thirty faults and more, of every kind that a store without history can have")
    func enoughFaults() {
        #expect(PlantedFault.all.count >= 30)
        #expect(Set(PlantedFault.all.map(\.name)).count == PlantedFault.all.count)
        let kinds = Set(PlantedFault.all.map(\.kind))
        #expect(Set(StoreFinding.Kind.allCases).subtracting(kinds) == [.history, .modelCache])
    }

    @Test("a planted fault is found, with its place, and nothing else is", arguments: PlantedFault.all)
    func planted(fault: PlantedFault) throws {
        let url = try ClubStore.make(in: folder.url)
        let key = try plant(fault, in: url)
        let before = try contents()
        let findings = try check(url)
        #expect(try contents() == before)
        let found = findings.filter { finding in
            finding.kind == fault.kind && finding.table == fault.table && finding.entity == fault.entity
                && finding.property == fault.property && (key == nil || finding.key == key)
        }
        #expect(!found.isEmpty, "\(findings)")
        let others = findings.filter { $0.kind != fault.kind && !fault.also.contains($0.kind) }
        #expect(others.map(\.description) == [])
    }

    @Test("of many findings alike the first are listed, and of the others their number")
    func manyAlike() throws {
        let url = try ClubStore.make(in: folder.url)
        try execute("UPDATE ZPERSON SET ZEMAIL = 'nobody' WHERE ZEMAIL IS NOT NULL", on: url)
        let inspection = try StoreInspection(contentsOf: url)
        let findings = StoreCheck(inspection, model: ClubStore.model(), mostAlike: 2).run()
        #expect(findings.count == 3)
        #expect(findings.last?.message == "2 more of this kind")
    }

    @Test("a rule that asks a value for what it does not have is passed over, and stops nothing")
    func strangeRule() throws {
        let url = try ClubStore.make(in: folder.url)
        let model = ClubStore.model()
        let email = try #require(model.entitiesByName["Person"]?.attributesByName["email"])
        email.setValidationPredicates(
            [
                NSPredicate(format: "owner.name == 'x'"), NSPredicate(format: "SELF > 5"),
                NSPredicate(format: "FUNCTION(SELF, 'explode') == 1"), NSPredicate(format: "SELF MATCHES '('"),
                NSPredicate(format: "length > 100 OR SELF BEGINSWITH 'Z'"),
            ], withValidationWarnings: [String](repeating: "1550", count: 5))
        let number = try #require(model.entitiesByName["Player"]?.attributesByName["number"])
        number.setValidationPredicates([NSPredicate(format: "length > 3")], withValidationWarnings: ["1550"])
        let findings = try check(url, model: model)
        #expect(findings.count == 4)
        #expect(findings.allSatisfy { $0.kind == .validationRule && $0.message.contains("length > 100") })
    }

    @Test("a history that refers to nothing is found")
    func history() throws {
        let name = "cartkit-swiftdata/CartKitSwiftData_v1.sqlite"
        try #require(AppleStores.names.contains(name))
        for (sql, table, property) in [
            ("UPDATE ACHANGE SET ZTRANSACTIONID = 77", "ACHANGE", "ZTRANSACTIONID"),
            ("UPDATE ACHANGE SET ZCHANGETYPE = 9", "ACHANGE", "ZCHANGETYPE"),
            ("UPDATE ACHANGE SET ZENTITY = 9", "ACHANGE", "ZENTITY"),
            ("UPDATE ATRANSACTION SET ZBUNDLEIDTS = 99", "ATRANSACTION", "ZBUNDLEIDTS"),
        ] {
            let other = try StoreFolder()
            let (url, model, _) = try AppleStores.copy(name, to: other)
            try execute(sql, on: url)
            let findings = try check(url, model: model)
            #expect(findings.map(\.kind) == [.history], "\(sql)")
            #expect(findings.first?.table == table && findings.first?.property == property)
        }
    }

    @Test("random damage to the file never crashes a check, and never goes unmentioned where SQLite sees it")
    func damage() throws {
        let clean = try Data(contentsOf: ClubStore.make(in: folder.url))
        for seed in SeededGenerator.seeds(20, full: 1000) {
            print("damaged store: COREDATA_TEST_SEED=\(seed)")
            var random = SeededGenerator(seed: seed)
            var damaged = clean
            for _ in 0..<Int.random(in: 1...30, using: &random) {
                damaged[Int.random(in: 100..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let url = folder.file("Damaged\(seed).sqlite")
            try damaged.write(to: url)
            guard let inspection = try? StoreInspection(contentsOf: url), inspection.isStore else { continue }
            let findings = StoreCheck(inspection, model: ClubStore.model()).run()
            let isWhole = (try? inspection.connection.text("PRAGMA integrity_check")) == "ok"
            #expect(isWhole || findings.contains { $0.kind == .damagedFile }, "seed \(seed)")
        }
    }

    // MARK: Helpers

    /// What is left without references that have no inverse, and lead to what was deleted.
    private func unexpected(_ findings: [StoreFinding], _ model: NSManagedObjectModel) -> [StoreFinding] {
        findings.filter { finding in
            guard finding.kind == .danglingReference, let property = finding.property else { return true }
            let relationships = model.entities.compactMap { $0.relationshipsByName[property] }
            return !relationships.contains { $0.inverseRelationship == nil }
        }
    }

    private func check(_ url: URL, model: NSManagedObjectModel? = ClubStore.model()) throws -> [StoreFinding] {
        StoreCheck(try StoreInspection(contentsOf: url), model: model).run()
    }

    private func execute(_ sql: String, on url: URL) throws {
        let connection = try SQLiteConnection(path: url.path, access: .readWrite)
        try connection.execute(sql)
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Plants a fault, and returns the key of the row that it concerns, if it concerns one.
    private func plant(_ fault: PlantedFault, in url: URL) throws -> Int64? {
        let connection = try SQLiteConnection(path: url.path, access: .readWrite)
        let key = try fault.row.flatMap { row in
            try connection.integer("SELECT Z_PK FROM \(fault.table ?? "") WHERE \(row)")
        }
        try #require((key == nil) == (fault.row == nil))
        var sql = fault.sql
        for name in ["League", "Note", "Person", "Coach", "Player", "Team"] {
            let number = try connection.integer("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(name)'")
            sql = sql.replacingOccurrences(of: "{\(name)}", with: "\(number ?? 0)")
        }
        try connection.execute(sql)
        if let change = fault.metadata {
            let metadata = try SQLiteMetadata.read(connection)
            var values = metadata.values
            change(&values)
            try SQLiteMetadata.write(values, identifier: metadata.identifier ?? "", to: connection)
        }
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        try fault.files?(ExternalFiles.folder(of: url))
        return key
    }

    /// All files of the test's folder.
    private func contents() throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.url.path) {
            contents[name] = try? Data(contentsOf: folder.file(name))
        }
        return contents
    }
}
