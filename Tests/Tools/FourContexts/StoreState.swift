/// One saved object: plain values, and a version that every change of it raises.
struct Row: Equatable {
    let entity: String
    var attributes: [String: String] = [:]
    var toOne: [String: Int] = [:]
    var version = 0

    func hasSameValues(as other: Row) -> Bool { attributes == other.attributes && toOne == other.toOne }
}

/// What is saved.
struct StoreState {
    var rows: [Int: Row] = [:]
    /// The members of relationships that no row says, and the order of the ordered ones.
    var lists: [Int: [String: [Int]]] = [:]

    func members(of id: Int, _ relation: Relation) -> [Int] {
        let listed = lists[id]?[relation.name] ?? []
        let inverse = Schema.inverse(of: relation)
        if inverse.isToMany { return listed }
        let members = rows.filter { $0.value.entity == relation.destination && $0.value.toOne[inverse.name] == id }
        guard relation.isOrdered else { return members.keys.sorted() }
        let known = listed.filter { members[$0] != nil }
        return known + members.keys.filter { !known.contains($0) }.sorted()
    }

    /// Enters a row; many-to-many links stay.
    mutating func write(_ row: Row, _ id: Int) { rows[id] = row }

    mutating func delete(_ id: Int) {
        rows[id] = nil
        lists[id] = nil
        for other in lists.keys {
            for name in Array(lists[other, default: [:]].keys) { lists[other]?[name]?.removeAll { $0 == id } }
        }
    }

    mutating func link(_ id: Int, _ member: Int, _ relation: Relation) {
        func add(_ id: Int, _ name: String, _ member: Int) {
            guard !(lists[id]?[name] ?? []).contains(member) else { return }
            lists[id, default: [:]][name, default: []].append(member)
        }
        add(id, relation.name, member)
        add(member, relation.inverse, id)
    }

    mutating func unlink(_ id: Int, _ member: Int, _ relation: Relation) {
        lists[id]?[relation.name]?.removeAll { $0 == member }
        lists[member]?[relation.inverse]?.removeAll { $0 == id }
    }

    mutating func order(_ id: Int, _ relation: Relation, _ members: [Int]) {
        lists[id, default: [:]][relation.name] = members
    }

    /// What another state has otherwise; nil: nothing. Versions aside.
    func difference(from other: StoreState) -> String? {
        if Set(rows.keys) != Set(other.rows.keys) {
            return "the rows \(rows.keys.sorted()), not \(other.rows.keys.sorted())"
        }
        for (id, row) in rows {
            guard let theirs = other.rows[id] else { continue }
            if !row.hasSameValues(as: theirs) {
                return "\(row.entity) \(id) as \(row.attributes) \(row.toOne), "
                    + "not \(theirs.attributes) \(theirs.toOne)"
            }
            for relation in Schema.relations(of: row.entity) where relation.isToMany {
                let (mine, others) = (members(of: id, relation), other.members(of: id, relation))
                if relation.isOrdered ? mine != others : Set(mine) != Set(others) {
                    return "\(row.entity).\(relation.name) of \(id) as \(mine), not \(others)"
                }
            }
        }
        return nil
    }

    /// What no save may leave behind, whatever decided it: an object that points to nothing, or to one that does not
    /// point back; nil: there is nothing of it.
    var flaw: String? {
        for (id, row) in rows {
            for relation in Schema.relations(of: row.entity) where !relation.isToMany {
                guard let destination = row.toOne[relation.name] else { continue }
                guard let other = rows[destination] else {
                    return "\(row.entity).\(relation.name) of \(id) points to nothing"
                }
                let inverse = Schema.inverse(of: relation)
                if !inverse.isToMany, other.toOne[inverse.name] != id {
                    return "\(row.entity).\(relation.name) of \(id) is \(destination), which does not point back"
                }
            }
        }
        for (id, lists) in lists {
            for (name, members) in lists where rows[id] == nil && !members.isEmpty {
                return "\(name) of \(id), which is not there, has members"
            }
            for (name, members) in lists {
                if let member = members.first(where: { rows[$0] == nil }) {
                    return "\(name) of \(id) has \(member), which is not there"
                }
            }
        }
        return nil
    }
}
