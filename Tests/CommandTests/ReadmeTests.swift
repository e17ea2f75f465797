import Foundation
import Testing

@Suite("The READMEs tell the truth")
struct ReadmeTests {
    @Test("the League Manager prints what its README shows, and the first README shows the beginning of it")
    func league() throws {
        let run = try Command(executable: Command.executable("LeagueManager"), arguments: [])
        #expect(run.status == 0, "\(run.errors)")
        let output = run.output.trimmingCharacters(in: .newlines)
        try #require(!output.isEmpty)
        #expect(try text("Examples/LeagueManager/README.md").contains("```\n" + output + "\n```"))
        let excerpt = try #require(
            try text("README.md").components(separatedBy: "```\n").first { $0.hasPrefix("1. Filling") })
        let lines = output.components(separatedBy: "\n")
        var rest = lines[...]
        for line in excerpt.components(separatedBy: "\n") where !line.isEmpty {
            let place = try #require(rest.firstIndex(of: line), "not printed, or not there: \(line)")
            rest = rest[(place + 1)...]
        }
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Samples.package.appendingPathComponent(path), encoding: .utf8)
    }
}
