import Foundation
import Testing

@Suite("coredata explains itself")
struct HelpTests {
    private static let commands = [
        [], ["inspect"], ["export"], ["query"], ["search"], ["tree"], ["check"], ["diff"], ["history"], ["watch"],
        ["update"],
        ["delete"],
        ["import"], ["copy"], ["migrate"], ["compile"], ["generate"],
        ["port"],
        ["verify"],
        ["studio"],
        ["model"], ["model", "show"], ["model", "lint"], ["model", "graph"], ["model", "export"], ["model", "draft"],
        ["model", "diff"], ["model", "infer"],
        ["model", "merge"],
        ["model", "lock"],
        ["model", "roundtrip"],
    ]

    @Test("every command's help has examples that begin with the command", arguments: commands)
    func examples(path: [String]) throws {
        let help = try Command(path + ["--help"])
        #expect(help.status == 0)
        let parts = help.output.components(separatedBy: "EXAMPLES\n")
        try #require(parts.count == 2, "\(path)")
        let name = path == ["model", "show"] ? ["model"] : path
        #expect(parts[1].hasPrefix("  " + (["coredata"] + name).joined(separator: " ")), "\(parts[1].prefix(80))")
    }

    @Test("no command is left out here")
    func all() throws {
        for path in [[], ["model"]] {
            let help = try Command(path + ["--help"]).output
            let list = help.components(separatedBy: "SUBCOMMANDS:\n").last?.components(separatedBy: "\n\n").first ?? ""
            let names = list.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
                .compactMap { $0.split(separator: " ").first.map(String.init) }
            #expect(
                Set(names)
                    == Set(
                        Self.commands.filter { $0.count == path.count + 1 && $0.starts(with: path) }.map {
                            $0[path.count]
                        }))
        }
    }

    @Test("shells complete subcommands and options", arguments: ["bash", "zsh", "fish"])
    func completion(shell: String) throws {
        let script = try Command(["--generate-completion-script", shell])
        #expect(script.status == 0)
        for word in ["lint", "diff", "merge", "generate", "strict", "at-most"] {
            #expect(script.output.contains(word), "\(shell): \(word)")
        }
    }
}
