import Foundation
import Testing

/// The article "Behaviour" names tests; it can't name any that are not there.
@Suite("The tables of tests tell the truth")
struct BehaviourTableTests {
    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The lines that the article has to have.
    private static let lines =
        (1...10).map { "3.\($0)" } + (1...8).map { "4.\($0)" } + (1...8).map { "5.\($0)" }
        + ["6.1", "6.2", "6.3", "6.3a"]
        + ["6.4", "6.5", "6.6", "6.7", "6.8", "6.9", "6.10", "6.12"] + (1...4).map { "7.\($0)" } + ["8.1", "8.2"]
        + (1...3).map { "10.\($0)" }

    @Test(
        "every test that a table names is in the sources",
        arguments: [
            "Sources/CoreData/CoreData.docc/Behaviour.md", "Tests/TutorialTests/README.md",
        ])
    func names(path: String) throws {
        let tests = try allTests()
        try #require(tests.count > 500)
        let named = try rows(path).flatMap { testNames(in: $0) }
        try #require(named.count > 15)
        for name in named { #expect(tests.contains(name), "\(name) of \(path)") }
    }

    @Test("every line of the behaviour has a test, and a change of the source that the test was seen to fail with")
    func completeness() throws {
        let rows = try rows("Sources/CoreData/CoreData.docc/Behaviour.md")
        for line in Self.lines {
            let own = rows.filter { $0.first == line }
            #expect(!own.isEmpty, "line \(line)")
            for row in own {
                #expect(row.count == 4 && !testNames(in: row).isEmpty && !(row.last ?? "").isEmpty, "line \(line)")
            }
        }
        #expect(Set(rows.compactMap(\.first)).isSubset(of: Self.lines), "a line that is not known")
    }

    /// The cells of a page's table rows, but for headings.
    private func rows(_ path: String) throws -> [[String]] {
        let text = try String(contentsOf: Self.package.appendingPathComponent(path), encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| line ") }
        return rows.map { row in
            row.dropFirst().dropLast().components(separatedBy: " | ").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
    }

    /// What stands between backticks and looks like `Suite/test`.
    private func testNames(in row: [String]) -> [String] {
        row.flatMap { $0.components(separatedBy: "`") }.filter { part in
            let names = part.split(separator: "/", omittingEmptySubsequences: false)
            return names.count == 2 && names.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isNumber } }
        }
    }

    /// `Suite/test` of every test of the package.
    private func allTests() throws -> Set<String> {
        let folder = Self.package.appendingPathComponent("Tests").resolvingSymlinksInPath()
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return try paths.filter { $0.hasSuffix("Tests.swift") }.reduce(into: []) { tests, path in
            let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
            tests.formUnion(self.tests(in: text))
        }
    }

    private func tests(in source: String) -> [String] {
        var suite = ""
        var isTest = false
        var tests: [String] = []
        for line in source.split(separator: "\n") {
            let words = line.split { !($0.isLetter || $0.isNumber || $0 == "@" || $0 == "_") }
            if let place = words.firstIndex(where: { $0 == "struct" || $0 == "class" }), place + 1 < words.count,
                words[place + 1].hasSuffix("Tests")
            {
                suite = String(words[place + 1])
            }
            if words.contains("@Test") { isTest = true }
            if isTest, let place = words.firstIndex(of: "func"), place + 1 < words.count {
                tests.append(suite + "/" + words[place + 1])
                isTest = false
            }
        }
        return tests
    }
}
