import Foundation

@testable import CoreData

/// Makes the store below one that coordinators can add.
final class DictionaryStoreRegistration: NSObject, TestedStore {
    static func register() -> String {
        StoreKinds.register(DictionaryStoreKind(), type: DictionaryStore.type)
        return DictionaryStore.type
    }
}

/// A store of rows in dictionaries, in memory: proof that a coordinator and its contexts know nothing of SQLite.
///
/// Stores with the same URL share their content, as two openings of one file do.
final class DictionaryStore: NSPersistentStore, ObjectStore, @unchecked Sendable {
    // Unchecked: the content is used under its lock.

    static let type = "Dictionaries"

    let layouts: ModelLayout
    var writeLock = NSRecursiveLock()
    private let model: StoreModel
    private var content: DictionaryContent
    /// What reading members throws; nil: it succeeds.
    var failureOfMembers: (any Error)?

    init(_ model: StoreModel, _ configurationName: String?, _ url: URL?, _ options: [AnyHashable: Any]?) {
        layouts = model.layouts
        self.model = model
        content = DictionaryContent.at(url, metadata: model.metadata())
        super.init(configurationName: configurationName, url: url, options: options)
        token.identifier = content.identifier
    }

    override var type: String { Self.type }

    override var metadata: [String: Any]! {
        get {
            content.locked { $0.metadata }.merging([NSStoreUUIDKey: content.identifier, NSStoreTypeKey: type]) { $1 }
        }
        set { content.locked { $0.metadata = newValue } }
    }

    var hasUnsavedMetadata: Bool { false }

    func reopen(at url: URL, model: StoreModel) throws {
        content = DictionaryContent.at(url, metadata: model.metadata())
        self.url = url
    }

    func close() throws {}

    func externalData(_ raw: Data) throws -> Data? { raw }

    func allocateKeys(for entity: EntityLayout, count: Int) throws -> Int64 {
        content.locked { content in
            let first = content.lastKeys[entity.rootNumber, default: 0] + 1
            content.lastKeys[entity.rootNumber] = first + Int64(count) - 1
            return first
        }
    }

    // MARK: Reading

    func fetch(_ fetch: StoreFetch) throws -> StoreFetchResult {
        let layout = fetch.entity
        let last = layout.number + Int32(fetch.includesSubentities ? layout.descendantCount : 0)
        let rows = content.locked { $0.rows(of: layout.rootNumber) }
            .filter { (layout.number...last).contains($0.layout.number) }
        let graph = RowGraph(self, layouts, token: token) { [unowned self] in objectID(at: $0) }
        return try RowFetch(fetch: fetch, graph: graph).result(of: rows)
    }

    func row(rootedAt root: EntityLayout, key: Int64) throws -> Unmanaged<RowSnapshot>? {
        content.locked { $0.trees[root.number]?[key].map { .passRetained($0) } }
    }

    func rows(rootedAt root: EntityLayout, keys: [Int64]) throws -> [RowSnapshot] {
        content.locked { content in keys.compactMap { content.trees[root.number]?[$0] } }
    }

    func rows(_ part: RowPart, keys: [Int64]) throws -> [RowSnapshot] {
        try rows(rootedAt: layouts[part.entity.rootNumber], keys: keys)
    }

    func members(of source: ObjectReference, slot: PropertySlot) throws -> [ObjectReference] {
        if let failureOfMembers { throw failureOfMembers }
        return content.locked { content in
            content.members(of: source.key, DictionaryRelationship(slot, in: layouts[source.entity]), token.number)
        }
    }

    func members(ofAll sources: [Int64], in layout: EntityLayout, slot: PropertySlot) throws -> StoreMembers {
        if let failureOfMembers { throw failureOfMembers }
        let members = StoreMembers()
        content.locked { content in
            for source in sources {
                for member in content.members(of: source, DictionaryRelationship(slot, in: layout), token.number) {
                    members.append(member, of: source)
                }
            }
        }
        return members
    }

    // MARK: Saving

    func save(_ changes: StoreChanges, willCommit: () throws -> Void) throws -> [RowSnapshot] {
        if isReadOnly { throw NSError.cocoa(513, "The store is read-only.") }
        return try content.locked { content in
            var next = content.copy
            let written = try next.write(changes)
            try willCommit()
            content.take(next)
            return written
        }
    }
}

struct DictionaryStoreKind: StoreKind {
    func open(
        _ model: StoreModel, configurationName: String?, at url: URL?, options: [AnyHashable: Any]?
    ) throws -> any ObjectStore {
        DictionaryStore(model, configurationName, url, options)
    }

    func copy(
        _ source: any ObjectStore, _ model: StoreModel, to url: URL, options: [AnyHashable: Any]?
    ) throws -> any ObjectStore {
        throw NSError.cocoa(NSPersistentStoreOperationError, "Stores of dictionaries are not copied.")
    }
}

