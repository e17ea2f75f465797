import Foundation
import RandomSeeds
import Testing

@testable import CoreData

@Suite("Files of stores that are damaged, or can't be written", .serialized)
struct DamagedFileTests {
    let folder: FileFolder
    let model = StoreKindModel.make()

    init() throws { folder = try FileFolder() }

    /// A file with a tag in it.
    private func file(_ type: String) throws -> (url: URL, data: Data) {
        let url = folder.file("Store")
        let coordinator = try NSPersistentStoreCoordinator.opened(model, type, at: url)
        try coordinator.work { context throws in
            let tag = context.insert("Tag", ["name": "x"])
            context.insert("Box", ["name": "b"]).setValue(NSSet(object: tag), forKey: "tags")
            try context.save()
        }
        return (url, try Data(contentsOf: url))
    }

    private func code(opening url: URL, _ type: String) -> Int? {
        thrown { _ = try NSPersistentStoreCoordinator.opened(model, type, at: url) }?.code
    }

    @Test("a binary store with one byte changed, or with any part cut off, is refused with 259")
    func everyByte() throws {
        let (url, data) = try file(NSBinaryStoreType)
        // All of the head, and a part of the rest.
        for place in Array(0..<200) + Array(stride(from: 200, to: data.count, by: 97)) where place < data.count {
            var damaged = data
            damaged[place] ^= 0x55
            try damaged.write(to: url)
            #expect(code(opening: url, NSBinaryStoreType) == 259, "byte \(place)")
            try data.prefix(max(1, place)).write(to: url)
            #expect(code(opening: url, NSBinaryStoreType) == 259, "cut off at \(place)")
            #expect(try Data(contentsOf: url).count == max(1, place))
        }
        try (data + Data([0])).write(to: url)
        #expect(code(opening: url, NSBinaryStoreType) == 259)
        try data.write(to: url)
        #expect(code(opening: url, NSBinaryStoreType) == nil)
    }

