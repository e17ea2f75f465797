import Foundation
import ModelArchive

/// All objects of a store in the order in which a copy reads them: one entity tree after the other, by their keys.
struct CopiedObjects {
    /// The roots of the entity trees that the store has.
    let roots: [EntityLayout]

    init(of store: any ObjectStore) {
        roots = store.layouts.layouts.filter { $0.parent == nil && store.holds($0) }
    }

    /// Reads all rows page by page.
    ///
    /// - Parameters:
    ///   - place: Where to begin; nil: at the first row.
    ///   - body: Gets the root of a tree and a page of its rows, and tells how many bytes these have.
    ///   - tree: Called at the end of each tree with its last key.
    func forEachPage(
        _ reader: any StoreReader, from place: UnfinishedCopy? = nil,
        _ body: (_ root: EntityLayout, _ rows: [RowSnapshot]) throws -> Int,
        tree: (_ root: EntityLayout, _ last: Int64) throws -> Void
    ) throws {
        let first = roots.firstIndex { $0.name == place?.root } ?? 0
        for index in roots.indices.dropFirst(first) {
            let root = roots[index]
            var key = index == first ? place?.lastKey ?? .min : .min
            var size = PageSize()
            while true {
                let rows = try reader.rows(rootedAt: root, after: key, most: size.count)
                guard let last = rows.last else { break }
                size.adapt(to: try body(root, rows))
                key = last.key
            }
            try tree(root, key)
        }
    }

    /// Reads the members that no row says, page by page.
    func forEachMembers(
        _ reader: any StoreReader, of store: any ObjectStore, from place: UnfinishedCopy? = nil,
        _ body: (_ root: EntityLayout, _ last: Int64, _ count: Int, _ members: CopiedMembers) throws -> Void
    ) throws {
        let first = roots.firstIndex { $0.name == place?.root } ?? 0
        for index in roots.indices.dropFirst(first) {
            let root = roots[index]
            guard root.selfAndDescendants.contains(where: { !CopiedMembers.slots(of: $0).isEmpty }) else { continue }
            var key = index == first ? place?.lastKey ?? .min : .min
            var size = PageSize()
            while true {
                let rows = try reader.rows(rootedAt: root, after: key, most: size.count)
                guard let last = rows.last else { break }
                let members = try CopiedMembers(of: rows, reader, store: store.token.number)
                size.adapt(to: members.byteCount)
                try body(root, last.key, rows.count, members)
                key = last.key
            }
        }
    }
}

/// The digests of a store's rows and members.
struct CopyDigests {
    var rows = CopyDigest()
    var members = CopyDigest()
    /// The digest of the rows at the end of each tree.
    private var trees: [Data] = []

    init() {}

    /// Reads a whole store.
    ///
    /// - Parameter told: Called after each page with the number of its objects.
    init(of store: any ObjectStore, _ objects: CopiedObjects, told: (Int) -> Void) throws {
        var digests = CopyDigests()
        try store.readingSteadily { reader in
            try objects.forEachPage(reader) { _, page in
                let size = try page.reduce(0) { try $0 + digests.rows.add($1, reader) }
                told(page.count)
                return size
            } tree: { _, _ in
                digests.endTree()
            }
            try objects.forEachMembers(reader, of: store) { _, _, _, found in digests.members.add(found) }
        }
        self = digests
    }

    mutating func endTree() { trees.append(rows.value) }

    var values: [Data] { [rows.value, members.value] }

    /// One digest of all.
    var value: Data {
        var all = SHA256Stream()
        values.forEach { all.update($0) }
        return Data(all.digest())
    }

    /// Makes sure that the destination of a copy has what was read of the source.
    ///
    /// - Throws: 134070 with the first entity tree that differs.
    func requireSame(_ written: CopyDigests, _ roots: [EntityLayout]) throws {
        if written.value == value { return }
        let place = zip(roots, zip(trees, written.trees)).first { $1.0 != $1.1 }?.0.name
        let part =
            place.map { "The objects of \($0), or of an entity below it, differ." }
            ?? "The members of a relationship differ."
        throw NSError.cocoa(
            NSPersistentStoreOperationError,
            "The copy is not what was read of the source: \(rows.count) objects with the SHA-256 "
                + "\(value.hexadecimal) were read, and \(written.rows.count) with \(written.value.hexadecimal) are "
                + "in the destination.",
            reason: part)
    }
}

extension Data {
    /// Two digits a byte.
    fileprivate var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
