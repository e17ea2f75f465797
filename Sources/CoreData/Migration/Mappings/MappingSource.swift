import FoundationGaps
import MappingDocument
import ModelArchive
import ModelFormat

/// A file with a mapping model, whatever its kind: a compiled one, or the resource of a build.
struct MappingSource {
    /// The endings of names of mapping models, those of Xcode's documents among them.
    static let pathExtensions = ["cdm", "xcmappingmodel"]

    private let data: Data

    /// - Throws: What reading the file throws.
    init(contentsOf url: URL) throws { data = try Data(contentsOf: url) }

    /// The mapping model.
    ///
    /// - Throws: `ModelDocumentError`, or a Cocoa error for a damaged archive.
    func compiled() throws -> CompiledMapping {
        guard MappingBundleFile.isSigned(data) else { return try CompiledMapping(data) }
        let resource = try MappingBundleFile(data: data)
        return try CompiledMapping(
            resource.mapping(), source: resource.sourceModel(), destination: resource.destinationModel())
    }
}
