import Foundation
import Testing

/// An article prints code that is compiled and run: the test's own.
@Suite("The guides print what is tested")
struct ArticleTests {
    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.package.appendingPathComponent(path), encoding: .utf8)
    }

    @Test("every listing of the guide to relationships is a test's, and every one of these is printed, in its order")
    func relationships() throws {
        let tested = snippets(in: try text("Tests/GuideTests/RelationshipGuideTests.swift"))
        let printed = listings(in: try text("Sources/CoreData/CoreData.docc/RelationshipGuide.md"))
        #expect(tested.count == 8)
        #expect(printed == tested)
    }

    /// What stands between the markers, without the indentation that all of it has.
    private func snippets(in source: String) -> [String] {
        source.components(separatedBy: "// snippet\n").dropFirst().compactMap { part in
            guard let end = part.range(of: "// end\n") else { return nil }
            let lines = part[..<end.lowerBound].split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            let indentation = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
            return lines.map { $0.dropFirst(indentation) + "\n" }.joined()
        }
    }

    private func listings(in article: String) -> [String] {
        article.components(separatedBy: "```swift\n").dropFirst().compactMap { part in
            part.range(of: "```").map { String(part[..<$0.lowerBound]) }
        }
    }
}
