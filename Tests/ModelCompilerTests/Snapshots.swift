import Foundation
import Testing

/// Compares a text with the file in which it is recorded; with `UPDATE_SNAPSHOTS=1` in the environment it records it.
func expectSnapshot(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let url = fixtures.appending(path: "Generated/\(name)")
    if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
        try Data(text.utf8).write(to: url)
        return
    }
    let recorded = try String(contentsOf: url, encoding: .utf8)
    let lines = zip(text.split(separator: "\n"), recorded.split(separator: "\n"))
    let difference = lines.first { $0 != $1 }.map { "generated: \($0)\nrecorded:  \($1)" } ?? "one of them is longer"
    #expect(text == recorded, "\(name) differs\n\(difference)", sourceLocation: sourceLocation)
}

/// The folder of recorded texts.
let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

/// The package's folder.
let package = fixtures.appending(path: "../../..").standardizedFileURL
