import FoundationGaps

/// 134504: a model reference finds no model with its checksum.
///
/// Opening a store with an ``NSStagedMigrationManager`` throws it, also for a store of a version that is in no stage.
/// ``NSManagedObjectModelReference/resolvedModel`` does not throw it: it traps with the sentence.
public let NSManagedObjectModelReferenceNotFoundError = 134504

/// A model that is found when it is needed, and the checksum that it must have.
///
/// ```swift
/// let reference = NSManagedObjectModelReference(
///     name: "League 2", in: nil, versionChecksum: model.versionChecksum)
/// let league = reference.resolvedModel
/// ```
///
/// An ``NSCustomMigrationStage`` names its models in this way. Old versions need not be loaded before a store asks for
/// them.
open class NSManagedObjectModelReference: NSObject {
    /// The ``NSManagedObjectModel/versionChecksum`` that the model must have.
    ///
    /// It keeps a file that was changed by mistake from being taken for the version that has shipped.
    open var versionChecksum: String { checksum }
    private let checksum: String
    private let source: Source

    private enum Source {
        case model(NSManagedObjectModel)
        case file(URL)
        case name(String, Bundle?)
        case hashes([String: Data], Bundle?)
    }

    /// Makes a reference to a model that is loaded already.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - versionChecksum: The checksum that it must have.
    public init(model: NSManagedObjectModel, versionChecksum: String) {
        source = .model(model)
        checksum = versionChecksum
    }

    /// Makes a reference to a version of the model in a file. Of several versions, the one with the checksum counts.
    ///
    /// - Parameters:
    ///   - fileURL: A file, as for ``NSManagedObjectModel/init(contentsOf:)``.
    ///   - versionChecksum: The checksum that the version must have.
    public init(fileURL: URL, versionChecksum: String) {
        source = .file(fileURL)
        checksum = versionChecksum
    }

    /// Makes a reference to a version by its name, in any model of a bundle.
    ///
    /// - Parameters:
    ///   - modelName: The name of the version, such as `League 2`.
    ///   - bundle: Nil stands for the program's own bundles.
    ///   - versionChecksum: The checksum that the version must have.
    public init(name modelName: String, in bundle: Bundle?, versionChecksum: String) {
        source = .name(modelName, bundle)
        checksum = versionChecksum
    }

    /// Makes a reference to a version by the hashes of its entities, in any model of a bundle.
    ///
    /// - Parameters:
    ///   - versionHash: The version hash of each entity by its name, as
    ///     ``NSManagedObjectModel/entityVersionHashesByName`` has them. All entities must be there.
    ///   - bundle: Nil stands for the program's own bundles.
    ///   - versionChecksum: The checksum that the version must have.
    public init(entityVersionHashes versionHash: [AnyHashable: Any], in bundle: Bundle?, versionChecksum: String) {
        let hashes = versionHash.compactMap { key, value in
            (key.base as? String).flatMap { name in (value as? Data).map { (name, $0) } }
        }
        source = .hashes(Dictionary(hashes) { first, _ in first }, bundle)
        checksum = versionChecksum
    }

    /// The model. Traps if there is none with the checksum.
    ///
    /// The model is looked for, and loaded, at each call: keep it. The message of the trap says where it was looked
    /// for.
    open var resolvedModel: NSManagedObjectModel {
        do {
            return try resolve()
        } catch {
            programmerError((error as NSError).localizedDescription)
        }
    }

    /// The model.
    ///
    /// - Throws: `NSManagedObjectModelReferenceNotFoundError` (134504) if there is none with that checksum.
    package func resolve() throws -> NSManagedObjectModel {
        if let match = candidates().first(where: { $0.versionHashes.checksum == versionChecksum }) { return match }
        throw NSError.cocoa(
            NSManagedObjectModelReferenceNotFoundError,
            "There is no model \(place) with the checksum \(versionChecksum); check the name, and that the old version is still among the resources."
        )
    }

    private func candidates() -> [NSManagedObjectModel] {
        switch source {
        case .model(let model): [model]
        case .file(let url): NSManagedObjectModel.versions(at: url).map(\.model)
        case .name(let name, let bundle):
            ModelFolders.modelURLs(in: bundle.map { [$0] }).flatMap(NSManagedObjectModel.versions)
                .filter { $0.name == name }.map(\.model)
        case .hashes(let hashes, let bundle):
            NSManagedObjectModel.allVersions(in: bundle.map { [$0] }).filter { $0.versionHashes.entities == hashes }
        }
    }

    private var place: String {
        switch source {
        case .model: "at hand"
        case .file(let url): "in \(url.path)"
        case .name(let name, _): "version named \(name)"
        case .hashes: "with the given entity hashes"
        }
    }
}
