import Foundation
import ModelFormat

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
    /// - Parameters:
    ///   - data: The bytes of a `.mom` file, or of a store's model cache after decompression.
    ///   - notes: Where the reader says which parts it left out because it does not know them. Without notes it throws
    ///     instead.
    /// - Throws: `CocoaError.fileReadCorruptFile` (259) with a sentence where the data is no compiled model or is
    ///   damaged; without notes, also for parts that the reader does not know. Time and memory are bounded by the
    ///   data's size.
    package static func read(_ data: Data, leavingOut notes: ReadingNotes? = nil) throws -> Model {
        try ModelReader(data, notes: notes).model()
    }

    /// Where a compiled model is kept; the two kinds differ in what entities list.
    package enum Form: Sendable, Hashable, CaseIterable {
        /// A `.mom` file, as Xcode's model compiler writes it: an entity lists its own properties.
        case file
        /// A store's model cache before compression, as the framework writes it: an entity lists inherited properties
        /// too, each a copy of its own.
        case modelCache
    }

    /// Writes a compiled model, with the classes and keys of Apple's archives. Equal models give equal bytes.
    ///
    /// The archive of a file lacks `CDMCompilerToolVersion` and `CDMCompilerXcodeVersion`, which say which Xcode
    /// compiled it.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - form: What the archive is for.
    /// - Throws: `CocoaError.fileWriteUnknown` (512) with a sentence that names the property, where a default value or
    ///   a bound is no value of the attribute's type, a predicate can't be parsed, or an entity that is referred to is
    ///   missing.
    package static func write(_ model: Model, as form: Form) throws -> Data {
        try ModelWriter(model, form).data()
    }
}
