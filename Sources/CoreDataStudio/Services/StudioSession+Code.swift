import Foundation
import ModelCompiler
import ModelDocument

extension StudioSession {
    /// The Swift class of an entity, as the generator writes it.
    func code(ofEntity id: ElementID) throws -> JSON {
        let location = try document.location(of: id, .entity)
        let entity = document.model(location).entities[location.place.index]
        let (file, problems) = ModelCompiler(module: document.document.name)
            .classText(ofEntity: entity.name, in: document.model(location))
        var sentences = problems
        if file == nil, problems.isEmpty {
            sentences = ["The entity has no class of its own: its objects are NSManagedObject. Name a class for it."]
        }
        return [
            "files": .array([file].compactMap { $0 }.map { ["name": .text($0.name), "text": .text($0.text)] }),
            "problems": .array(sentences.map(JSON.text)),
        ]
    }

    /// Code that carries out a fetch request.
    func snippet(forRequest id: ElementID) throws -> JSON {
        let location = try document.location(of: id, .fetchRequest)
        let model = document.model(location)
        let request = model.fetchRequests[location.place.index]
        let text = ModelCompiler(module: document.document.name).snippet(forFetchRequest: request.name, in: model)
        guard let text else {
            throw StudioError(.invalidEdit, "The fetch request “\(request.name)” is of no entity of the model.")
        }
        return ["text": .text(text)]
    }

    /// What code is to be generated, and where to.
    struct GenerateRequest: Sendable, Decodable {
        var folder: String
        var module: String?
        var includesManual: Bool?
        var version: ElementID?
    }

    /// Writes the classes of a version into a folder.
    ///
    /// - Throws: `outsideOfFolder` for a folder that is not below the document's, `foreignFile` if a file that was not
    ///   generated from this model would be replaced; nothing is written then.
    func generate(_ request: GenerateRequest) throws -> JSON {
        let folder = try confined(request.folder)
        let index = document.trees.firstIndex { $0.id == request.version ?? document.currentVersion } ?? 0
        let version = document.document.versions[index]
        let name = document.document.name
        let files: [GeneratedFile]
        do {
            files = try ModelCompiler(module: request.module.flatMap { $0.isEmpty ? nil : $0 } ?? name).classFiles(
                of: version.model, modelName: name, versionName: version.name, path: url.path,
                includesManual: request.includesManual ?? false)
        } catch { throw StudioError(error) }
        return try GeneratedFolder(url: folder, modelName: name).write(files)
    }

    /// The folder of that path, which lies below the one that the document is in, also where links lead.
    private func confined(_ path: String) throws -> URL {
        let root = folder.resolvingSymlinksInPath().standardizedFileURL
        let isPlain = !path.hasPrefix("/") && !path.unicodeScalars.contains { $0.value < 0x20 }
        let parts = path.split(separator: "/").map(String.init)
        guard isPlain, !parts.contains("..") else { throw Self.outside(path) }
        var place = root
        for part in parts where part != "." { place.append(path: part) }
        let existing = place.nearestExisting.resolvingSymlinksInPath().standardizedFileURL
        guard existing.path == root.path || existing.path.hasPrefix(root.path + "/") else { throw Self.outside(path) }
        // A model is no place for code.
        guard !place.pathComponents.contains(where: { $0.hasSuffix(".xcdatamodeld") || $0.hasSuffix(".xcdatamodel") })
        else { throw Self.outside(path) }
        return place
    }

    private static func outside(_ path: String) -> StudioError {
        StudioError(
            .outsideOfFolder, "‘\(path)’ is not below the folder that the model is in; code is written only there.")
    }
}

extension URL {
    /// The place itself, or the nearest above it that is there.
    fileprivate var nearestExisting: URL {
        var url = self
        while !FileManager.default.fileExists(atPath: url.path), url.pathComponents.count > 1 {
            url.deleteLastPathComponent()
        }
        return url
    }
}

/// A folder of generated code.
private struct GeneratedFolder {
    var url: URL
    var modelName: String

    /// Writes what is new or otherwise, and removes what was generated before and no longer is.
    func write(_ files: [GeneratedFile]) throws -> JSON {
        for file in files {
            guard let text = text(of: file.name) else { continue }
            guard GeneratedFile.isGenerated(text, fromModel: modelName) else {
                throw StudioError(
                    .foreignFile,
                    "\(file.name) is there and was not generated from this model; it would be lost. Move it, or choose another folder."
                )
            }
        }
        let changed = files.filter { text(of: $0.name) != $0.text }
        let stale = names.filter { name in
            !files.contains { $0.name == name }
                && text(of: name).map { GeneratedFile.isGenerated($0, fromModel: modelName) } == true
        }
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            for file in changed {
                try Data(file.text.utf8).write(to: url.appending(path: file.name), options: .atomic)
            }
            for name in stale { try FileManager.default.removeItem(at: url.appending(path: name)) }
        } catch {
            throw StudioError(.unwritableFile, "\(url.path) can't be written: \(error.localizedDescription)")
        }
        let unchanged = files.map(\.name).filter { name in !changed.contains { $0.name == name } }
        return [
            "folder": .text(url.path), "written": .array(changed.map { .text($0.name) }),
            "removed": .array(stale.map(JSON.text)), "unchanged": .array(unchanged.map(JSON.text)),
        ]
    }

    private var names: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        return names.filter { $0.hasSuffix(".swift") }.sorted()
    }

    private func text(of name: String) -> String? {
        (try? Data(contentsOf: url.appending(path: name))).map { String(decoding: $0, as: UTF8.self) }
    }
}
