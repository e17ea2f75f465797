import AccessorBodies
import Foundation
import ModelCompiler
import SwiftSources

/// What the plug-in asks for a target's sources:
///
///     sources --module NAME --code FILE [--source FILE]… [--model DOCUMENT]… [--other-model DOCUMENT]…
///             [--dependency NAME FOLDER]… [--clean FILE COPY]…
struct SourcesCommand {
    private var sources = ManagedSources(module: "", files: [])
    private var code = URL(filePath: "/")
    private var copies: [(original: String, copy: URL)] = []

    init(arguments: ArraySlice<String>) throws {
        var rest = arguments
        func value(_ option: String) throws -> String {
            guard let value = rest.popFirst() else { throw UsageError(argument: option) }
            return value
        }
        while let option = rest.popFirst() {
            switch option {
            case "--module": sources.module = try value(option)
            case "--code": code = URL(filePath: try value(option))
            case "--source": sources.files.append(try value(option))
            case "--model": sources.models.append(URL(filePath: try value(option)))
            case "--other-model": sources.otherModels.append(URL(filePath: try value(option)))
            case "--dependency":
                sources.dependencies.append(
                    .init(module: try value(option), directory: URL(filePath: try value(option))))
            case "--clean": copies.append((try value(option), URL(filePath: try value(option))))
            default: throw UsageError(argument: option)
            }
        }
        if sources.module.isEmpty { throw UsageError(argument: "--module") }
        if code.path == "/" { throw UsageError(argument: "--code") }
    }

    func run() throws {
        for (original, copy) in copies {
            let text = try String(contentsOf: URL(filePath: original), encoding: .utf8)
            try write(PortableSource(text, path: original).copy, to: copy)
        }
        let compiled = try compile()
        compiled.warnings.forEach { print($0) }
        guard compiled.errors.isEmpty else {
            FileHandle.standardError.write(Data((compiled.errors.joined(separator: "\n") + "\n").utf8))
            exit(1)
        }
        try write(compiled.code, to: code)
    }

    /// The originals are scanned, for their diagnostics and attributes; their private names are those of the copies.
    private func compile() throws -> CompiledSources {
        var sources = sources
        sources.copies = Dictionary(
            copies.map { ($0.original, $0.copy.lastPathComponent) }, uniquingKeysWith: { first, _ in first })
        sources.files += copies.map(\.original)
        return try sources.compile()
    }

    /// Writes a file that changed: others are not compiled again.
    private func write(_ text: String, to url: URL) throws {
        if (try? String(contentsOf: url, encoding: .utf8)) == text { return }
        try Data(text.utf8).write(to: url, options: .atomic)
    }
}
