import Foundation
import Testing

@Suite("The article of the command line")
struct ArticleTests {
    @Test("each example of the article prints what the article shows")
    func examples() throws {
        let article = try String(
            contentsOf: Samples.package.appendingPathComponent("Sources/CoreData/CoreData.docc/CommandLine.md"),
            encoding: .utf8)
        let before = try StoreCopy("objcio-moody/Moody_3.moody")
        let after = try StoreCopy("objcio-moody/Moody_3.moody", sql: StoreDiffTests.changes)
        let library = try LibraryModel()
        try library.fill()
        let league = try LeagueStore()
        try league.fill()
        let players = try library.folder.file(
            "Players.csv", Data("Last name,age,Remarks\nMcHale,32,tall\nAinge,,\n".utf8))
        let stores = [
            "Moody.sqlite": before.path, "After.sqlite": after.path, "Library.sqlite": library.store.path,
            "Library.xcdatamodeld": library.path, "League.sqlite": league.path, "Players.csv": players.path,
        ]
        let blocks = article.components(separatedBy: "```\n").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        let examples = blocks.filter { $0.hasPrefix("$ coredata ") }
        #expect(examples.count >= 6)
        for example in examples {
            let lines = example.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            let arguments = Self.words(String(lines[0].dropFirst("$ coredata ".count))).map { stores[$0] ?? $0 }
            let run = try Command(arguments)
            #expect(run.errors.isEmpty, "\(lines[0]): \(run.errors)")
            #expect(run.output == lines.dropFirst().joined(separator: "\n"), "\(lines[0])\n\(run.output)")
        }
    }

    /// The words of a shell's line: blanks between them, single quotes around what belongs together.
    private static func words(_ line: String) -> [String] {
        line.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
            index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
        }
    }
}
