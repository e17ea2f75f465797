import AccessorBodies
import Foundation
import ModelFormat
import SwiftSources

/// The Swift sources of a target, and what they may refer to.
///
/// ```swift
/// let sources = ManagedSources(module: "LeagueManager", files: files, models: models)
/// let generated = try sources.compile()
/// ```
package struct ManagedSources: Sendable {
    /// The module that the sources make.
    package var module: String
    /// Their paths.
    package var files: [String]
    /// The model documents of the target.
    package var models: [URL]
    /// The model documents of the targets that it depends on.
    package var otherModels: [URL] = []
    /// The targets that this one depends on, directly or not.
    package var dependencies: [Dependency]
    /// The names of the files that are compiled in the place of others, by the paths of those.
    package var copies: [String: String] = [:]

    /// Another target's sources, which are read if a name leads there.
    package struct Dependency: Sendable {
        package var module: String
        package var directory: URL

        package init(module: String, directory: URL) {
            self.module = module
            self.directory = directory
        }
    }

    package init(module: String, files: [String], models: [URL] = [], dependencies: [Dependency] = []) {
        self.module = module
        self.files = files
        self.models = models
        self.dependencies = dependencies
    }

    /// Generates the bodies that the sources' managed classes leave to Core Data, and the table of their other members.
    ///
    /// - Throws: An error if a file can't be read.
    package func compile() throws -> CompiledSources {
        let sources = try files.map { path in
            var source = SourceScanner.scan(Array(try Data(contentsOf: URL(filePath: path))), path: path)
            source.compiledName = copies[path] ?? source.compiledName
            return source
        }
        return compile(sources)
    }

    /// ``compile()`` for texts that are in memory, each with the path that diagnostics give it.
    package func compile(texts: [(path: String, text: String)]) -> CompiledSources {
        compile(texts.map { SourceScanner.scan(Array($0.text.utf8), path: $0.path) })
    }

    private func compile(_ sources: [ScannedSource]) -> CompiledSources {
        let entities = EntityTable(
            models: models.compactMap(Self.model), others: otherModels.compactMap(Self.model))
        let own = SourceModule(name: module, sources: sources + [entities.generatedSource])
        let library = ModuleLibrary(own: own, load: dependency)
        return CompiledSources(sources, of: library, entities: entities)
    }

    private func dependency(_ name: String) -> SourceModule? {
        guard let dependency = dependencies.first(where: { $0.module == name }) else { return nil }
        let files = Self.files(in: dependency.directory)
        let sources = files.filter { $0.pathExtension == "swift" }.compactMap { url in
            (try? Data(contentsOf: url)).map { SourceScanner.scan(Array($0), path: url.path) }
        }
        let models = files.filter { ["xcdatamodeld", "xcdatamodel"].contains($0.pathExtension) }
        let entities = EntityTable(models: models.compactMap(Self.model))
        return SourceModule(name: name, sources: sources + [entities.generatedSource])
    }

    /// The current version of a document. One that can't be read is reported where it is compiled.
    private static func model(at url: URL) -> Model? { try? ModelDocumentFolder(contentsOf: url).model() }

    /// What is in a folder, hidden files and the insides of documents left out.
    private static func files(in directory: URL) -> [URL] {
        let enumerator = FileManager.default.enumerator(
            at: directory, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
        var files: [URL] = []
        while let url = enumerator?.nextObject() as? URL {
            if ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension) { enumerator?.skipDescendants() }
            files.append(url)
        }
        return files.sorted { $0.path < $1.path }
    }
}

extension EntityTable {
    /// - Parameters:
    ///   - models: Those of the target itself, which classes are generated from.
    ///   - others: Those of other targets. Their entities may have classes here.
    fileprivate init(models: [Model], others: [Model] = []) {
        self.init()
        // Of a model that is too large to compile, which its own compilation tells, nothing is known.
        for (index, model) in (models + others).enumerated() where model.excess == nil {
            let lines = EntityLines(model)
            for (position, entity) in model.entities.enumerated() {
                guard let name = entity.ownClass?.className else { continue }
                add(name, slots: lines.layouts[position].slots)
                if index < models.count, entity.codeGeneration == .classDefinition {
                    let superclass = lines.classesAbove[position].flatMap { model.entities[$0].ownClass?.className }
                    addGenerated(name, superclass: superclass)
                }
            }
        }
    }
}
