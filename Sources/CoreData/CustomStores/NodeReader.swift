import FoundationGaps

/// Makes rows of the nodes of an atomic store.
struct NodeReader {
    private let layouts: ModelLayout
    private let path: String

    init(_ layouts: ModelLayout, path: String) { (self.layouts, self.path) = (layouts, path) }

    /// Puts nodes into the rows of their store.
    ///
    /// - Throws: 259 for a value that is none of its property, with the entity and the key.
    func read(_ nodes: [NSAtomicStoreCacheNode], into content: inout AtomicContent) throws {
        var lists: [(ToManyKey, Int64, [ObjectReference])] = []
        var trees: [Int32: [RowSnapshot]] = [:]
        for node in nodes {
            let layout = layouts[node.objectID.reference.entity]
            let key = node.objectID.reference.key
            let values = try values(of: node, layout)
            let version = (content[root: layout.rootNumber, key: key]?.version ?? 0) + 1
            trees[layout.rootNumber, default: []].append(.make(layout, key: key, version: version, values, over: nil))
            for slot in layout.toManySlots where !slot.isTransient {
                lists.append((ToManyKey(slot, in: layout), key, try members(of: node, slot, layout)))
            }
        }
        for (root, rows) in trees { put(rows, root: root, into: &content) }
        for (relationship, source, members) in lists {
            if relationship.needsList { content.setMembers(members, of: source, relationship) }
            complete(members, of: source, relationship, in: &content)
        }
    }

    private func put(_ rows: [RowSnapshot], root: Int32, into content: inout AtomicContent) {
        let keys = Set(rows.map(\.key))
        let others = (content.trees[root]?.rows ?? []).filter { !keys.contains($0.key) }
        content.set(RowTree(others + rows), root: root)
    }

    /// A file may have a relationship at one end alone: members without a value at the other end get one.
    private func complete(
        _ members: [ObjectReference], of source: Int64, _ relationship: ToManyKey, in content: inout AtomicContent
    ) {
        guard let foreignKey = relationship.foreignKey else { return }
        let root = relationship.destinationRoot
        for member in members {
            guard let row = content[root: root, key: member.key], row.isNull(foreignKey.cell),
                let owner = content[root: relationship.layout.rootNumber, key: source]
            else { continue }
            let change = ChangeRecord.make(slotCount: row.layout.slots.count)
            change[foreignKey.index] = .reference(
                ObjectReference(key: source, entity: owner.layout.number, store: AtomicContent.ownStore))
            content.put(.make(row.layout, key: row.key, version: row.version, change, over: row))
        }
    }

    // MARK: Values

    private func values(of node: NSAtomicStoreCacheNode, _ layout: EntityLayout) throws -> ChangeRecord {
        let values = ChangeRecord.make(slotCount: layout.slots.count)
        for slot in layout.slots where slot.isStoredInRow {
            let value = Self.value(of: node, slot)
            guard slot.kind == .toOne else {
                guard let stored = try slot.stored(value) else { throw damage(value, slot, layout) }
                values[slot.index] = stored
                continue
            }
            guard let value, !(value is NSNull) else { continue }
            guard let destination = reference(value, slot) else { throw damage(value, slot, layout) }
            values[slot.index] = .reference(destination)
        }
        return values
    }

    /// The elements of composite attributes are in dictionaries.
    private static func value(of node: NSAtomicStoreCacheNode, _ slot: PropertySlot) -> Any? {
        let path = slot.name.split(separator: ".").map(String.init)
        return path.dropFirst().reduce(node.value(forKey: path[0])) { ($0 as? [String: Any])?[$1] }
    }

    private func members(
        of node: NSAtomicStoreCacheNode, _ slot: PropertySlot, _ layout: EntityLayout
    ) throws -> [ObjectReference] {
        let value = node.value(forKey: slot.name)
        guard let value, !(value is NSNull) else { return [] }
        guard let elements = StoreCollection.elements(of: value) else { throw damage(value, slot, layout) }
        let members = try elements.map { element in
            guard let member = reference(element, slot) else { throw damage(element, slot, layout) }
            return member
        }
        return slot.kind == .orderedToMany ? members : members.sorted { $0.key < $1.key }
    }

    private func reference(_ value: Any, _ slot: PropertySlot) -> ObjectReference? {
        let id = (value as? NSAtomicStoreCacheNode)?.objectID ?? value as? NSManagedObjectID
        guard let reference = id?.reference,
            layouts[reference.entity].rootNumber == layouts[slot.destination].rootNumber
        else { return nil }
        return reference.inStore(AtomicContent.ownStore)
    }

    private func damage(_ value: Any?, _ slot: PropertySlot, _ layout: EntityLayout) -> NSError {
        .cocoa(
            CocoaError.Code.fileReadCorruptFile.rawValue, "The store has a value that does not fit its model.",
            reason: "\(layout.name).\(slot.name) is \(slot.kind) and can't be “\(value ?? "nil")” "
                + "(\(value.map { "\(Swift.type(of: $0))" } ?? "nil")).",
            userInfo: [NSFilePathErrorKey: path])
    }
}

/// The collections in which members of a relationship may be given.
enum StoreCollection {
    /// Nil for what is no collection.
    static func elements(of value: Any) -> [Any]? {
        switch value {
        case let set as NSSet: set.allObjects
        case let set as NSOrderedSet: set.array
        case let array as [Any]: array
        case let set as Set<AnyHashable>: set.map(\.base)
        default: nil
        }
    }
}
