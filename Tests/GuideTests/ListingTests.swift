import Foundation
import Testing

/// Every Swift listing of the articles, of the README and of the documentation comments compiles against the library as
/// it is.
@Suite("The documentation's listings compile")
struct ListingTests {
    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test("the compiler accepts every listing")
    func all() throws {
        let listings = try Self.listings()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Listings-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appendingPathComponent("Listings.swift")
        try Data(Self.source(of: listings).utf8).write(to: source)
        let complaints = try Self.typeCheck([source, Self.package.appendingPathComponent(Self.givenPath)], folder)
        #expect(complaints.isEmpty, "\(complaints)")
        #expect(listings.count > 60)
    }

    @Test("a listing that is wrong is told with its file and line")
    func wrong() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Listings-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appendingPathComponent("Listings.swift")
        let listing = Listing(file: "Article.md", line: 40, lines: ["let one = 1", "try context.safe()"])
        try Data(Self.source(of: [listing]).utf8).write(to: source)
        let complaints = try Self.typeCheck([source, Self.package.appendingPathComponent(Self.givenPath)], folder)
        #expect(complaints.contains("Article.md:41:"))
        #expect(complaints.contains("safe"))
    }

    // MARK: Finding listings

    private struct Listing {
        let file: String
        /// The number of its first line in the file.
        let line: Int
        var lines: [String] = []

        /// A part of a package's manifest is no program.
        var isManifest: Bool {
            lines.contains { $0.contains(".product(name:") || $0.contains(".package(url:") }
        }
    }

    private static let givenPath = "Tests/Tools/Listings/Given.swift"

    private static func listings() throws -> [Listing] {
        var found = try listings(inArticle: "README.md")
        for path in try paths(below: "Sources/CoreData/CoreData.docc", ending: ".md")
        // Its listings are parts of tests, which run them.
        where !path.hasSuffix("/RelationshipGuide.md") { found += try listings(inArticle: path) }
        for folder in ["Sources/CoreData", "Sources/FoundationGaps"] {
            for path in try paths(below: folder, ending: ".swift") { found += try listings(inComments: path) }
        }
        return found.filter { !$0.isManifest }
    }

    private static func paths(below folder: String, ending: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: package.appendingPathComponent(folder).path)
            .filter { $0.hasSuffix(ending) }.sorted().map { folder + "/" + $0 }
    }

    private static func listings(inArticle path: String) throws -> [Listing] {
        let text = try String(contentsOf: package.appendingPathComponent(path), encoding: .utf8)
        return listings(in: text.components(separatedBy: "\n"), path)
    }

    /// Lines that are no documentation comment end a listing, as the empty line that they become here ends no fence.
    private static func listings(inComments path: String) throws -> [Listing] {
        let text = try String(contentsOf: package.appendingPathComponent(path), encoding: .utf8)
        guard text.contains("```swift") else { return [] }
        let lines = text.components(separatedBy: "\n").map { line in
            let line = line.drop { $0 == " " }
            return line.hasPrefix("///") ? String(line.dropFirst(line.hasPrefix("/// ") ? 4 : 3)) : ""
        }
        return listings(in: lines, path)
    }

    private static func listings(in lines: [String], _ file: String) -> [Listing] {
        var found: [Listing] = []
        var open: Listing?
        for (index, line) in lines.enumerated() {
            let mark = line.trimmingCharacters(in: .whitespaces)
            if open == nil {
                if mark == "```swift" { open = Listing(file: file, line: index + 2) }
            } else if mark == "```" {
                found.append(contentsOf: [open].compactMap(\.self))
                open = nil
            } else {
                open?.lines.append(line)
            }
        }
        return found
    }

    // MARK: Compiling

    /// Each listing is the body of a function, so that its names are its own; of a method, if it says `self`. One that
    /// extends a type stays at file scope.
    private static func source(of listings: [Listing]) -> String {
        let imports = Set(listings.flatMap(\.lines).filter { $0.hasPrefix("import ") })
        var text = imports.union(["import CoreData", "import Observation"]).sorted().joined(separator: "\n") + "\n"
        for (number, listing) in listings.enumerated() {
            let lines = listing.lines.map { $0.hasPrefix("import ") ? "" : $0 }
            var (head, end) = ("func listing\(number)() async throws {\n", "}\n")
            if lines.contains(where: { $0.hasPrefix("extension ") }) {
                (head, end) = ("", "")
            } else if lines.contains(where: { $0.hasSuffix(" = self") }) {
                (head, end) = ("extension Reader {\n" + head, end + "}\n")
            }
            text += head + "#sourceLocation(file: \"\(listing.file)\", line: \(listing.line))\n"
            text += lines.joined(separator: "\n") + "\n#sourceLocation()\n" + end
        }
        return text
    }

    /// - Returns: The compiler's errors.
    private static func typeCheck(_ sources: [URL], _ folder: URL) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [
                "swiftc", "-typecheck", "-swift-version", "6", "-suppress-warnings", "-module-name", "Listings",
                "-package-name", "listings", "-module-cache-path", folder.path, "-I", modules.path,
            ]
            + ["CSQLite", "CZlib", "CSwiftRuntime", "CWriteAheadLog/include", "CPostgreSQL"].flatMap {
                ["-I", package.appendingPathComponent("Sources/\($0)").path]
            }
            // Where Debian has the headers of libpq.
            + ["-I", "/usr/include/postgresql"]
            + sources.map(\.path)
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: data, as: UTF8.self)
        return process.terminationStatus == 0 ? "" : text
    }

    /// Where the build that these tests are part of keeps its modules.
    private static var modules: URL {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        repeat {
            folder.deleteLastPathComponent()
            let modules = folder.appendingPathComponent("Modules")
            if FileManager.default.fileExists(atPath: modules.path) { return modules }
        } while folder.path != "/"
        return folder
    }
}
