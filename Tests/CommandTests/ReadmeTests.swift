import Foundation
import Testing

@Suite("The README tells the truth")
struct ReadmeTests {
    @Test("the League Manager prints what the README shows")
    func league() throws {
        let readme = try String(contentsOf: Samples.package.appendingPathComponent("README.md"), encoding: .utf8)
        let run = try Command(executable: Command.executable("LeagueManager"), arguments: [])
        #expect(run.status == 0, "\(run.errors)")
        let output = run.output.trimmingCharacters(in: .newlines)
        try #require(!output.isEmpty)
        #expect(readme.contains("```\n" + output + "\n```"))
    }
}
