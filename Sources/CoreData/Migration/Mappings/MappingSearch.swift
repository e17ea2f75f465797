import FoundationGaps
import MappingDocument
import ModelArchive
import ModelFormat

/// Looks for the mapping model from one model to another.
struct MappingSearch {
    private let source: NSManagedObjectModel
    private let destination: NSManagedObjectModel
    private let sourceHashes: [String: Data]
    private let destinationHashes: [String: Data]

    init(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) {
        (self.source, self.destination) = (source, destination)
        (sourceHashes, destinationHashes) = (source.entityVersionHashesByName, destination.entityVersionHashesByName)
    }

    /// The first mapping model in some bundles that fits; nil stands for the program's own.
    func mapping(in bundles: [Bundle]?) -> NSMappingModel? {
        for url in ModelFolders.urls(in: bundles, withExtensions: MappingSource.pathExtensions) {
            do {
                if let found = try mapping(at: url, bundles) { return try NSMappingModel(found) }
            } catch {
                NSManagedObjectModel.warn("The mapping model \(url.path) can't be loaded: \(error.readableReason)")
            }
        }
        return nil
    }

    /// The mapping model of a file if it fits.
    private func mapping(at url: URL, _ bundles: [Bundle]?) throws -> CompiledMapping? {
        if url.pathExtension == "xcmappingmodel" { return try document(at: url, bundles) }
        let mapping = try MappingSource(contentsOf: url).compiled()
        return fits(mapping) ? mapping : nil
    }

    /// Whether all hashes that a mapping model has are those of the two models.
    private func fits(_ mapping: CompiledMapping) -> Bool {
        !mapping.entityMappings.isEmpty
            && mapping.entityMappings.allSatisfy { mapping in
                Self.fits(mapping.sourceEntityName, mapping.sourceEntityVersionHash, sourceHashes)
                    && Self.fits(mapping.destinationEntityName, mapping.destinationEntityVersionHash, destinationHashes)
            }
    }

    private static func fits(_ name: String?, _ hash: Data?, _ hashes: [String: Data]) -> Bool {
        guard let name else { return true }
        return hash != nil && hashes[name] == hash
    }

    // MARK: Documents

    /// The mapping of a document that was not compiled. It names its two versions, and has no hashes.
    private func document(at url: URL, _ bundles: [Bundle]?) throws -> CompiledMapping? {
        let document = try MappingModel(XMLStoreDocument(contentsOf: url))
        guard isVersion(source, at: document.sourceModelPath, in: bundles),
            isVersion(destination, at: document.destinationModelPath, in: bundles)
        else { return nil }
        return try CompiledMapping(document, source: source.document, destination: destination.document)
    }

    /// Whether a model is that which a document names: `App/League.xcdatamodeld/League 2.xcdatamodel`.
    private func isVersion(_ model: NSManagedObjectModel, at path: String?, in bundles: [Bundle]?) -> Bool {
        guard let path else { return false }
        let version = URL(filePath: path).deletingPathExtension().lastPathComponent
        return ModelFolders.modelURLs(in: bundles).flatMap(NSManagedObjectModel.versions)
            .contains { $0.name == version && $0.model.entityVersionHashesByName == model.entityVersionHashesByName }
    }
}

extension Error {
    /// The sentence of an error that reading a model or a mapping ended in.
    var readableReason: String {
        (self as? ModelDocumentError)?.message ?? (self as NSError).localizedDescription
    }
}
