import Foundation
import MappingDocument
import ModelArchive
import ModelFormat
import PropertyLists

/// The XML stores of Apple's framework.
struct XMLFormat: StoreFormat {
    var type: String { NSXMLStoreType }
    var countsKeysTogether: Bool { true }
    /// Apple's framework calls the first object z102.
    var firstKey: Int64 { 102 }
    var keepsVersions: Bool { false }

    func recognizes(_ head: Data) -> Bool {
        let text = String(decoding: head, as: UTF8.self)
        return text.hasPrefix("<?xml") || text.hasPrefix("\u{FEFF}<?xml")
    }

    // MARK: Reading

    func label(of file: Data) throws -> StoreLabel { try label(of: document(file)) }

    private func document(_ file: Data) throws -> XMLStoreDocument {
        do { return try XMLStoreDocument(data: file, limits: .stores) } catch let error as ModelDocumentError {
            throw DamagedStore("\(error.message) (\(error))")
        }
    }

    private func label(of document: XMLStoreDocument) throws -> StoreLabel {
        guard !document.identifier.isEmpty else { throw DamagedStore("It has no UUID.") }
        return StoreLabel(identifier: document.identifier, metadata: document.metadata.mapValues(\.object))
    }

    func content(of file: Data, _ model: StoreModel) throws -> LoadedStore {
        let document = try document(file)
        let content = try XMLContentReader(document, XMLNames(model.layouts)).content()
        return LoadedStore(label: try label(of: document), content: content, remainder: XMLSkeleton(of: document))
    }

    /// An XML store has no model.
    func modelArchive(of file: Data) throws -> Data? {
        _ = try label(of: file)
        return nil
    }

    // MARK: Writing

    func data(of store: LoadedStore, _ model: StoreModel) throws -> Data {
        let skeleton = store.remainder as? XMLSkeleton
        // Names that can't be told apart are found before anything is written.
        _ = try XMLNames(model.layouts)
        let writer = XMLContentWriter(store.content, skeleton)
        var document = skeleton?.document ?? XMLStoreDocument()
        document.objects = try writer.objects()
        let last = store.content.lastKeys.values.max() ?? firstKey
        document.nextObjectID = max(document.nextObjectID, Int(last))
        return try data(of: document, labelled: store.label)
    }

    func data(of file: Data, labelled label: StoreLabel) throws -> Data {
        try data(of: document(file), labelled: label)
    }

    private func data(of document: XMLStoreDocument, labelled label: StoreLabel) throws -> Data {
        var document = document
        document.identifier = label.identifier
        document.metadata = try Model.UserInfoValue.entries(
            of: label.metadata.filter { $0.key != NSStoreTypeKey && $0.key != NSStoreUUIDKey })
        do { return try document.data() } catch let error as ModelDocumentError { throw UnwritableStore(error.message) }
    }
}

extension Model.UserInfoValue {
    /// Metadata as the document has them.
    ///
    /// - Throws: ``UnwritableStore`` for a value that no property list can hold.
    fileprivate static func entries(of metadata: [String: Any]) throws -> [String: Model.UserInfoValue] {
        guard (try? PropertyListValue(foundation: metadata)) != nil else {
            throw UnwritableStore(
                "Metadata may hold strings, numbers, dates, data, and arrays and dictionaries of these.")
        }
        return metadata.compactMapValues { Model.UserInfoValue($0) }
    }
}