/// A to-many relationship, by the entity that declares it.
struct DictionaryRelationship: Hashable {
    let declaring: Int32
    let slot: PropertySlot
    let layout: EntityLayout

    init(_ slot: PropertySlot, in layout: EntityLayout) {
        var owner = layout
        while let parent = owner.parent, slot.index < parent.slots.count { owner = parent }
        (self.slot, self.layout, declaring) = (slot, layout, owner.number)
    }

    /// The slot of the to-one at the other end, whose rows say which objects are members.
    var foreignKey: PropertySlot? {
        guard slot.inverse >= 0 else { return nil }
        let inverse = layout.model[slot.destination].slots[slot.inverse]
        return inverse.kind == .toOne ? inverse : nil
    }

    static func == (a: Self, b: Self) -> Bool { a.declaring == b.declaring && a.slot.index == b.slot.index }

    func hash(into hasher: inout Hasher) {
        hasher.combine(declaring)
        hasher.combine(slot.index)
    }
}

/// What the stores at one URL have.
final class DictionaryContent: @unchecked Sendable {
    // Unchecked: all but `identifier` is used under the lock.

    let identifier = UUID().uuidString
    private let lock = NSRecursiveLock()
    private var state: State

    private init(metadata: [String: Any]) { state = State(metadata: metadata) }

    private nonisolated(unsafe) static var all: [URL: DictionaryContent] = [:]
    private static let allLock = NSLock()

    static func at(_ url: URL?, metadata: [String: Any]) -> DictionaryContent {
        allLock.withLock {
            guard let url else { return DictionaryContent(metadata: metadata) }
            let content = all[url] ?? DictionaryContent(metadata: metadata)
            all[url] = content
            return content
        }
    }

    func locked<R>(_ body: (inout State) throws -> R) rethrows -> R { try lock.withLock { try body(&state) } }

    struct State {
        var metadata: [String: Any]
        var lastKeys: [Int32: Int64] = [:]
        /// The rows of each entity tree, by key.
        private(set) var trees: [Int32: [Int64: RowSnapshot]] = [:]
        /// The members of each relationship that has no to-one at its other end; and the order of members, where they
        /// have one.
        private var lists: [DictionaryRelationship: [Int64: [ObjectReference]]] = [:]

        init(metadata: [String: Any]) { self.metadata = metadata }

        var copy: State { self }

        mutating func take(_ next: State) { self = next }

        func rows(of root: Int32) -> [RowSnapshot] {
            (trees[root] ?? [:]).values.sorted { $0.key < $1.key }
        }

