import CoreData
import Foundation
import RandomSeeds
import Testing

@testable import CoreDataStudio

/// A store is evidence: it stays as it is, byte for byte, whatever is looked at. So does every file beside it.
///
/// Every Apple-made store is looked at. A full run (`COREDATA_FULL_TESTS`) looks at more of each, and at all of them
/// once more in folders that are only to be read.
@Suite struct StoreEvidenceTests {
    @Test("There are 20 stores to look at, with logs, with history, and in XML") func samples() {
        #expect(AppleStore.committed.count >= 20)
        let logs = AppleStore.committed.filter { FileManager.default.fileExists(atPath: $0.original.path + "-wal") }
        #expect(logs.count >= 5)
        #expect(AppleStore.xml.count >= 4)
    }

    @Test("A file that is there for a moment, opened for writing or touched would be noticed") func noticing() throws {
        let store = try AppleStore.committed("objcio-moody/Moody.moody").copy()
        let before = try store.evidence()
        let watch = try FolderWatch(store.folder)
        func run(_ command: String) throws {
            let shell = URL(filePath: "/bin/sh")
            try #require(try StudioProcess.run(shell, ["-c", "cd '\(store.folder.path)' && \(command)"]).status == 0)
        }
        try run("echo moment > moment && rm moment")
        #expect(watch.events().contains("/moment was removed"))
        try run(": >> Moody.moody")
        #expect(watch.events() == ["/Moody.moody was opened for writing"])
        try run("touch -d yesterday Moody.moody")
        #expect(watch.events().contains("/Moody.moody was given other attributes"))
        #expect(Set(try store.evidence().filter { before[$0.key] != $0.value }.keys) == ["", "Moody.moody"])
    }

