import Foundation
import ModelDocument
import Testing

@testable import CoreDataStudio

/// `coredata model merge … --studio`, running over two sides with conflicts.
final class LiveMerge {
    let folder: URL
    let address: String
    private let process = Process()
    private let errors = Pipe()

    /// Where the merged model comes.
    var result: URL { folder.appending(path: "merged") }

    /// - Parameter change: Changes the sides further.
    init(_ change: (inout Model, inout Model) throws -> Void = { _, _ in }) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "CoreDataTests-\(UUID().uuidString)")
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var base = try VersionedModel(contentsOf: StudioSamples.league).versions[0].model
        base.documentInfo = base.documentInfo ?? .newDocument()
        var (ours, theirs) = (base, base)
        ours[entity: "Player"]?[attribute: "salary"]?.defaultValueString = "100"
        theirs[entity: "Player"]?[attribute: "salary"]?.defaultValueString = "250"
        ours[entity: "Team"]?[relationship: "players"]?.deleteRule = .deny
        theirs[entity: "Team"]?[relationship: "players"]?.deleteRule = .nullify
        try ours.removeProperty("color", of: "Laptop")
        theirs[entity: "Laptop"]?[attribute: "color"]?.isOptional = false
        try change(&ours, &theirs)
        for (name, model) in [("base", base), ("ours", ours), ("theirs", theirs)] {
            try model.contents().write(to: folder.appending(path: name))
        }
        let program: URL = try #require(LiveStudio.program)
        process.executableURL = program
        process.arguments =
            ["model", "merge"] + ["base", "ours", "theirs"].map { folder.appending(path: $0).path }
            + [
                "--output", folder.appending(path: "merged").path, "--name", "League.xcdatamodel/contents", "--studio",
                "--no-open",
            ]
        process.standardError = errors
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        var text = Data()
        while !text.contains(UInt8(ascii: "\n")) {
            let part = errors.fileHandleForReading.availableData
            guard !part.isEmpty else { break }
            text += part
        }
        address = String(decoding: text, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(at: folder)
    }

    /// Waits for the end of the program.
    ///
    /// - Returns: Its exit code, and what it said at the end.
    func end() -> (status: Int32, message: String) {
        let data = (try? errors.fileHandleForReading.readToEnd()) ?? nil
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data ?? Data(), as: UTF8.self))
    }

    func interrupt() { kill(process.processIdentifier, SIGINT) }

    func merged() throws -> Model { try Model(contents: Data(contentsOf: result)) }

    // MARK: Requests

    private var port: Int { URL(string: address)?.port ?? 0 }

    func send(_ method: String, _ path: String, _ headers: [String: String], _ body: Data = Data()) throws
        -> RawResponse
    {
        var text = "\(method) \(path) HTTP/1.1\r\n"
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        if !body.isEmpty { text += "Content-Length: \(body.count)\r\n" }
        let socket = try RawSocket(port: port)
        try socket.write(Data((text + "Connection: close\r\n\r\n").utf8) + body)
        return try RawResponse(socket.readToEnd())
    }

    /// The headers of our own page.
    func headers() throws -> [String: String] {
        let token = address.split(separator: "=").last.map(String.init) ?? ""
        let answer = try send("GET", "/?token=\(token)", ["Host": "127.0.0.1:\(port)"])
        let page = try #require(answer.headers["location"]?.components(separatedBy: "/merge#page=").last)
        let cookie = try #require(answer.headers["set-cookie"]?.split(separator: ";").first.map(String.init))
        return [
            "Host": "127.0.0.1:\(port)", "Origin": "http://127.0.0.1:\(port)", "Cookie": cookie,
            "Content-Type": "application/json", "Studio-Page": page,
        ]
    }

    func post(_ path: String, _ body: JSON, _ headers: [String: String]) throws -> RawResponse {
        try send("POST", path, headers, body.data())
    }
}
