import Foundation
import ModelDocument

/// Compiles model documents for one target.
///
/// ```swift
/// let compiled = try ModelCompiler(module: "LeagueManager").compile(documentAt: url)
/// print(compiled.code)
/// ```
package struct ModelCompiler: Sendable {
    /// The module that the generated code is part of.
    package let module: String

    package init(module: String) { self.module = module }

    /// Compiles a `.xcdatamodeld`, or a single `.xcdatamodel`.
    ///
    /// Code is generated for the current version; the resource holds every version.
    ///
    /// - Throws: `CompilerError` if a version can't be read, or the current one can't be said in Swift.
    package func compile(documentAt url: URL) throws -> CompiledModel {
        do {
            let document = try ModelDocumentFolder(contentsOf: url)
            let bundle = try ModelBundleFile(document: document, moduleName: module)
            let (model, lines) = try Self.current(document)
            var planner = Planner(model: model, module: module)
            let plan = planner.file(modelName: document.name, versionName: document.currentVersionName)
            guard planner.problems.isEmpty else {
                throw CompilerError(path: url.path, sentences: planner.problems)
            }
            return CompiledModel(
                code: SwiftEmitter.file(plan), bundle: bundle,
                warnings: model.diagnostics.filter { $0.severity == .warning }.map {
                    BuildWarning($0, in: document, lines)
                })
        } catch let error as ModelDocumentError {
            throw CompilerError(error, documentPath: url.path)
        }
    }
}

extension ModelCompiler {
    /// The current version, and where its elements are.
    private static func current(_ document: ModelDocumentFolder) throws -> (Model, Model.DocumentLines) {
        (try document.model(), try Model.DocumentLines(contents: try document.contents()))
    }
}

/// Something doubtful about the current version, in the form that build systems pick up.
package struct BuildWarning: Sendable, Hashable, CustomStringConvertible {
    /// The `contents` file of the version.
    package var path: String
    package var line: Int
    /// The sentence, with its code.
    package var sentence: String

    init(_ diagnostic: Model.Diagnostic, in document: ModelDocumentFolder, _ lines: Model.DocumentLines) {
        path = document.contentsURL(ofVersion: document.currentVersionName).path
        line = lines.line(of: diagnostic.path)
        sentence = "\(diagnostic.message) [\(diagnostic.code.rawValue)]"
    }

    package var description: String { "\(path):\(line): warning: \(sentence)" }
}

/// What a build gets from a model.
package struct CompiledModel: Sendable {
    /// The Swift file.
    package var code: String
    /// The resource file.
    package var bundle: ModelBundleFile
    /// What is doubtful in the current version.
    package var warnings: [BuildWarning]
}