        func members(of source: Int64, _ relationship: DictionaryRelationship, _ store: Int32) -> [ObjectReference] {
            let listed = lists[relationship]?[source] ?? []
            let root = relationship.layout.model[relationship.slot.destination].rootNumber
            guard let foreignKey = relationship.foreignKey else {
                return listed.filter { trees[root]?[$0.key] != nil }.map { $0.inStore(store) }
            }
            let found = rows(of: root).filter { row in
                guard foreignKey.index < row.layout.slots.count,
                    row.layout.slots[foreignKey.index] === foreignKey
                        || row.layout.slots[foreignKey.index].property === foreignKey.property
                else { return false }
                return row.value(of: foreignKey, store: store).destination?.key == source
            }.map { ObjectReference(key: $0.key, entity: $0.layout.number, store: store) }
            let places = Dictionary(
                listed.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
            return found.enumerated().sorted {
                (places[$0.element.key] ?? Int.max, $0.offset) < (places[$1.element.key] ?? Int.max, $1.offset)
            }.map(\.element)
        }

        // MARK: Saving

        /// - Returns: The rows of insertions, then those of updates.
        /// - Throws: ``StoreConflicts``.
        mutating func write(_ changes: StoreChanges) throws -> [RowSnapshot] {
            var conflicts: [(reference: ObjectReference, kind: StoreConflicts.Kind)] = []
            func check(_ change: RowChange) -> Bool {
                let current = trees[change.layout.rootNumber]?[change.reference.key]
                let isAsExpected =
                    current != nil && (change.snapshot == nil || current?.version == change.snapshot?.version)
                if !isAsExpected { conflicts.append((change.reference, .row(current: current))) }
                return isAsExpected
            }
            for index in 0..<changes.checks.count { _ = check(try changes.checks(index)) }
            for index in 0..<changes.deletes.count {
                let change = try changes.deletes(index)
                if check(change) { remove(change) }
            }
            let updates = try (0..<changes.updates.count).map { try changes.updates($0) }
            let inserts = try (0..<changes.inserts.count).map { try changes.inserts($0) }
            // A row whose values another row has is tried again: a later one may free them.
            var late = updates.filter { check($0) }
            for change in inserts {
                // Another context may have inserted a deleted object again that is to be inserted here.
                let other = trees[change.layout.rootNumber]?[change.reference.key]
                if other == nil {
                    late.append(change)
                } else {
                    conflicts.append((change.reference, .row(current: other)))
                }
            }
            while !late.isEmpty {
                let left = late.filter { change in
                    let old = trees[change.layout.rootNumber]?[change.reference.key]
                    _ = old == nil ? put(change, version: 1, over: nil) : update(change)
                    if twins(of: change).isEmpty { return false }
                    trees[change.layout.rootNumber]?[change.reference.key] = old
                    return true
                }
                if left.count == late.count { break }
                late = left
            }
            for change in late {
                let old = trees[change.layout.rootNumber]?[change.reference.key]
                _ = old == nil ? put(change, version: 1, over: nil) : update(change)
                conflicts += twins(of: change)
                trees[change.layout.rootNumber]?[change.reference.key] = old
            }
            guard conflicts.isEmpty else { throw StoreConflicts(conflicts) }
            for change in updates + inserts {
                for member in change.members { apply(member, of: change) }
            }
            return try (inserts + updates).map { change in
                guard let row = trees[change.layout.rootNumber]?[change.reference.key] else {
                    throw NSError.cocoa(NSPersistentStoreSaveError, "A row that was written is gone.")
                }
                return row
            }
        }

        private mutating func update(_ change: RowChange) -> RowSnapshot {
            let old = change.snapshot ?? trees[change.layout.rootNumber]![change.reference.key]!
            let isWritten = change.values.withValues { $0.contains { !$0.isUnset } } || !change.members.isEmpty
            return isWritten ? put(change, version: old.version + 1, over: old) : old
        }

        private mutating func put(_ change: RowChange, version: Int64, over old: RowSnapshot?) -> RowSnapshot {
            let first = old == nil ? change.values.firstVersion : version
            let row = RowSnapshot.make(
                change.layout, key: change.reference.key, version: first, change.values, over: old)
            trees[change.layout.rootNumber, default: [:]][row.key] = row
            return row
        }

        private mutating func remove(_ change: RowChange) {
            let (root, key) = (change.layout.rootNumber, change.reference.key)
            trees[root]?[key] = nil
            for relationship in lists.keys {
                if relationship.layout.rootNumber == root { lists[relationship]?[key] = nil }
                guard relationship.layout.model[relationship.slot.destination].rootNumber == root else { continue }
                lists[relationship] = lists[relationship]?.mapValues { $0.filter { $0.key != key } }
            }
        }

        private mutating func apply(_ change: MemberChange, of row: RowChange) {
            let relationship = DictionaryRelationship(change.slot, in: row.layout)
            var members = lists[relationship]?[row.reference.key] ?? []
            let removed = Set(change.removed.map(\.key))
            members.removeAll { removed.contains($0.key) }
            for member in change.added where !members.contains(where: { $0.key == member.key }) {
                members.append(member)
            }
            members = change.order ?? members.sorted { $0.key < $1.key }
            lists[relationship, default: [:]][row.reference.key] = members
            // A member of a relationship without inverse has one owner.
            guard change.slot.inverse < 0 else { return }
            let added = Set(change.added.map(\.key))
            for source in (lists[relationship] ?? [:]).keys where source != row.reference.key {
                lists[relationship]?[source]?.removeAll { added.contains($0.key) }
            }
        }

        /// The rows that have the same values in a uniqueness constraint.
        private func twins(
            of change: RowChange
        ) -> [(reference: ObjectReference, kind: StoreConflicts.Kind)] {
            guard let own = trees[change.layout.rootNumber]?[change.reference.key] else { return [] }
            var found: [(reference: ObjectReference, kind: StoreConflicts.Kind)] = []
            var owner: EntityLayout? = change.layout
            while let layout = owner {
                for constraint in layout.ownUniquenessConstraints {
                    let slots = constraint.compactMap { layout.slot(named: $0) }
                    let twin = rows(of: layout.rootNumber).first { row in
                        row.key != own.key && row.layout.slots.count >= layout.slots.count
                            && slots.allSatisfy { slot in
                                let value = own.value(of: slot, store: change.reference.store)
                                return !value.isNull
                                    && row.value(of: slot, store: change.reference.store).isEqual(to: value)
                            }
                    }
                    guard let twin else { continue }
                    let other = ObjectReference(
                        key: twin.key, entity: twin.layout.number, store: change.reference.store)
                    found.append((change.reference, .constraint(properties: constraint, other: other)))
                }
                owner = layout.parent
            }
            return found
        }
    }
}

extension ObjectReference {
    /// Two openings of a store have numbers of their own.
    fileprivate func inStore(_ store: Int32) -> ObjectReference {
        ObjectReference(key: key, entity: entity, store: store)
    }
}
