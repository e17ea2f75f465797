import ArgumentParser
import Foundation
import ModelArchive
import ModelDocument
import StoreBrowsing

/// `coredata model PATH`: entities and properties, or version hashes.
struct ModelShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a model: its entities and properties, or its version hashes.",
        discussion: """
            EXAMPLES
              coredata model League.xcdatamodeld
              coredata model Moody.sqlite --json
              coredata model League.xcdatamodeld --model-version "League 2" --hashes
            """)

    @Argument(
        help: "An .xcdatamodeld, an .xcdatamodel, a .mom, a .momd, or a store that carries its model.",
        completion: .file())
    var path: String

    @Option(help: "The version of a versioned model; without it the current one.")
    var modelVersion: String?

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Show the version hashes by which stores know their model.")
    var hashes = false

    @Flag(help: "Print the SHA-256 of a store and its log before and after, on standard error.")
    var verify = false

    func run() throws {
        let store = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        try EvidenceSeal.keep(verify ? store : nil) { try show() }
    }

    private func show() throws {
        let model = try ModelAtPath.read(path, version: modelVersion)
        if hashes {
            try printHashes(model)
        } else if json {
            print(JSONWriter(layout: .indented).string(ModelDescription(model).json))
        } else {
            ModelListing(model).lines.forEach { print($0) }
        }
    }

    private func printHashes(_ model: Model) throws {
        let hashes: VersionHashes
        do { hashes = try VersionHashes(model) } catch { throw OpenedStore.failure(error) }
        let entities = hashes.entities.mapValues { $0.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
        if json {
            // Written by hand: the one output with keys that are not sorted.
            let writer = JSONWriter(layout: .compact)
            let values =
                [JSONValue.object(entities.mapValues(JSONValue.string)), .string(hashes.digest)]
                + [.string(hashes.checksum)]
            let members = zip(["hashes", "digest", "checksum"], values).map { "\"\($0)\":" + writer.string($1) }
            print("{" + members.joined(separator: ",") + "}")
            return
        }
        var table = TextTable(header: ["entity", "version hash"])
        table.rows = entities.sorted { $0.key.precedesByCodePoint($1.key) }.map { [$0.key, $0.value] }
        table.lines.forEach { print($0) }
        print("\ndigest    \(hashes.digest)\nchecksum  \(hashes.checksum)")
    }
}
