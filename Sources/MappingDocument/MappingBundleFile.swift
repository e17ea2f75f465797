import Foundation
import ModelFormat
import PropertyLists

/// The mapping resource that a build puts beside an executable: one file, `NAME.cdm`, with the document and both of its
/// models.
///
/// ```swift
/// let resource = MappingBundleFile(document: mapping, source: oldContents, destination: newContents)
/// try resource.data().write(to: URL(filePath: "League2ToLeague3.cdm"))
/// ```
///
/// Apple's compiled form needs predicates and archives, which a build need not wait for. This one has the documents'
/// own bytes, and the runtime compiles them when a store is migrated.
///
/// The file is a binary property list, an array of:
///
/// 1. the text `swift-coredata mapping`
/// 2. the format's number
/// 3. the bytes of `xcmapping.xml`
/// 4. the bytes of the source version's `contents`
/// 5. the bytes of the destination version's `contents`
package struct MappingBundleFile: Sendable, Hashable {
    /// The number of the format that this release writes.
    package static let formatVersion = 1
    private static let signature = "swift-coredata mapping"

    /// The bytes of the document.
    package var document: Data
    /// The bytes of the `contents` of the version that is mapped from.
    package var source: Data
    /// The bytes of the `contents` of the version that is mapped to.
    package var destination: Data

    /// The bytes are not parsed here.
    package init(document: Data, source: Data, destination: Data) {
        (self.document, self.source, self.destination) = (document, source, destination)
    }

    /// Whether data are a file of this kind, perhaps a damaged one or one of a later format.
    package static func isSigned(_ data: Data) -> Bool {
        (try? PropertyListValue(binary: data).array)?.first?.string == signature
    }

    /// Reads a file's bytes. The documents are parsed later.
    ///
    /// - Throws: `ModelDocumentError` `damagedBundleFile` or `newerBundleFile`.
    package init(data: Data) throws {
        guard let fields = try? PropertyListValue(binary: data).array, fields.count >= 2,
            fields[0].string == Self.signature, case .integer(let format) = fields[1]
        else { throw ModelDocumentError(.damagedBundleFile, "The file is no mapping resource, or damaged.") }
        guard format <= Self.formatVersion else {
            throw ModelDocumentError(
                .newerBundleFile,
                sentence: "The mapping resource has format \(format); this release reads up to \(Self.formatVersion).")
        }
        guard fields.count == 5, let document = fields[2].data, let source = fields[3].data,
            let destination = fields[4].data
        else { throw ModelDocumentError(.damagedBundleFile, "The mapping resource lacks its documents.") }
        self.init(document: document, source: source, destination: destination)
    }

    /// The file's bytes. The same value always gives the same bytes.
    package func data() -> Data {
        let fields: [PropertyListValue] = [
            .string(Self.signature), .integer(Int64(Self.formatVersion)), .data(document), .data(source),
            .data(destination),
        ]
        return PropertyListValue.array(fields).binary
    }

    /// The mapping.
    ///
    /// - Throws: `ModelDocumentError` for damaged bytes.
    package func mapping() throws -> MappingModel { try MappingModel(XMLStoreDocument(data: document)) }

    /// The model that is mapped from.
    ///
    /// - Throws: `ModelDocumentError` for damaged bytes.
    package func sourceModel() throws -> Model { try Model(contents: source) }

    /// The model that is mapped to.
    ///
    /// - Throws: `ModelDocumentError` for damaged bytes.
    package func destinationModel() throws -> Model { try Model(contents: destination) }
}
