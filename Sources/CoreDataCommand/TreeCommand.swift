import ArgumentParser
import CoreData
import Foundation
import StoreBrowsing

/// `coredata tree STORE ID`: an object and what it relates to.
struct TreeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tree", abstract: "Show an object and what it relates to as a tree.",
        discussion: """
            An object that is shown already is not shown again: its identifier has “above” behind it.

            EXAMPLES
              coredata tree Moody.sqlite Country/p2
              coredata tree Moody.sqlite Country/p2 --depth 2 --members 5
            """)

    @OptionGroup var source: StoreSource

    @Argument(help: "The object: entity and key such as Player/p12, or its URI (x-coredata://…/Player/p12).")
    var identifier: String

    @Option(help: "How many relationships to follow one after the other; 0 shows the object alone.")
    var depth = 1

    @Option(help: "Show that many members of a relationship at most.")
    var members = 20

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var values: ValueOptions

    func validate() throws {
        if depth < 0 { throw ValidationError("--depth takes a number from 0 on.") }
        if members < 0 { throw ValidationError("--members takes a number from 0 on.") }
    }

    func run() throws {
        try source.look { store in
            let (entity, key) = try Self.parse(identifier)
            var renderer = try values.renderer(for: store)
            renderer.abbreviatesData = !json
            let exporter = try store.records(renderer: renderer)
            guard let record = try exporter.record(entity, key: key) else {
                throw CommandFailure(.invalidQuery, "The store has no object \(entity)/p\(key).")
            }
            var tree = ObjectTree(exporter: exporter, mostMembers: members)
            let root = try tree.node(record, depth: depth)
            if json {
                print(JSONWriter(layout: .indented).string(root.json))
            } else {
                root.lines.forEach { print($0) }
            }
        }
    }

    private static func parse(_ text: String) throws -> (entity: String, key: Int64) {
        let parts = text.split(separator: "/").suffix(2)
        guard parts.count == 2, let last = parts.last, last.hasPrefix("p"), let key = Int64(last.dropFirst()) else {
            throw CommandFailure(.invalidQuery, "“\(text)” is no object's identifier; one looks like Player/p12.")
        }
        return (String(parts[parts.startIndex]), key)
    }
}
