import Foundation
import Testing

@testable import CoreDataStudio

/// What the page has remembered from one start to the next.
@Suite struct StoreMemoryTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "memory-\(UUID().uuidString)")

    private var files: [URL] {
        (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    }

    @Test("Values come back, for the same store alone") func kept() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let values: [String: JSON] = ["format": "csv", "columns Person": [["name": "age", "width": 80]]]
        #expect(StoreMemory(of: "A", in: folder).values() == [:])
        try StoreMemory(of: "A", in: folder).keep(values)
        #expect(StoreMemory(of: "A", in: folder).values() == values)
        #expect(StoreMemory(of: "../A", in: folder).values() == [:])
        #expect(files.count == 1)
    }

    @Test("A window changes the values that it names, and forgets those that are null") func merged() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let memory = StoreMemory(of: "A", in: folder)
        try memory.keep(["format": "csv", "saved Person": [["name": "Adults", "predicate": "age > 17"]]])
        try memory.keep(["format": "json", "titles": ["Team": ["name"]]])
        #expect(memory.values().keys.sorted() == ["format", "saved Person", "titles"])
        #expect(memory.values()["format"] == "json")
        try memory.keep(["format": .null, "nothing": .null])
        #expect(memory.values().keys.sorted() == ["saved Person", "titles"])
        try await withThrowingTaskGroup(of: Void.self) { windows in
            for number in 0..<20 { windows.addTask { try memory.keep(["window \(number)": .integer(number)]) } }
            try await windows.waitForAll()
        }
        #expect(memory.values().count == 22)
    }

    @Test("The user alone can read them") func rights() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try StoreMemory(of: "A", in: folder).keep(["format": "csv"])
        for (path, rights) in [(folder.path, 0o700), (try #require(files.first).path, 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == rights)
        }
    }

    @Test("A damaged file is as none; too much is refused, and what was there stays") func damaged() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let memory = StoreMemory(of: "A", in: folder)
        try memory.keep(["format": "csv"])
        let text = JSON.text(String(repeating: "x", count: StoreMemory.mostBytes))
        #expect(throws: StudioError.self) { try memory.keep(["filter": text]) }
        #expect(memory.values() == ["format": "csv"])
        for damage in ["", "[1]", "{\"format\": ", "\u{0}"] {
            try Data(damage.utf8).write(to: try #require(files.first))
            #expect(memory.values() == [:])
        }
        try memory.keep(["format": "json"])
        #expect(memory.values() == ["format": "json"])
    }

    @Test("A folder that can't be made is an error with the system's reason") func unwritable() throws {
        try Data().write(to: folder)
        defer { try? FileManager.default.removeItem(at: folder) }
        let error = #expect(throws: StudioError.self) { try StoreMemory(of: "A", in: folder).keep(["a": 1]) }
        #expect(error?.code == .unwritableFile)
    }
}
