import ArgumentParser
import Foundation
import ModelDocument
import ModelExchange
import StoreBrowsing

/// `coredata model draft SOURCE`: a model of what another program has.
struct ModelDraftCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "draft",
        abstract: "Draft a model from SQL, from samples in JSON, or from the tables of a database.",
        discussion: """
            SOURCE is a script with the CREATE TABLE statements of SQLite, PostgreSQL or MySQL; a .json or .jsonl file \
            with samples; an SQLite file that is no store; or the URL of a PostgreSQL database, whose tables the model is \
            then mapped to. Nothing is written to SOURCE.

            Tables become entities, foreign keys to-ones with inverses, and tables that only relate others many-to-manys. \
            In samples, objects in objects become entities of their own; what is missing in a sample, or null, is optional. \
            What was decided is told, a line each, and what has no place in a model, too.

            EXAMPLES
              coredata model draft Shop.sql
              coredata model draft Orders.json --output Shop.xcdatamodeld
              coredata model draft 'postgresql://reader@db.example.org/shop' -o Shop.xcdatamodeld
            """)

    @Argument(
        help: "A .sql, .json or .jsonl file, an SQLite file, or the URL of a PostgreSQL database.", completion: .file())
    var source: String

    @Option(
        name: [.short, .long], help: "The .xcdatamodeld to make; without it, one named after SOURCE.",
        completion: .file())
    var output: String?

    func validate() throws {
        guard let output else { return }
        guard URL(fileURLWithPath: output).pathExtension == "xcdatamodeld" else {
            throw ValidationError("--output takes a name that ends in .xcdatamodeld.")
        }
    }

    func run() throws {
        let (draft, name) = try DraftSource.draft(source)
        let path = output ?? "\(name).xcdatamodeld"
        guard !FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure(.other, "\(path) is there already. --output names another one.")
        }
        let title = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        try ModelAtPath.reporting { try draft.document(named: title).write(to: URL(fileURLWithPath: path)) }
        for note in draft.notes { print(SafeText.singleLine(note)) }
        let counts = draft.model.entities.reduce(into: (0, 0)) { counts, entity in
            counts.0 += entity.attributes.count
            counts.1 += entity.relationships.count
        }
        print("\(path): \(draft.model.entities.count) entities, \(counts.0) attributes, \(counts.1) relationships")
    }
}
