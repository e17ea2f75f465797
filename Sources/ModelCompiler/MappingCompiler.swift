import Foundation
import MappingDocument
import ModelFormat

/// Makes the resource of a mapping document: the document with both of its models.
///
/// The runtime compiles it when a store is migrated. What can be seen without predicates is checked here: that the
/// models are there, and that they have the entities and properties that the document names.
package struct MappingCompiler {
    private let url: URL
    private let models: [URL]

    /// - Parameters:
    ///   - url: An `.xcmappingmodel`.
    ///   - models: The model documents among which the mapping's two versions are looked for.
    package init(documentAt url: URL, models: [URL]) {
        self.url = url
        self.models = models
    }

    /// Compiles the document.
    ///
    /// - Parameter warn: Gets a line about what the document says without an effect, as build systems pick it up.
    /// - Throws: `CompilerError` for a document that can't be read, or that does not fit its models.
    package func compile(warn: (String) -> Void = { _ in }) throws -> MappingBundleFile {
        do {
            let file = url.appending(path: "xcmapping.xml")
            guard let data = try? Data(contentsOf: file) else {
                throw ModelDocumentError(.unreadableFile, "The file is missing, or cannot be read.", url: file)
            }
            let document = try XMLStoreDocument(data: data)
            let mapping = try MappingModel(document)
            for statement in document.unknownStatements { warn("\(file.path): warning: \(statement.message)") }
            let source = try version(at: mapping.sourceModelPath, "source")
            let destination = try version(at: mapping.destinationModelPath, "destination")
            let check = MappingCheck(source: try Model(contents: source), destination: try Model(contents: destination))
            try refuse(check.problems(of: mapping))
            return MappingBundleFile(document: data, source: source, destination: destination)
        } catch let error as ModelDocumentError {
            throw CompilerError(error, documentPath: url.path)
        }
    }

    private func refuse(_ problems: [String]) throws {
        if !problems.isEmpty { throw CompilerError(path: url.path, sentences: problems) }
    }

    /// The `contents` of a version by the path that the document has: `App/League.xcdatamodeld/League 2.xcdatamodel`.
    private func version(at path: String?, _ side: String) throws -> Data {
        guard let path else {
            throw CompilerError(path: url.path, sentences: ["the mapping names no \(side) model"])
        }
        let parts = path.split(separator: "/").map(String.init)
        let version = parts.last.map { URL(filePath: $0).deletingPathExtension().lastPathComponent } ?? ""
        let folder = parts.dropLast().last.flatMap { $0.hasSuffix(".xcdatamodeld") ? $0 : nil } ?? parts.last
        guard let model = models.first(where: { $0.lastPathComponent == folder }) else {
            throw CompilerError(
                path: url.path,
                sentences: ["the \(side) model of the mapping, \(path), is neither in the target nor in its package"])
        }
        return try ModelDocumentFolder(contentsOf: model).contents(ofVersion: version)
    }
}

/// Looks for what a mapping names and its models don't have.
private struct MappingCheck {
    let source: Model
    let destination: Model

    func problems(of mapping: MappingModel) -> [String] {
        let names = Dictionary(grouping: mapping.entityMappings, by: \.effectiveName)
        let doubles = names.filter { $0.value.count > 1 }.keys.sorted()
        return doubles.map { "two entity mappings have the name “\($0)”" } + mapping.entityMappings.flatMap(problems)
    }

    private func problems(of mapping: MappingModel.EntityMapping) -> [String] {
        var problems: [String] = []
        if let name = mapping.sourceName, source.entity(named: name) == nil {
            problems.append("“\(mapping.effectiveName)” maps the entity \(name), which the source model does not have")
        }
        guard let name = mapping.destinationName else { return problems }
        guard destination.entity(named: name) != nil else {
            return problems
                + ["“\(mapping.effectiveName)” maps to the entity \(name), which the destination model does not have"]
        }
        let known = propertyNames(of: name)
        let named = (mapping.attributeMappings + mapping.relationshipMappings).map(\.name)
        return problems
            + named.filter { !known.contains($0) }.map {
                "“\(mapping.effectiveName)” sets \($0), which the entity \(name) does not have"
            }
    }

    /// The names of an entity's attributes and relationships, inherited ones included.
    private func propertyNames(of name: String) -> Set<String> {
        var names: Set<String> = []
        var seen: Set<String> = []
        var next: String? = name
        while let current = next, seen.insert(current).inserted, let entity = destination.entity(named: current) {
            names.formUnion(entity.attributes.map(\.name) + entity.relationships.map(\.name))
            next = entity.parentName
        }
        return names
    }
}
