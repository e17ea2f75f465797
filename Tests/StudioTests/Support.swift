import Foundation
import ModelDocument
import Testing

@testable import CoreDataStudio

/// A folder of its own for one test, with a document in it.
final class Workspace: Sendable {
    let folder: URL
    let document: URL

    static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    static let league = package.appending(path: "Examples/LeagueManager/League.xcdatamodeld")
    /// The whole collection of documents beside the package, where it is at hand.
    static let collection = package.deletingLastPathComponent().appending(path: "shared/fixtures/models")
    static var hasCollection: Bool { FileManager.default.fileExists(atPath: collection.path) }

    /// - Parameter original: What is copied; `nil` for an empty folder and a document that is not there yet.
    init(_ original: URL? = Workspace.league) throws {
        folder = FileManager.default.temporaryDirectory
            .resolvingSymlinksInPath().appending(path: "studio-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        document = folder.appending(path: original?.lastPathComponent ?? "Shop.xcdatamodeld")
        if let original { try FileManager.default.copyItem(at: original, to: document) }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The bytes of every file of the document, by path.
    func bytes() throws -> [String: Data] {
        var result: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: document.path) {
            let file = document.appending(path: path)
            if file.hasDirectoryPath { continue }
            result[path] = try? Data(contentsOf: file)
        }
        return result
    }

    var contents: URL { document.appending(path: "League.xcdatamodel/contents") }

    func text() throws -> String { String(decoding: try Data(contentsOf: contents), as: UTF8.self) }

    /// The names of what lies beside the document.
    func neighbours() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0 != document.lastPathComponent }.sorted()
    }
}

/// A session as a tab uses it: what it sends goes through JSON.
struct Tab {
    let session: StudioSession
    var client = "tab"
    /// Kept as long as the tab, where nothing else keeps it.
    private var workspace: Workspace?

    /// A tab on a copy of a document.
    init(copyOf original: URL = Workspace.league) throws {
        let workspace = try Workspace(original)
        try self.init(workspace.document)
        self.workspace = workspace
    }

    init(_ document: URL, isNew: Bool = false) throws {
        session = try StudioSession(document, isNew: isNew)
    }

    init(_ session: StudioSession, client: String) {
        self.session = session
        self.client = client
    }

    /// Carries out actions that are written as JSON.
    @discardableResult
    func perform(
        _ actions: [JSON], revision: Int? = nil, merge: String? = nil
    ) async throws -> Update {
        let current = await session.revision
        let body: JSON = [
            "revision": .integer(revision ?? current), "client": .text(client), "actions": .array(actions),
            "merge": .optional(merge),
        ]
        let request = try JSONDecoder().decode(StudioSession.StepRequest.self, from: body.data())
        return try await session.perform(request)
    }

    @discardableResult
    func perform(_ action: JSON, revision: Int? = nil, merge: String? = nil) async throws -> Update {
        try await perform([action], revision: revision, merge: merge)
    }

    /// The identifier of an entity, or of a property of it, by name, in the current version.
    func id(_ entity: String, _ property: String? = nil) async throws -> ElementID {
        let document = await session.document
        let model = document.document.currentModel
        let tree = try #require(document.trees.first { $0.id == document.currentVersion })
        let path = try #require(model.path(ofEntity: entity, property: property), "\(entity).\(property ?? "")")
        return try #require(tree.id(at: ElementPlace(path)))
    }

    /// The identifier of the first element of a kind with that value in its record.
    func id(_ kind: ElementKind, where field: String, is value: JSON) async throws -> ElementID {
        let records = await session.records(ofVersion: session.document.currentVersion)?.records ?? [:]
        let found = records.first { $0.value["kind"] == .text(kind.rawValue) && $0.value[field] == value }
        return try #require(found?.key, "\(kind) \(field) \(value)")
    }

    func record(_ id: ElementID) async throws -> Record {
        let record = await session.records(ofVersion: session.document.currentVersion)?.records[id]
        return try #require(record)
    }

    var version: ElementID {
        get async { await session.document.currentVersion }
    }
}

extension ElementID {
    var json: JSON { .text(rawValue) }
}

/// The lines that are in one text and not in the other.
struct LineChanges: Equatable, CustomStringConvertible {
    var removed: [String]
    var added: [String]

    init(_ old: String, _ new: String) {
        let (before, after) = (old.components(separatedBy: "\n"), new.components(separatedBy: "\n"))
        (removed, added) = ([], [])
        for change in after.difference(from: before) {
            switch change {
            case .remove(_, let line, _): removed.append(line)
            case .insert(_, let line, _): added.append(line)
            }
        }
    }

    init(removed: [String] = [], added: [String] = []) {
        (self.removed, self.added) = (removed, added)
    }

    var description: String {
        (removed.map { "-\($0)" } + added.map { "+\($0)" }).joined(separator: "\n")
    }
}