    @Test(
        "Opening, browsing, filtering and exporting leave every file as it was, and show what is in it",
        arguments: AppleStore.all)
    func untouched(sample: AppleStore) throws {
        let store = try sample.copy()
        let seen = try expectUntouched(store) { try LiveStudio(store.url) }
        try compare(seen, IndependentReader(sample))
        #expect(seen.filters > 0 || seen.lines.isEmpty)
        #expect(seen.values > 0 || seen.lines.isEmpty)
        if sample.name.hasPrefix("cartkit-swiftdata/") { #expect(seen.transactions == 1) }
    }

    @Test(
        "A folder that can't be written to is no obstacle, and stays as it is",
        arguments: FullRun.items(of: AppleStore.committed, elseOneIn: 9))
    func readOnlyFolder(sample: AppleStore) async throws {
        let store = try sample.copy()
        try store.setWritable(false)
        defer { try? store.setWritable(true) }
        let studio = try await OrdinaryRights.start {
            let file = store.folder.appending(path: "file").path
            try #require(try StudioProcess.run(URL(filePath: "/usr/bin/env"), ["touch", file]).status != 0)
            return try LiveStudio(store.url)
        }
        let seen = try expectUntouched(store) { studio }
        try compare(seen, IndependentReader(sample))
    }

    @Test(
        "XML stores that Xcode made are browsed with their app's model, and stay as they are", arguments: AppleStore.xml
    )
    func xml(sample: AppleStore) throws {
        let store = try sample.copy()
        let model = try MappingDocumentModel()
        let seen = try expectUntouched(store) { try LiveStudio([model.document.path, store.url.path]) }
        // Each object is an element, and has its identifier in it.
        let text = try String(contentsOf: sample.original, encoding: .utf8)
        #expect(seen.lines.count == text.components(separatedBy: "<object type=").count - 1)
        #expect(seen.counts["XDDevMappingModel"] == 1)
    }

    @Test("What another program has in its log is shown, and store, log and shared memory stay as they are")
    func usedByAnother() throws {
        let store = try AppleStore.committed("objcio-moody/Moody.moody").copy()
        let user = try StoreUser(store.url)
        try user.run(
            """
            PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
            DELETE FROM ZMOOD WHERE Z_PK IN (SELECT Z_PK FROM ZMOOD LIMIT 1)
            """)
        let names = try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
        #expect(Set(names) == ["Moody.moody", "Moody.moody-wal", "Moody.moody-shm"])
        let seen = try expectUntouched(store) { try LiveStudio(store.url) }
        #expect(seen.counts["Mood"] == 3)
        #expect(try user.run("SELECT count(*) FROM ZMOOD") == "3\n")
        // The app crashes, and all three files stay behind.
        user.end()
        #expect(try expectUntouched(store) { try LiveStudio(store.url) }.counts["Mood"] == 3)
    }

    @Test("A journal that an app left behind when it crashed stays beside the store, and is not rolled back in it")
    func journal() throws {
        let store = try AppleStore.committed("coredataplus-samplemodel/SampleModel_V1.sqlite").copy()
        let user = try StoreUser(store.url)
        // With room for few pages, changed ones are written into the store before the commit.
        try user.run(
            """
            PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN; DELETE FROM ZCAR WHERE Z_PK > 5;
            UPDATE Z_METADATA SET Z_UUID = 'broken'; DELETE FROM ZPERSON
            """)
        user.end()
        #expect(FileManager.default.fileExists(atPath: store.url.path + "-journal"))
        let seen = try expectUntouched(store) { try LiveStudio(store.url) }
        #expect(seen.counts["Car"] == 115 && seen.counts["Person"] == 20)
    }

    @Test("Values in files of their own are shown, and the files stay as they are") func externalRecords() throws {
        let shop = try SampleStore.shop()
        let photo = Data((0..<300_000).map { UInt8($0 % 251) })
        let program = try OtherProgram(shop.url)
        try program.change { context in
            let products = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Product"))
            products.forEach { $0.setValue(photo, forKey: "photo") }
        }
        try program.close()
        let store = try SampleStore.copy([shop.url, shop.folder.appending(path: ".Shop_SUPPORT")])
        let files = try FileManager.default.subpathsOfDirectory(atPath: store.folder.path)
        #expect(files.count { $0.hasPrefix(".Shop_SUPPORT/_EXTERNAL_DATA/") } == 3)
        let seen = try expectUntouched(store) { try LiveStudio(store.url) }
        #expect(seen.lines["Product/p1"]?["photo"]?.text.flatMap { Data(base64Encoded: $0) } == photo)
    }

    @Test("What is no store is refused with a sentence") func noStore() throws {
        let store = try SampleStore.apple("objcio-moody/Moody.moody")
        let text = store.folder.appending(path: "notes.txt")
        try Data("Hello there".utf8).write(to: text)
        for url in [text, store.folder, store.folder.appending(path: "nothing.sqlite")] {
            #expect(throws: StudioFailure.self) { try StudioServer(document: nil, store: .file(url)) }
        }
    }

    // MARK: What is expected

    /// Opens a studio on a store, looks at all of it, and ends the studio. No file is touched at any time.
    private func expectUntouched(
        _ store: SampleStore, _ location: SourceLocation = #_sourceLocation, by start: () throws -> LiveStudio
    ) throws -> StoreTour.Seen {
        let before = try store.evidence()
        let watch = try FolderWatch(store.folder)
        let studio = try start()
        let seen = try StoreTour(studio).walk()
        #expect(try store.evidence() == before, "while it is open", sourceLocation: location)
        studio.end(SIGTERM)
        #expect(watch.events() == [], sourceLocation: location)
        #expect(try store.evidence() == before, "after the end", sourceLocation: location)
        return seen
    }

    /// Compares what the studio shows with what an independent reader found.
    private func compare(_ seen: StoreTour.Seen, _ reader: IndependentReader?) throws {
        guard let reader else { return }
        #expect(seen.counts.filter { $0.value > 0 } == reader.counts.filter { $0.value > 0 })
        guard let objects = reader.objects else { return }
        #expect(Set(seen.lines.keys) == Set(objects.keys))
        let entities = Dictionary(uniqueKeysWithValues: seen.entities.map { ($0.name, $0) })
        for (id, object) in objects {
            for property in entities[object.entity]?.properties ?? [] { compare(seen, id, property, object) }
        }
    }

    private func compare(
        _ seen: StoreTour.Seen, _ id: String, _ property: StoreTour.Property, _ object: IndependentReader.Object
    ) {
        let theirs = object.attributes[property.name] ?? object.relationships[property.name]
        let ours = seen.lines[id]?[property.name]
        guard property.kind == "toMany" else {
            // We write the digits that make a Float, and the reader those of the Double that is in the store.
            let isFloat = property.type == "float"
            #expect(isFloat ? ours?.float == theirs?.float : ours == theirs, "\(id).\(property.name)")
            return
        }
        let members = theirs?.array?.compactMap(\.text) ?? []
        #expect(ours == .integer(members.count), "\(id).\(property.name)")
        // Of large relationships, a tour reads a part of the members.
        guard let read = seen.members[id]?[property.name], read.count == members.count else { return }
        #expect(
            property.isOrdered ? read == members : read.sorted() == members.sorted(), "\(id).\(property.name)")
    }
}

extension JSON {
    fileprivate var float: Float? {
        switch self {
        case .integer(let number): Float(number)
        case .number(let number): Float(number)
        default: nil
        }
    }
}

extension AppleStore {
    static func committed(_ name: String) throws -> AppleStore {
        try #require(committed.first { $0.name == name })
    }
}
