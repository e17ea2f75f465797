import Foundation
import Testing

@testable import CoreDataStudio

/// `StoreWriter` in a process of its own, which has the store open beside the studios.
final class WriterProcess {
    private let process = Process()
    private let (toChild, fromChild) = (Pipe(), Pipe())
    private var rest = Data()

    init(_ store: URL) throws {
        process.executableURL = StudioProcess.executable("StoreWriter")
        process.arguments = [store.path]
        (process.standardInput, process.standardOutput) = (toChild, fromChild)
        try process.run()
        try fromChild.fileHandleForWriting.close()
    }

    /// Saves some edits together.
    ///
    /// - Returns: The objects that they created, or why nothing is saved.
    func save(_ edits: [JSON]) throws -> (created: [String], failure: String?) {
        let answer = try ask(["edits": .array(edits)])
        return (answer["created"]?.array?.compactMap(\.text) ?? [], answer["failure"]?.text)
    }

    /// What the store has, by a look at it from the start.
    func world() throws -> ShopWorld { ShopWorld(try ask([:])["objects"]?.array ?? []) }

    private func ask(_ request: JSON) throws -> JSON {
        try toChild.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(request) + [10])
        while true {
            if let end = rest.firstIndex(of: 10) {
                defer { rest = Data(rest[(end + 1)...]) }
                return try JSON.read(Data(rest[..<end]))
            }
            let part = fromChild.fileHandleForReading.availableData
            try #require(!part.isEmpty, "The writing process ended.")
            rest.append(part)
        }
    }

    /// Ends the process, which closes the store.
    func end() throws {
        try toChild.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    /// A run that fails ends the process too, whatever it does.
    deinit {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
