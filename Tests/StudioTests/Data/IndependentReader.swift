import Foundation

@testable import CoreDataStudio

/// What a reader of stores that has nothing of this package found in a store.
struct IndependentReader {
    struct Object {
        let entity: String
        let attributes: [String: JSON]
        /// An identifier, or several.
        let relationships: [String: JSON]
    }

    /// How many objects each entity has, without those of subentities. An abstract entity without objects is not there.
    let counts: [String: Int]
    /// The objects by their identifiers; nil of a store without a model in it.
    let objects: [String: Object]?

    private static let program = StudioSamples.package.deletingLastPathComponent()
        .appending(path: "shared/tools/apple_store.py")

    /// - Returns: What is recorded for a committed store, or what the reader says now of another; nil where it is not
    ///   at hand.
    init?(_ store: AppleStore) throws {
        let recorded = StudioSamples.package.appending(path: "Tests/CommandTests/Expected/\(store.name)").path
        if let found = FileManager.default.contents(atPath: recorded + ".inspect.json") {
            try self.init(found, FileManager.default.contents(atPath: recorded + ".export.jsonl"))
            return
        }
        guard FileManager.default.fileExists(atPath: Self.program.path) else { return nil }
        let found = try Self.run("inspect", store)
        let export = try Self.run("export", store)
        try self.init(Data(found.output.utf8), export.status == 0 ? Data(export.output.utf8) : nil)
    }

    private init(_ inspection: Data, _ export: Data?) throws {
        counts = try JSON.read(inspection)["entities"]?.named.compactMapValues(\.int) ?? [:]
        objects = try export.map { lines in
            let found = try lines.split(separator: UInt8(ascii: "\n")).map { try JSON.read(Data($0)) }
            return Dictionary(uniqueKeysWithValues: found.map { ($0["id"]?.text ?? "", Object($0)) })
        }
    }

    private static func run(_ command: String, _ store: AppleStore) throws -> (status: Int32, output: String) {
        try StudioProcess.run(
            URL(filePath: "/usr/bin/env"), ["python3", program.path, command, store.original.path])
    }
}

extension IndependentReader.Object {
    fileprivate init(_ line: JSON) {
        entity = line["entity"]?.text ?? ""
        (attributes, relationships) = (line["attributes"]?.named ?? [:], line["relationships"]?.named ?? [:])
    }
}
