import Foundation
import ModelDocument
import ModelLint
import RandomSeeds
import StoreBrowsing
import Testing

@testable import ModelExchange

@Suite("Drafts of what is broken")
struct RandomDraftTests {
    /// Pieces that end and begin what they should not.
    private static let pieces = [
        "'", "\"", "`", "[", "]", "(", ")", ",", ";", "--", "/*", "*/", "$$", "\\", "CREATE TABLE ", "REFERENCES ",
        "PRIMARY KEY ", "DEFAULT ", "CHECK (", "{", "}", ":", "null", "\u{0}", "\u{1F98A}", "\n", "1e999", "\\u12",
    ]

    /// `COREDATA_FULL_TESTS` has more seeds.
    @Test(
        "a changed source gives a draft without errors, or a failure with a sentence",
        arguments: SeededGenerator.seeds(6, full: 200))
    func changed(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for name in ["Shop.sqlite.sql", "Library.postgresql.sql", "Blog.mysql.sql", "orders.json"] {
            let original = try Array(ExchangeSamples.fixture("Sources/\(name)").unicodeScalars)
            for _ in 0..<25 {
                var scalars = original
                for _ in 0...Int.random(in: 0..<6, using: &random) { Self.change(&scalars, &random) }
                try expectDraft(String(String.UnicodeScalarView(scalars)), name, seed)
            }
        }
    }

    private static func change(_ scalars: inout [Unicode.Scalar], _ random: inout SeededGenerator) {
        let start = Int.random(in: 0..<scalars.count, using: &random)
        let end = min(scalars.count, start + Int.random(in: 0..<40, using: &random))
        if random.chance(40) {
            scalars.removeSubrange(start..<end)
        } else if random.chance(50) {
            scalars.insert(contentsOf: Array((pieces.randomElement(using: &random) ?? "").unicodeScalars), at: start)
        } else {
            scalars.insert(contentsOf: scalars[start..<end], at: start)
        }
    }

    private func expectDraft(_ text: String, _ name: String, _ seed: UInt64) throws {
        let draft: ModelDraft
        do {
            draft = try DraftSource.source(Data(text.utf8), named: name).draft(named: name)
        } catch let failure as ToolFailure {
            #expect(!failure.message.isEmpty)
            return
        }
        let errors = ModelLint.diagnostics(of: draft.model).filter { $0.severity == .error }
        #expect(errors.isEmpty, "seed \(seed): \(errors.map(\.description)) of \(text)")
        let written = draft.document(named: "D").versions[0].model
        #expect(try Model(contents: written.contents()).entities == written.entities, "seed \(seed)")
    }
}
