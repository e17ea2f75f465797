import FoundationGaps

/// The rows and relationships of a store that is in memory as a whole.
///
/// A value: a save changes a copy, which takes the place of the original when all is written. References in it have
/// no number of a store.
struct AtomicContent {
    /// The rows of each entity tree, by the number of its root.
    private(set) var trees: [Int32: RowTree] = [:]
    /// The members of each relationship that has no to-one at its other end; else the order of its members, where they
    /// have one.
    private(set) var lists: [ToManyKey: [Int64: [ObjectReference]]] = [:]
    /// The highest key that was handed out in each entity tree.
    private(set) var lastKeys: [Int32: Int64] = [:]
    /// The members that rows name, as far as they were asked for.
    private(set) var index = MemberIndex()

    /// The number that stands for the store in ``lists``.
    static let ownStore: Int32 = 0

    subscript(root root: Int32, key key: Int64) -> RowSnapshot? { trees[root]?[key] }

    /// The rows of an entity, in the order of their keys.
    func rows(of layout: EntityLayout, includingSubentities includesSubentities: Bool) -> [RowSnapshot] {
        let last = layout.number + Int32(includesSubentities ? layout.descendantCount : 0)
        let entities = layout.number...last
        return (trees[layout.rootNumber]?.rows ?? []).filter { entities.contains($0.layout.number) }
    }

    /// The rows of an entity tree with the least keys behind one.
    func rows(rootedAt root: Int32, after key: Int64, most: Int) -> [RowSnapshot] {
        Array(trees[root]?.rows(after: key, most: most) ?? [])
    }

    var rowCount: Int { trees.values.reduce(0) { $0 + $1.rows.count } }

    /// The members of a relationship of one object.
    func members(of source: Int64, _ relationship: ToManyKey) -> [ObjectReference] {
        let listed = lists[relationship]?[source] ?? []
        guard let foreignKey = relationship.foreignKey else { return listed }
        let found = index.members(of: source, relationship) {
            MemberIndex.sources(by: foreignKey, in: trees[relationship.destinationRoot])
        }
        if listed.isEmpty || found.count < 2 { return found }
        let places = Dictionary(listed.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
        return found.enumerated().sorted {
            (places[$0.element.key] ?? .max, $0.offset) < (places[$1.element.key] ?? .max, $1.offset)
        }.map(\.element)
    }

    // MARK: Changing

    mutating func put(_ row: RowSnapshot) {
        let root = row.layout.rootNumber
        trees[root, default: RowTree()].put(row)
        noteKey(row.key, root: root)
        index = MemberIndex()
    }

    /// Puts a whole tree of rows in.
    mutating func set(_ tree: RowTree, root: Int32) {
        trees[root] = tree
        noteKey(tree.lastKey, root: root)
        index = MemberIndex()
    }

    mutating func noteKey(_ key: Int64, root: Int32) { lastKeys[root] = max(key, lastKeys[root] ?? 0) }

    mutating func setMembers(_ members: [ObjectReference], of source: Int64, _ relationship: ToManyKey) {
        lists[relationship, default: [:]][source] = members.isEmpty ? nil : members
    }

    /// Removes rows of one tree, and all that relationships say of them.
    mutating func remove(_ keys: Set<Int64>, root: Int32) {
        trees[root]?.remove(keys)
        index = MemberIndex()
        for relationship in Array(lists.keys) {
            if relationship.layout.rootNumber == root {
                for key in keys { lists[relationship]?[key] = nil }
            }
            guard relationship.destinationRoot == root, let list = lists[relationship] else { continue }
            for (source, members) in list where members.contains(where: { keys.contains($0.key) }) {
                setMembers(members.filter { !keys.contains($0.key) }, of: source, relationship)
            }
        }
    }
}

/// Which objects name which others by a to-one relationship, computed when it is first asked for.
final class MemberIndex: @unchecked Sendable {
    // Unchecked: the dictionary is used under the lock.
    private let lock = NSLock()
    private var known: [ToManyKey: [Int64: [ObjectReference]]] = [:]

    /// - Parameter compute: Finds the members of all objects.
    func members(
        of source: Int64, _ relationship: ToManyKey, _ compute: () -> [Int64: [ObjectReference]]
    ) -> [ObjectReference] {
        lock.withLock {
            if let all = known[relationship] { return all[source] ?? [] }
            let all = compute()
            known[relationship] = all
            return all[source] ?? []
        }
    }

    /// The objects whose rows name a destination, by the destination's key.
    static func sources(by foreignKey: PropertySlot, in tree: RowTree?) -> [Int64: [ObjectReference]] {
        var found: [Int64: [ObjectReference]] = [:]
        for row in tree?.rows ?? [] {
            let layout = row.layout
            guard foreignKey.index < layout.slots.count, layout.slots[foreignKey.index] === foreignKey,
                !row.isNull(foreignKey.cell)
            else { continue }
            found[row.int(foreignKey.cell), default: []].append(
                ObjectReference(key: row.key, entity: layout.number, store: AtomicContent.ownStore))
        }
        return found
    }
}

extension ObjectReference {
    func inStore(_ store: Int32) -> ObjectReference { ObjectReference(key: key, entity: entity, store: store) }
}
