import Foundation
import ModelArchive
import PropertyLists

/// The format of binary stores. It is this framework's own: the article Stores describes it.
struct BinaryFormat: StoreFormat {
    var type: String { NSBinaryStoreType }
    var countsKeysTogether: Bool { false }
    var firstKey: Int64 { 1 }
    var keepsVersions: Bool { true }

    func recognizes(_ head: Data) -> Bool { head.starts(with: BinaryFile.signature) }

    // MARK: Reading

    func label(of file: Data) throws -> StoreLabel { try label(of: BinaryFile(file)) }

    private func label(of file: BinaryFile) throws -> StoreLabel {
        guard var metadata = try? PropertyListValue.foundationValue(of: file.part(.label)) as? [String: Any] else {
            throw DamagedStore("The metadata are no property list.")
        }
        guard let identifier = metadata.removeValue(forKey: NSStoreUUIDKey) as? String, !identifier.isEmpty else {
            throw DamagedStore("The metadata have no UUID.")
        }
        return StoreLabel(identifier: identifier, metadata: metadata)
    }

    func content(of data: Data, _ model: StoreModel) throws -> LoadedStore {
        let file = try BinaryFile(data)
        let tables = try BinaryTables(ByteReader(file.part(.entities)), model.layouts)
        var content = AtomicContent()
        var rows = BinaryRowReader(tables, ByteReader(try file.part(.rows)))
        try rows.read(into: &content)
        var members = BinaryMemberReader(tables, ByteReader(try file.part(.members)))
        try members.read(into: &content)
        for (root, key) in tables.lastKeys { content.noteKey(key, root: root) }
        // The model is written again as it is.
        return LoadedStore(label: try label(of: file), content: content, remainder: try file.part(.model))
    }

    func modelArchive(of file: Data) throws -> Data? { try BinaryFile(file).part(.model) }

    // MARK: Writing

    func data(of store: LoadedStore, _ model: StoreModel) throws -> Data {
        var file = BinaryFile()
        file.parts[.label] = try property(list: store.label)
        file.parts[.model] = try store.remainder as? Data ?? model.archive()
        let writer = BinaryContentWriter(store.content, model.layouts)
        file.parts[.entities] = writer.entities
        file.parts[.rows] = writer.rows
        file.parts[.members] = writer.members
        return file.data
    }

    func data(of file: Data, labelled label: StoreLabel) throws -> Data {
        var file = try BinaryFile(file)
        file.parts[.label] = try property(list: label)
        return file.data
    }

    private func property(list label: StoreLabel) throws -> Data {
        do { return try PropertyListValue(foundation: label.published(type: type)).binary } catch {
            throw UnwritableStore(
                "Metadata may hold strings, numbers, dates, data, and arrays and dictionaries of these.")
        }
    }
}
