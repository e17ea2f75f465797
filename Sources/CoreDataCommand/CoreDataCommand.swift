import ArgumentParser
import Foundation
import StoreBrowsing

/// `coredata`: looks into stores without changing them, migrates them, and works on models.
@main
struct CoreDataCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coredata",
        abstract:
            "Look into Core Data stores without changing them, migrate them; check, compare, merge and compile models.",
        discussion: """
            A store that carries its model, as stores of the last decade do, needs no other file; of an older one --model \
            takes the model, and without it entities and columns are inferred. Store and write-ahead log stay as they are, \
            byte for byte; only migrate, update, delete and import change a store. A store in a PostgreSQL database is \
            named by its postgresql:// URL, which no output repeats with its password.

            EXAMPLES
              coredata inspect Moody.sqlite
              coredata model lint League.xcdatamodeld
              coredata --generate-completion-script bash > ~/.local/share/bash-completion/completions/coredata

            Exit codes: \(CommandFailure.Code.legend); 64 wrong arguments; 1 findings of check, lint and the like, and anything else.
            """,
        subcommands: [
            InspectCommand.self, ExportCommand.self, QueryCommand.self, SearchCommand.self, TreeCommand.self,
            CheckCommand.self, DiffCommand.self, HistoryCommand.self, WatchCommand.self, UpdateCommand.self,
            DeleteCommand.self, ImportCommand.self, CopyCommand.self, MigrateCommand.self, ModelCommand.self,
            CompileCommand.self,
            GenerateCommand.self, PortCommand.self, VerifyCommand.self,
        ] + studio)

    /// The editor, where the command is built with it.
    private static var studio: [any ParsableCommand.Type] {
        #if canImport(CoreDataStudio)
            [StudioCommand.self]
        #else
            []
        #endif
    }

    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let failure as CommandFailure {
            report("error: \(failure.message)")
            exit(withError: ExitCode(failure.code.rawValue))
        } catch {
            exit(withError: error)
        }
    }
}

/// Writes a line to standard error.
func report(_ message: String) {
    ProgressBar.clear()
    FileHandle.standardError.write(Data((SafeText.message(message) + "\n").utf8))
}
