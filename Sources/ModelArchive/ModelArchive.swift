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

    /// Writes a compiled model, with the classes and keys of Apple's archives. Equal models give equal bytes.
    ///
    /// The result is what a store's model cache holds before compression: entities list inherited properties too.
    ///
    /// - Throws: `CocoaError.fileWriteUnknown` (512) with a sentence that names the property, where a default value or a
    ///   bound is no value of the attribute's type, a predicate can't be parsed, or an entity that is referred to is
    ///   missing.
    package static func write(_ model: Model) throws -> Data {
        try ModelWriter(model).data()
    }
}
