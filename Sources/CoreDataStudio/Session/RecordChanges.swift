import ModelDocument

/// What is otherwise in the records of one state of the document than in those of another.
struct RecordChanges: Sendable {
    private(set) var changed: [ElementID: Record] = [:]
    private(set) var removed: Set<ElementID> = []
    private(set) var created: Set<ElementID> = []
    /// Which fields of which elements changed, for finding conflicts.
    private(set) var touched = TouchedFields()

    mutating func add(from old: VersionRecords?, to new: VersionRecords?) {
        let (old, new) = (old?.records ?? [:], new?.records ?? [:])
        for (id, record) in new {
            guard let former = old[id] else {
                changed[id] = record
                created.insert(id)
                touched.addNew(id)
                continue
            }
            guard former != record else { continue }
            changed[id] = record
            touched.add(id, from: former, to: record)
        }
        for id in old.keys where new[id] == nil {
            removed.insert(id)
            touched.addAll(of: id)
        }
    }

    /// The new elements that are not inside of other new ones.
    var topmostCreated: [ElementID] {
        let top = created.filter { id in
            guard let owner = changed[id]?["owner"]?.text else { return true }
            return !created.contains(ElementID(rawValue: owner))
        }
        return top.sorted { ($0.rawValue.count, $0.rawValue) < ($1.rawValue.count, $1.rawValue) }
    }
}

/// Fields of elements, as what one step changed.
struct TouchedFields: Sendable {
    private var fields: [ElementID: Set<String>] = [:]
    private var whole: Set<ElementID> = []

    /// Notes what differs between two records of an element. A list counts only where what is in both stands in another
    /// order: two people can add something to the same list at the same time.
    mutating func add(_ id: ElementID, from old: Record, to new: Record) {
        for name in Set(old.keys).union(new.keys) where old[name] != new[name] {
            if Self.lists.contains(name), let before = old[name]?.array, let after = new[name]?.array {
                let common = Set(before).intersection(after)
                guard before.filter(common.contains) != after.filter(common.contains) else { continue }
            }
            fields[id, default: []].insert(name)
        }
    }

    private static let lists = Set(ElementKind.allCases.map(\.listName))

    mutating func addAll(of id: ElementID) { whole.insert(id) }

    /// Notes a new element: a client that has not seen it must not delete it with what it is in.
    mutating func addNew(_ id: ElementID) { fields[id, default: []].insert("") }

    mutating func formUnion(_ other: TouchedFields) {
        fields.merge(other.fields) { $0.union($1) }
        whole.formUnion(other.whole)
    }

    /// Whether both touch a field, or one removes what the other changes.
    func meets(_ other: TouchedFields) -> Bool {
        if fields.contains(where: { !$1.isDisjoint(with: other.fields[$0] ?? []) }) { return true }
        if fields.keys.contains(where: other.whole.contains) { return true }
        return other.fields.keys.contains(where: whole.contains)
    }
}
