import ArgumentParser
import Foundation
import ModelDocument
import ModelExchange
import StoreBrowsing

/// `coredata model export PATH --as LANGUAGE`: a model for other tools.
struct ModelExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write a model in the language of another tool: DBML, Mermaid, or the SQL of its tables.",
        discussion: """
            dbml        tables with references and notes, for dbdiagram.io and its like
            mermaid     an entity relationship diagram, for articles on code hosts
            sql         the tables that a store in an SQLite file has
            postgresql  the tables that a store in a PostgreSQL database has

            DBML and Mermaid show each entity with its own properties; a subentity leads to its parent. SQL has the \
            statements that a store runs by itself when it is made: one table a tree of entities, by Apple's names in \
            SQLite, by the model's in PostgreSQL.

            EXAMPLES
              coredata model export League.xcdatamodeld --as mermaid
              coredata model export League.xcdatamodeld --as dbml -o League.dbml
              coredata model export Moody.sqlite --as postgresql > Moody.sql
            """)

    @Argument(
        help: "An .xcdatamodeld, an .xcdatamodel, a .mom, a .momd, or a store that carries its model.",
        completion: .file())
    var path: String

    @Option(help: ArgumentHelp("The language.", valueName: "language"))
    var `as`: ModelLanguage

    @Option(help: "The version of a versioned model; without it the current one.")
    var modelVersion: String?

    @Option(name: [.short, .long], help: "The file to write; without it, standard output.", completion: .file())
    var output: String?

    func run() throws {
        let model = try ModelAtPath.read(path, version: modelVersion)
        let title =
            StorePlace.isDatabase(path)
            ? "Model" : URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        let text: String
        do { text = try self.as.text(of: model, title: title) } catch { throw CommandFailure(error) }
        guard let output else { return FileHandle.standardOutput.write(Data(text.utf8)) }
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: output), options: .atomic)
        } catch {
            throw CommandFailure(error)
        }
    }
}

extension ModelLanguage: ExpressibleByArgument {}
