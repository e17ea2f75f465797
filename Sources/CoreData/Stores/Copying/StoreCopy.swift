import Foundation

/// Copies all rows and relationships of a store into a new one of any kind, in one transaction. Keys and versions stay
/// as they are.
///
/// The new rows are in memory together: it is for stores that have them there anyway. Others are filled by
/// ``PagedCopy``.
package struct StoreCopy {
    private let source: any ObjectStore
    private let target: any ObjectStore
    private let layouts: ModelLayout

    package init(from source: any ObjectStore, to target: any ObjectStore) {
        (self.source, self.target, layouts) = (source, target, source.layouts)
    }

    /// - Throws: 516 where there is a file already.
    static func requireFree(_ url: URL) throws {
        if try !StoreFile(url).isFree { throw taken(url) }
    }

    static func taken(_ url: URL) -> NSError {
        .cocoa(
            CocoaError.Code.fileWriteFileExists.rawValue,
            "There is a file at “\(url.path)” already; destroy the store there, or choose another place.",
            userInfo: [NSFilePathErrorKey: url.path])
    }

    /// Copies everything in one save of the target, the metadata included.
    ///
    /// - Parameter prepare: Called with all objects before they are copied.
    package func run(_ prepare: ([ObjectReference]) throws -> Void = { _ in }) throws {
        let references = try layouts.layouts.flatMap { try allReferences(of: $0) }
        try reserveKeys(references)
        try prepare(references)
        let rows = CopiedRows(references, source)
        var changes = StoreChanges()
        changes.inserts = RowChanges(count: references.count) { try rows.change($0) }
        target.metadata = source.metadata.filter { !Self.ownMetadata.contains($0.key) }
        _ = try target.save(changes)
    }

    /// Reads both stores, and makes sure that they have the same.
    ///
    /// - Throws: 134070 where they differ.
    package func compare(_ told: (StoreCopyProgress) -> Void) throws -> StoreCopyReport {
        let objects = CopiedObjects(of: source)
        var (read, written) = (0, 0)
        let old = try CopyDigests(of: source, objects) {
            read += $0
            told(StoreCopyProgress(activity: .readingAgain, done: read, total: read))
        }
        let new = try CopyDigests(of: target, objects) {
            written += $0
            told(StoreCopyProgress(activity: .comparing, done: written, total: read))
        }
        try old.requireSame(new, objects.roots)
        return StoreCopyReport(objectCount: read, digest: old.value, isContinued: false)
    }

    /// What the target says of itself.
    static let ownMetadata: Set<String> = [NSStoreUUIDKey, NSStoreTypeKey, "_NSAutoVacuumLevel"]

    private func allReferences(of layout: EntityLayout) throws -> [ObjectReference] {
        guard !layout.isAbstract, source.holds(layout) else { return [] }
        var fetch = StoreFetch(entity: layout, output: .references)
        fetch.includesSubentities = false
        guard case .references(let found) = try source.fetch(fetch) else { return [] }
        return found
    }

    /// Keeps the target from giving keys that the source has given, also those of objects that are deleted.
    private func reserveKeys(_ references: [ObjectReference]) throws {
        var highest: [Int32: Int64] = [:]
        for reference in references {
            let root = layouts.rootNumber(of: reference.entity)
            highest[root] = max(reference.key, highest[root] ?? 0)
        }
        for layout in layouts.layouts where layout.parent == nil && source.holds(layout) {
            var last = highest[layout.number] ?? 0
            if !source.isReadOnly { last = max(last, try source.allocateKeys(for: layout, count: 1) - 1) }
            if last > 0 { _ = try target.allocateKeys(for: layout, count: Int(last)) }
        }
    }
}

extension ObjectStore {
    /// Whether the store's configuration has the entity, or one below it.
    func holds(_ layout: EntityLayout) -> Bool {
        guard let name = namedConfiguration, let model = layout.entity.modelStorage else { return true }
        let names = Set(model.entities(forConfigurationName: name)?.compactMap(\.name) ?? [])
        return layout.selfAndDescendants.contains { names.contains($0.name) }
    }
}

/// The rows of a store as insertions, read in pieces as they are asked for.
private final class CopiedRows {
    private static let size = 512

    private let references: [ObjectReference]
    private let source: any ObjectStore
    /// The piece at hand, which begins at this place.
    private var piece: [RowChange] = []
    private var start = 0

    init(_ references: [ObjectReference], _ source: any ObjectStore) {
        (self.references, self.source) = (references, source)
    }

    func change(_ index: Int) throws -> RowChange {
        if !(start..<start + piece.count).contains(index) { try read(at: index) }
        return piece[index - start]
    }

    /// Reads the piece that begins at a place: objects of one entity.
    private func read(at index: Int) throws {
        let layout = source.layouts[references[index].entity]
        let end = min(index + Self.size, references.count)
        let keys = references[index..<end].prefix(while: { $0.entity == layout.number }).map(\.key)
        let rows = Dictionary(
            try source.rows(rootedAt: source.layouts[layout.rootNumber], keys: keys).map { ($0.key, $0) },
            uniquingKeysWith: { first, _ in first })
        let members = try layout.toManySlots.filter { !$0.isTransient && ToManyKey($0, in: layout).needsList }.map {
            slot in
            (slot, try lists(of: keys, layout, slot))
        }
        start = index
        piece = try keys.map { key in
            guard let row = rows[key] else {
                throw NSError.cocoa(
                    NSPersistentStoreOperationError, "The store can't be copied: an object of \(layout.name) vanished.")
            }
            return try change(row, members)
        }
    }

    private func lists(
        of keys: [Int64], _ layout: EntityLayout, _ slot: PropertySlot
    ) throws -> [Int64: [ObjectReference]] {
        let found = try source.members(ofAll: keys, in: layout, slot: slot)
        return Dictionary(
            found.runs.map { ($0.source, Array(found.references[$0.members])) }, uniquingKeysWith: { $0 + $1 })
    }

    private func change(
        _ row: RowSnapshot, _ members: [(slot: PropertySlot, lists: [Int64: [ObjectReference]])]
    ) throws -> RowChange {
        let layout = row.layout
        let values = ChangeRecord.make(slotCount: layout.slots.count)
        for slot in layout.slots where slot.isStoredInRow {
            values[slot.index] = try value(of: slot, row)
        }
        values.keepVersion(row.version)
        let changes = members.compactMap { slot, lists -> MemberChange? in
            guard let members = lists[row.key], !members.isEmpty else { return nil }
            return MemberChange(
                slot: slot, added: members, removed: [], order: slot.kind == .orderedToMany ? members : nil)
        }
        return RowChange(
            reference: ObjectReference(key: row.key, entity: layout.number, store: source.token.number), layout: layout,
            snapshot: nil, values: values, members: changes)
    }

    private func value(of slot: PropertySlot, _ row: RowSnapshot) throws -> Slot {
        let value = row.value(of: slot, store: source.token.number)
        guard slot.isExternal, case .data(let raw) = value else { return value }
        return try source.externalData(raw).map { .data($0) } ?? .null
    }
}
