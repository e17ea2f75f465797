import CoreData
import Foundation
import MappingDocument
import ModelArchive
import StoreBrowsing

/// A mapping model in a file: a document of Xcode's, or a compiled one.
struct MappingFile {
    let compiled: CompiledMapping
    let mapping: NSMappingModel

    /// - Parameter versions: The models that a document is compiled with.
    /// - Throws: ``CommandFailure``.
    init(_ path: String, _ versions: StoreVersions) throws {
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure(.missingFile, "There is no file at \(path).")
        }
        compiled = try ModelAtPath.reporting { try Self.compiled(URL(fileURLWithPath: path), versions) }
        mapping = try ModelAtPath.reporting { [compiled] in try NSMappingModel(compiled) }
    }

    private static func compiled(_ url: URL, _ versions: StoreVersions) throws -> CompiledMapping {
        switch url.pathExtension.lowercased() {
        case "xcmappingmodel":
            let document = try MappingModel(XMLStoreDocument(contentsOf: url))
            return try CompiledMapping(
                document, source: versions.sourceDocument, destination: versions.destinationDocument)
        case "cdm":
            let data = try Data(contentsOf: url)
            guard MappingBundleFile.isSigned(data) else { return try CompiledMapping(data) }
            let file = try MappingBundleFile(data: data)
            return try CompiledMapping(
                file.mapping(), source: file.sourceModel(), destination: file.destinationModel())
        default: throw CommandFailure(.foreign, "\(url.path) is neither an .xcmappingmodel nor a .cdm.")
        }
    }
}
