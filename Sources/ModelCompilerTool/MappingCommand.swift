import Foundation
import ModelCompiler

/// What the plug-in asks for a mapping model:
///
///     mapping --document DOCUMENT --bundle FILE [--model DOCUMENT]…
struct MappingCommand {
    private var document = URL(filePath: "/")
    private var bundle = URL(filePath: "/")
    private var models: [URL] = []

    init(arguments: ArraySlice<String>) throws {
        var rest = arguments
        while let option = rest.popFirst() {
            guard let value = rest.popFirst().map({ URL(filePath: $0) }) else { throw UsageError(argument: option) }
            switch option {
            case "--document": document = value
            case "--bundle": bundle = value
            case "--model": models.append(value)
            default: throw UsageError(argument: option)
            }
        }
        if document.path == "/" { throw UsageError(argument: "--document") }
        if bundle.path == "/" { throw UsageError(argument: "--bundle") }
    }

    func run() throws {
        let data = try MappingCompiler(documentAt: document, models: models).compile { print($0) }.data()
        if (try? Data(contentsOf: bundle)) == data { return }
        try data.write(to: bundle, options: .atomic)
    }
}
