import Foundation
import ModelCompiler
import ModelFormat

/// What the plug-in asks for: `--model DOCUMENT --module NAME --code FILE --bundle FILE`.
struct Command {
    let model: URL
    let module: String
    private let code: URL
    private let bundle: URL

    init(arguments: [String]) throws {
        var values: [String: String] = [:]
        for index in stride(from: 0, to: arguments.count, by: 2) {
            guard ["--model", "--module", "--code", "--bundle"].contains(arguments[index]), index + 1 < arguments.count
            else { throw UsageError(argument: arguments[index]) }
            values[arguments[index]] = arguments[index + 1]
        }
        func value(_ option: String) throws -> String {
            guard let value = values[option] else { throw UsageError(argument: option) }
            return value
        }
        model = URL(fileURLWithPath: try value("--model"))
        module = try value("--module")
        code = URL(fileURLWithPath: try value("--code"))
        bundle = URL(fileURLWithPath: try value("--bundle"))
    }

    /// Writes the files that changed: moving a box in the model's diagram compiles no class again.
    func write(_ compiled: CompiledModel) throws {
        if (try? String(contentsOf: code, encoding: .utf8)) != compiled.code {
            try Data(compiled.code.utf8).write(to: code, options: .atomic)
        }
        if (try? ModelBundleFile(contentsOf: bundle)) != compiled.bundle {
            try compiled.bundle.data().write(to: bundle, options: .atomic)
        }
    }
}

/// The tool was called wrongly. Only developers of the plug-in see this.
struct UsageError: Error, CustomStringConvertible {
    let argument: String

    var description: String {
        "ModelCompilerTool --model DOCUMENT --module NAME --code FILE --bundle FILE (or: sources --module NAME --code FILE …): missing or unknown \(argument)"
    }
}
