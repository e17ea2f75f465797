import Foundation

/// `coredata studio` as one starts it, in a folder of its own.
final class StudioProcess {
    /// The folder that holds the model and nothing else.
    let folder: URL
    let document: URL
    /// What is opened beside or in place of the document.
    private let store: URL?
    private let opensDocument: Bool
    private let edits: Bool
    /// All that is opened, where it is neither a document's copy nor a store.
    private var opened: [String] = []
    private var process = Process()
    private(set) var address = ""

    /// - Parameter original: The model to open a copy of; `nil`: a new one.
    init(_ original: URL? = nil, name: String = "League") throws {
        folder = try Self.newFolder()
        document = folder.appending(path: "\(name).xcdatamodeld")
        (store, opensDocument, edits) = (nil, true, false)
        if let original { try FileManager.default.copyItem(at: original, to: document) }
        try start(isNew: original == nil)
    }

    /// - Parameters:
    ///   - store: The store to look at, where it is.
    ///   - model: The model to open a copy of beside it.
    ///   - edits: Whether the store may be changed.
    init(store: URL, model: URL? = nil, edits: Bool = false) throws {
        folder = try Self.newFolder()
        document = folder.appending(path: model?.lastPathComponent ?? "None.xcdatamodeld")
        (self.store, opensDocument, self.edits) = (store, model != nil, edits)
        if let model { try FileManager.default.copyItem(at: model, to: document) }
        try start(isNew: false)
    }

    /// Opens any number of documents where they are, or none.
    init(_ documents: [URL], edits: Bool = false) throws {
        folder = try Self.newFolder()
        document = folder.appending(path: "None.xcdatamodeld")
        (store, opensDocument, self.edits, opened) = (nil, false, edits, documents.map(\.path))
        try start(isNew: false)
    }

    /// - Parameter paths: What is opened, where it is: a mapping model, a model, a store.
    init(opening paths: [String], edits: Bool) throws {
        folder = try Self.newFolder()
        document = folder.appending(path: "None.xcdatamodeld")
        (store, opensDocument, self.edits) = (nil, false, edits)
        opened = paths
        try start(isNew: false)
    }

    private static func newFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "studio-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    private func start(isNew: Bool) throws {
        let output = Pipe()
        process.executableURL = Self.executable("coredata")
        let opened = opened + (opensDocument ? [document.path] : []) + [store?.path].compactMap { $0 }
        process.arguments = ["studio"] + opened + ["--no-open"] + (isNew ? ["--new"] : []) + (edits ? ["--edit"] : [])
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["XDG_DATA_HOME": folder.appending(path: "Data").path]) { $1 }
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        var said = Data()
        while !said.contains(10) {
            let part = output.fileHandleForReading.availableData
            guard !part.isEmpty else { throw Browser.Failure(description: "The studio did not start.") }
            said.append(part)
        }
        address = String(decoding: said, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
    }

    /// Kills the studio, as a crash or a power cut does, and starts it again.
    func crashAndRestart() throws {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        process = Process()
        try start(isNew: false)
    }

    /// Ends the studio and removes what it left.
    func end() {
        process.terminate()
        let deadline = Date(timeIntervalSinceNow: 3)
        while process.isRunning, Date() < deadline { Thread.sleep(forTimeInterval: 0.02) }
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Runs a program that was built beside these tests.
    @discardableResult
    static func run(_ program: URL, _ arguments: [String] = []) throws -> (status: Int32, output: String) {
        let process = Process()
        let output = Pipe()
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    static func executable(_ name: String) -> URL {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent()
        while folder.path != "/" {
            let candidate = folder.appending(path: name)
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
            folder = folder.deletingLastPathComponent()
        }
        return URL(fileURLWithPath: "/nowhere/\(name)")
    }
}
