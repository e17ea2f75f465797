import Foundation
import ModelCompiler

// Run by CoreDataPlugin: once per model, once per mapping model, and once for a target's sources. Prints warnings and
// errors in the form that build systems pick up.
do {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "sources" {
        try SourcesCommand(arguments: arguments.dropFirst()).run()
    } else if arguments.first == "mapping" {
        try MappingCommand(arguments: arguments.dropFirst()).run()
    } else {
        let command = try Command(arguments: arguments)
        let compiled = try ModelCompiler(module: command.module).compile(documentAt: command.model)
        for warning in compiled.warnings { print(warning) }
        try command.write(compiled)
    }
} catch let error as CompilerError {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
} catch {
    FileHandle.standardError.write(Data("error: \(error)\n".utf8))
    exit(1)
}
