import Foundation
import DocumentDiagnostics
import ModelFormat

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
        try reporting(url) {
            let document = try ModelDocumentFolder(contentsOf: url)
            let bundle = try ModelBundleFile(document: document, moduleName: module)
            let (model, lines) = try Self.current(document)
            let plan = try plan(
                of: model, modelName: document.name, versionName: document.currentVersionName,
                path: document.url.path)
            return CompiledModel(
                code: SwiftEmitter.file(plan), bundle: bundle,
                warnings: model.diagnostics.filter { $0.severity == .warning }.map {
                    BuildWarning($0, in: document, lines)
                })
        }
    }

    /// The classes of the current version as files of their own, for packages that keep them with their sources.
    ///
    /// - Parameters:
    ///   - url: A `.xcdatamodeld`, or a single `.xcdatamodel`.
    ///   - includesManual: Whether entities with classes written by hand get one, too, as Xcode's "Create
    ///     NSManagedObject Subclass" makes.
    /// - Returns: The files, a model without classes has none; the same model always gives the same.
    /// - Throws: `CompilerError` if the current version can't be read or said in Swift.
    package func classFiles(documentAt url: URL, includesManual: Bool = false) throws -> [GeneratedFile] {
        try reporting(url) {
            let document = try ModelDocumentFolder(contentsOf: url)
            return try classFiles(
                of: document.model(), modelName: document.name, versionName: document.currentVersionName,
                path: document.url.path, includesManual: includesManual)
        }
    }

    /// The classes of a model that is at hand, as files of their own.
    ///
    /// - Parameters:
    ///   - model: The version that the classes are for.
    ///   - modelName: The document's name.
    ///   - versionName: The version's name.
    ///   - path: Where the document is, for errors.
    ///   - includesManual: Whether entities with classes written by hand get one, too.
    /// - Throws: `CompilerError` if the model can't be said in Swift.
    package func classFiles(
        of model: Model, modelName: String, versionName: String, path: String, includesManual: Bool = false
    ) throws -> [GeneratedFile] {
        var model = model
        for index in model.entities.indices where includesManual && model.entities[index].codeGeneration == .manual {
            model.entities[index].codeGeneration = .classDefinition
        }
        return SwiftEmitter.files(try plan(of: model, modelName: modelName, versionName: versionName, path: path))
    }

    /// The class of one entity, or what is generated of it, whatever is wrong elsewhere in the model.
    ///
    /// An entity with a class written by hand gets what Xcode's "Create NSManagedObject Subclass" would make.
    ///
    /// - Returns: The text, `nil` for an entity without a class of its own; and what can't be said in Swift.
    package func classText(ofEntity name: String, in model: Model) -> (file: GeneratedFile?, problems: [String]) {
        var model = model
        if model[entity: name]?.codeGeneration == .manual {
            model[entity: name]?.codeGeneration = .classDefinition
        }
        var planner = Planner(model: model, module: module)
        let plan = planner.file(modelName: name, versionName: name)
        let problems = planner.problems.filter { $0.hasPrefix("\(name).") || $0.contains("entity \(name)") }
        return (plan.classes.first { $0.entity == name }.map { SwiftEmitter.classFile($0, plan) }, problems)
    }

    /// Code that carries out a fetch request of the model.
    ///
    /// - Returns: `nil` if there is no such request, or none of its entity.
    package func snippet(forFetchRequest name: String, in model: Model) -> String? {
        guard let request = model[fetchRequest: name], let entity = model.entity(named: request.entityName ?? "")
        else { return nil }
        var planner = Planner(model: model, module: module)
        guard let plan = planner.requests(for: entity).first(where: { $0.template == name }) else { return nil }
        return SwiftEmitter.snippet(
            request, plan, of: entity.codeGeneration == .manual ? nil : planner.className(of: entity))
    }

    private func plan(
        of model: Model, modelName: String, versionName: String, path: String
    ) throws -> FilePlan {
        var planner = Planner(model: model, module: module)
        let plan = planner.file(modelName: modelName, versionName: versionName)
        guard planner.problems.isEmpty else { throw CompilerError(path: path, sentences: planner.problems) }
        return plan
    }

    private func reporting<Result>(_ url: URL, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as ModelDocumentError {
            throw CompilerError(error, documentPath: url.path)
        }
    }
}

/// One file of generated Swift.
package struct GeneratedFile: Sendable, Hashable {
    package var name: String
    package var text: String

    /// Whether a text is a file that was generated from the model of that name.
    package static func isGenerated(_ text: String, fromModel name: String) -> Bool {
        text.hasPrefix(SwiftEmitter.firstLine(modelName: name))
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
