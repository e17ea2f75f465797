import FoundationGaps

/// The versions that stages list, from old to new, and the way from one to another.
struct StagedPath {
    /// A version.
    struct Version {
        let checksum: String
        /// Where the model is; nil: it is looked for by its checksum.
        var reference: NSManagedObjectModelReference?
        /// The stage that leads to the next version; nil: the way there is inferred.
        var stage: NSCustomMigrationStage?
    }

    private(set) var versions: [Version] = []

    init(_ stages: [NSMigrationStage]) {
        for stage in stages {
            if let stage = stage as? NSCustomMigrationStage {
                add(Version(checksum: stage.currentModel.versionChecksum, reference: stage.currentModel, stage: stage))
                add(Version(checksum: stage.nextModel.versionChecksum, reference: stage.nextModel))
            } else if let stage = stage as? NSLightweightMigrationStage {
                stage.versionChecksums.forEach { add(Version(checksum: $0)) }
            }
        }
    }

    /// A version that one stage ends with and the next one begins with is one.
    private mutating func add(_ version: Version) {
        guard let last = versions.last, last.checksum == version.checksum else { return versions.append(version) }
        versions[versions.count - 1].reference = last.reference ?? version.reference
        versions[versions.count - 1].stage = last.stage ?? version.stage
    }

    /// The versions from that of a store to the one that is wanted, both included.
    ///
    /// - Throws: 134504 where the store's version is in no stage; 134506 where the way leads back.
    func way(from stored: String, to wanted: String) throws -> [Version] {
        guard let start = versions.lastIndex(where: { $0.checksum == stored }) else {
            throw NSError.cocoa(
                NSManagedObjectModelReferenceNotFoundError,
                "Cannot use staged migration with an unknown model version.",
                reason: "The store's version has the checksum \(stored), which is in no stage.")
        }
        if let end = versions[start...].firstIndex(where: { $0.checksum == wanted }) {
            return Array(versions[start...end])
        }
        guard !versions.contains(where: { $0.checksum == wanted }) else {
            throw NSError.cocoa(
                NSStagedMigrationBackwardMigrationError,
                "A store file cannot be migrated backwards with staged migration.",
                reason:
                    "The wanted version has the checksum \(wanted), which the stages list before the store's \(stored)."
            )
        }
        return versions[start...] + [Version(checksum: wanted)]
    }
}
