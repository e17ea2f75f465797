import Foundation
import ModelDocument

/// Compiled models: the keyed archives that Xcode puts into a `.mom` file and that Core Data caches inside a store.
///
/// ```swift
/// let model = try ModelArchive.read(Data(contentsOf: URL(filePath: "League.momd/League.mom")))
/// let hashes = try VersionHashes(model)
/// ```
package enum ModelArchive {
    /// Reads a compiled model.
    ///
    /// Entities, properties, templates and configurations come sorted by their names, as the archive's order is one of
    /// chance.
    ///
    /// - Parameter data: The bytes of a `.mom` file, or of a store's model cache after decompression.
    /// - Throws: `CocoaError.fileReadCorruptFile` (259) with a sentence where the data is no compiled model, is damaged,
    ///   or holds objects that no model has. Time and memory are bounded by the data's size.
    package static func read(_ data: Data) throws -> Model {
        try ModelReader(data).model()
    }
}
