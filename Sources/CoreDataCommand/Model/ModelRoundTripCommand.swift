import ArgumentParser
import Foundation
import ModelDocument

/// `coredata model roundtrip PATH…`: whether documents come out of reading and writing as they went in.
struct ModelRoundTripCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "roundtrip",
        abstract: "Read model documents, write them anew in memory, and list what differs.",
        discussion: """
            No file is changed. Exit code 1: a document differs, or cannot be read. Documents of the binary kind of \
            Xcode 3 are counted, but not compared.

            EXAMPLES
              coredata model roundtrip League.xcdatamodeld
              coredata model roundtrip Sources
            """)

    @Argument(
        help: "An .xcdatamodeld, .xcdatamodel or .xcmappingmodel, a file of one, or a folder with any number of them.",
        completion: .file())
    var paths: [String]

    func run() throws {
        var report = RoundTripReport()
        for path in paths { try report.add(path) }
        report.lines.forEach { print($0) }
        guard report.isClean else { throw ExitCode(CommandFailure.Code.other.rawValue) }
    }
}

/// What `roundtrip` found.
struct RoundTripReport {
    /// A line for each document that differs or cannot be read, with what differs.
    private var findings: [String] = []
    private var equalCount = 0
    private var differingCount = 0
    private var unreadableCount = 0
    private var binaryCount = 0

    /// Whether every document could be compared and is equal.
    var isClean: Bool { differingCount == 0 && unreadableCount == 0 }

    /// The findings and a line that sums up.
    var lines: [String] { findings + [summary] }

    /// Adds all documents at a path.
    ///
    /// - Throws: ``CommandFailure`` for a path without any.
    mutating func add(_ path: String) throws {
        let files: [DocumentFile]
        do {
            files = try DocumentFile.files(at: URL(fileURLWithPath: path))
        } catch let error as ModelDocumentError {
            throw CommandFailure(error, code: error.code == .unreadableFile ? .missingFile : .foreign)
        }
        guard !files.isEmpty else { throw CommandFailure(.foreign, "There is no model document in \(path).") }
        for file in files { add(file) }
    }

    private mutating func add(_ file: DocumentFile) {
        do {
            switch try file.roundTrip() {
            case .equal: equalCount += 1
            case .binary: binaryCount += 1
            case .differs(let difference):
                differingCount += 1
                let what = difference.original == difference.written ? "differs in its line end" : "differs"
                findings.append("\(file.url.path):\(difference.line):\(difference.column): \(what)")
                findings += [
                    excerpt("-", difference.original, difference), excerpt("+", difference.written, difference),
                ]
            }
        } catch {
            unreadableCount += 1
            findings.append("\(error)")
        }
    }

    /// A line around the place where it differs.
    private func excerpt(_ mark: String, _ line: String?, _ difference: DocumentFile.Difference) -> String {
        guard let line else { return "  \(mark) (end of the document)" }
        let bytes = Array(line.utf8)
        let start = bytes.count > 120 ? max(0, min(difference.column - 60, bytes.count - 120)) : 0
        let shown = String(decoding: bytes.dropFirst(start).prefix(120), as: UTF8.self)
        return "  \(mark) \(start > 0 ? "…" : "")\(shown)\(start + 120 < bytes.count ? "…" : "")"
    }

    private var summary: String {
        var parts = ["\(equalCount) equal"]
        if differingCount > 0 { parts.append("\(differingCount) different") }
        if unreadableCount > 0 { parts.append("\(unreadableCount) unreadable") }
        if binaryCount > 0 { parts.append("\(binaryCount) of the binary kind of Xcode 3, not compared") }
        return parts.joined(separator: ", ")
    }
}
