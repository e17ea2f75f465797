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
            let model = try document.model()
            var planner = Planner(model: model, module: module)
            let plan = planner.file(modelName: document.name, versionName: document.currentVersionName)
            guard planner.problems.isEmpty else {
                throw CompilerError(path: url.path, sentences: planner.problems)
            }
            return CompiledModel(
                code: SwiftEmitter.file(plan), bundle: bundle,
                warnings: planner.warnings + model.diagnostics.map(\.description))
        } catch let error as ModelDocumentError {
            throw CompilerError(error, documentPath: url.path)
        }
    }
}

/// What a build gets from a model.
package struct CompiledModel: Sendable {
    /// The Swift file.
    package var code: String
    /// The resource file.
    package var bundle: ModelBundleFile
    /// What is doubtful in the current version, a sentence each.
    package var warnings: [String]
}
