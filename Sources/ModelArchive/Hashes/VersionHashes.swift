import Foundation
import ModelFormat

/// The fingerprints by which stores and models recognise each other: Apple's framework opens a store only with a model
/// that gives its entities the hashes that the store's metadata holds.
///
/// A hash covers what decides how an entity is stored: names, types, optionality, relationships, inheritance,
/// uniqueness. Default values, validation, user info, class names, delete rules and indexes have no part in it.
package struct VersionHashes: Sendable, Hashable {
    /// The 32 bytes of each entity's hash, by the entity's name.
    package let entities: [String: Data]
    /// What a store's metadata holds as `NSStoreModelVersionHashesDigest`: Base64 of a SHA-512 over names and hashes.
    package let digest: String
    /// What a store's metadata holds as `NSStoreModelVersionChecksumKey`: Base64 of a SHA-256 over the hashes.
    package let checksum: String

    /// Computes the hashes of all entities of a model.
    ///
    /// - Throws: `CocoaError.fileReadCorruptFile` (259) with a sentence where an entity is there twice, its parents end
    ///   in no entity or in a circle, or a composite attribute has no definition or contains itself.
    package init(_ model: Model) throws {
        self.init(entities: try EntityHasher(model).hashes())
    }

    /// Digest and checksum of entities with known hashes.
    package init(entities: [String: Data]) {
        self.entities = entities
        let sorted = entities.sorted { precedes($0.key, $1.key) }
        digest = Data(Digest.sha512(sorted.flatMap { Array($0.key.utf8) + $0.value })).base64EncodedString()
        checksum = Data(Digest.sha256(sorted.flatMap(\.value))).base64EncodedString()
    }
}

/// Whether a name comes first by code points: the order in which hashes take names.
func precedes(_ first: String, _ second: String) -> Bool {
    first.utf8.lexicographicallyPrecedes(second.utf8)
}
