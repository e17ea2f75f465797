import CoreData
import Foundation
import ModelDocument
import StoreBrowsing
import StoreInspection

/// A mapping model that is to be made of two versions.
struct NewMappingRequest: Sendable, Decodable {
    /// The names of the versions.
    var source: String
    var destination: String
    /// The file's name, without its ending.
    var name: String
}

extension MappingSession {
    /// Makes a mapping model of what is inferred from two versions. It comes to the disk when it is saved.
    ///
    /// - Parameters:
    ///   - document: The `.xcdatamodeld` that both versions are in.
    /// - Returns: The session, and what could not be inferred, a sentence each.
    /// - Throws: `invalidRequest`, `invalidEdit`.
    static func infer(
        _ request: NewMappingRequest, from document: URL
    ) throws -> (session: MappingSession, leftOpen: [String]) {
        let url = document.deletingLastPathComponent().appending(path: try fileName(request.name))
        guard !FileManager.default.fileExists(atPath: url.path) else {
            throw StudioError(.invalidRequest, "\(url.lastPathComponent) is there already. Choose another name.")
        }
        do {
            let folder = try ModelDocumentFolder(contentsOf: document)
            let inferred = InferredMapping(
                from: try plainModel(request.source, folder), to: try plainModel(request.destination, folder))
            var mapping = try MappingModel(inferred)
            let path = ModelFinder(mapping: url, documents: [document]).path(of: document)
            mapping.sourceModelPath = "\(path)/\(request.source).xcdatamodel"
            mapping.destinationModelPath = "\(path)/\(request.destination).xcdatamodel"
            let session = try MappingSession(new: url, mapping, documents: [document])
            return (session, InferenceObstacle.sentences(inferred.obstacles))
        } catch let error as ModelDocumentError {
            throw StudioError(error)
        } catch let error as StudioError {
            throw error
        } catch { throw StudioError(.invalidEdit, ToolFailure(error).message) }
    }

    private static func fileName(_ name: String) throws -> String {
        guard let name = MappingField.given(name), !name.hasPrefix("."), name.utf8.count < 200,
            !name.unicodeScalars.contains(where: { $0 == "/" || $0.value < 32 })
        else { throw StudioError(.invalidRequest, "A mapping model needs a name without slashes.") }
        return name.hasSuffix(".xcmappingmodel") ? name : name + ".xcmappingmodel"
    }

    private static func plainModel(_ version: String, _ folder: ModelDocumentFolder) throws -> NSManagedObjectModel {
        guard folder.versionNames.contains(version) else {
            throw StudioError(.invalidRequest, "\(folder.name) has no version \(version.prefix(80)).")
        }
        return try NSManagedObjectModel(document: try folder.model(version: version).withoutClasses)
    }
}
