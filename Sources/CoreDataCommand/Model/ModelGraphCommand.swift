import ArgumentParser
import Foundation
import ModelDocument
import ModelGraph
import StoreBrowsing

/// `coredata model graph PATH`: a drawing of a model.
struct ModelGraphCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "graph", abstract: "Draw a model: its entities, relationships and inheritance, as an SVG file.",
        discussion: """
            One arrowhead is a to-one relationship, two are a to-many; a ring behind them means optional, a bar required. \
            The letter where a relationship starts is its delete rule: N nullify, C cascade, D deny, – no action. Dashed \
            lines with hollow heads lead from an entity to its parent. Bold properties are required.

            Boxes stand where Xcode's diagram has them; --layout lets the layout place them anew. Nothing is written to \
            the model.

            EXAMPLES
              coredata model graph League.xcdatamodeld -o League.svg
              coredata model graph Moody.sqlite --layout > Moody.svg
            """)

    @Argument(
        help: "An .xcdatamodeld, an .xcdatamodel, a .mom, a .momd, or a store that carries its model.",
        completion: .file())
    var path: String

    @Option(help: "The version of a versioned model; without it the current one.")
    var modelVersion: String?

    @Option(name: [.short, .long], help: "The file to write; without it, standard output.", completion: .file())
    var output: String?

    @Flag(help: "Place the boxes anew, whatever the document has.")
    var layout = false

    func run() throws {
        let model = try ModelAtPath.read(path, version: modelVersion)
        let title = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        let text = Diagram(model, placement: layout ? .automatic : .stored).svg(title: title)
        guard let output else { return print(text, terminator: "") }
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: output), options: .atomic)
        } catch {
            throw CommandFailure(error)
        }
    }
}