    @Test("a binary store with wrong content and right checksums is refused with 259, or read without a crash")
    func wrongContent() throws {
        let url = folder.file("Store")
        let coordinator = try NSPersistentStoreCoordinator.opened(model, NSBinaryStoreType, at: url)
        try coordinator.work { context throws in
            StoreKindModel.fill(context)
            try context.save()
        }
        let file = try BinaryFile(Data(contentsOf: url))
        var refusals = 0
        let seeds = SeededGenerator.seeds(150, full: 5000)
        for seed in seeds {
            var random = SeededGenerator(seed: seed)
            var damaged = file
            let part = [BinaryFile.Part.entities, .rows, .members, .label].randomElement(using: &random)!
            var bytes = [UInt8](try file.part(part))
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                bytes[Int.random(in: 0..<min(2_000, bytes.count), using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            damaged.parts[part] = Data(bytes)
            let copy = folder.file("Copy")
            try damaged.data.write(to: copy)
            let error = thrown {
                let opened = try NSPersistentStoreCoordinator.opened(model, NSBinaryStoreType, at: copy)
                _ = try opened.work { try StoreKindModel.summary($0) }
            }
            if error != nil { refusals += 1 }
            #expect(
                [nil, 259, NSPersistentStoreIncompatibleVersionHashError].contains(error?.code),
                "seed \(seed): \(String(describing: error))")
        }
        #expect(refusals > seeds.count / 6)
    }

    @Test("a binary store of a later version of the format says so")
    func laterVersion() throws {
        let (url, data) = try file(NSBinaryStoreType)
        var later = data
        later[8] = 2
        try later.write(to: url)
        let error = thrown { _ = try NSPersistentStoreCoordinator.opened(model, NSBinaryStoreType, at: url) }
        #expect(error?.localizedFailureReason?.contains("version 2 of the format") ?? false)
    }

    @Test(
        "an XML store with content that makes no sense is refused with 259 and a reason",
        arguments: [
            ("<UUID>", "<UUIX>"), ("idrefs=\"z", "idrefs=\"zz"), ("type=\"TAG\"", "type=\"TUG\""),
            ("name=\"name\"", "name=\"nome\""), ("</database>", ""), ("<plist version=\"1.0\">", "<plist><string/>"),
        ])
    func damagedXML(original: String, damage: String) throws {
        let (url, data) = try file(NSXMLStoreType)
        let text = String(decoding: data, as: UTF8.self)
        #expect(text.contains(original))
        try Data(text.replacingOccurrences(of: original, with: damage).utf8).write(to: url)
        let error = thrown { _ = try NSPersistentStoreCoordinator.opened(model, NSXMLStoreType, at: url) }
        #expect(error?.code == 259 && !(error?.localizedFailureReason ?? "").isEmpty)
    }

    @Test("two objects with one name, and values of another type, are refused")
    func impossibleXML() throws {
        let (url, data) = try file(NSXMLStoreType)
        let text = String(decoding: data, as: UTF8.self)
        let twice = text.replacingOccurrences(of: "id=\"z103\"", with: "id=\"z102\"")
        try Data(twice.utf8).write(to: url)
        #expect(text != twice && code(opening: url, NSXMLStoreType) == 259)
    }

    @Test(
        "objects whose names have the same key, and numbers that leave no keys, are refused",
        arguments: [
            ("id=\"z103\"", "id=\"z1099511627878\"", "same key"),
            ("id=\"z103\"", "id=\"z1099511627775\"", "1099511627775"),
            ("<nextObjectID>103<", "<nextObjectID>9223372036854775807<", "9223372036854775807"),
        ])
    func keysOfXML(original: String, damage: String, reason: String) throws {
        let url = folder.file("Store")
        let coordinator = try NSPersistentStoreCoordinator.opened(model, NSXMLStoreType, at: url)
        try coordinator.work { context throws in
            for name in ["x", "y"] { _ = context.insert("Tag", ["name": name]) }
            try context.save()
        }
        let text = try String(contentsOf: url, encoding: .utf8)
        #expect(text.contains(original))
        try Data(text.replacingOccurrences(of: original, with: damage).utf8).write(to: url)
        let error = thrown { _ = try NSPersistentStoreCoordinator.opened(model, NSXMLStoreType, at: url) }
        #expect(error?.code == 259 && error?.localizedFailureReason?.contains(reason) ?? false, "\(text)")
    }

    @Test("a binary store whose keys are used up says so when an object is saved")
    func lastKey() throws {
        let (url, data) = try file(NSBinaryStoreType)
        var file = try BinaryFile(data)
        var bytes = [UInt8](try file.part(.entities))
        // A name is followed by the highest key of its tree.
        let name = try #require(Data(bytes).range(of: Data("Tag".utf8)))
        bytes.replaceSubrange(
            name.upperBound..<name.upperBound + 8, with: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F])
        file.parts[.entities] = Data(bytes)
        try file.data.write(to: url)
        let coordinator = try NSPersistentStoreCoordinator.opened(model, NSBinaryStoreType, at: url)
        let error = thrown {
            try coordinator.work { context throws in
                _ = context.insert("Tag", ["name": "y"])
                try context.save()
            }
        }
        #expect(
            error?.code == NSPersistentStoreSaveError && error?.localizedDescription.contains("no keys left") ?? false)
        let names = try coordinator.work { try $0.all("Tag").map { $0.string("name") } }
        #expect(names == ["x"])
    }

    @Test("a text that is no URL is refused by an XML store, and nil in an SQLite store")
    func noURL() throws {
        let model = CoreDataTests.model(entity("Page", [attribute("place", .URIAttributeType)]))
        let text = "4http://localhost/a"
        for type in [NSXMLStoreType, NSSQLiteStoreType] {
            let url = folder.file("Store." + type)
            let coordinator = try NSPersistentStoreCoordinator.opened(model, type, at: url)
            try coordinator.work { context throws in
                _ = context.insert("Page", ["place": URL(string: "http://localhost/a")!])
                try context.save()
            }
            try coordinator.remove(coordinator.persistentStores[0])
            if type == NSXMLStoreType {
                let xml = try String(contentsOf: url, encoding: .utf8)
                try Data(xml.replacingOccurrences(of: "http://localhost/a", with: text).utf8).write(to: url)
                #expect(thrown { _ = try NSPersistentStoreCoordinator.opened(model, type, at: url) }?.code == 259)
                continue
            }
            let connection = try SQLiteConnection(path: url.path, access: .readWrite)
            try connection.execute("UPDATE ZPAGE SET ZPLACE = '\(text)'")
            connection.close()
            let opened = try NSPersistentStoreCoordinator.opened(model, type, at: url)
            let value = try opened.work { try #require(try $0.all("Page").first).value(forKey: "place") as? URL }
            #expect(value == nil)
        }
    }
}
