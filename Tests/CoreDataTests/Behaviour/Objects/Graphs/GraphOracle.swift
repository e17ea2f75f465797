/// The graph as it should be: plain values, both sides of each relationship kept by hand.
struct GraphOracle {
    struct Node: Equatable {
        let entity: String
        var attributes: [String: String] = [:]
        var toOne: [String: Int] = [:]
        var toMany: [String: [Int]] = [:]
    }

    let model: RandomModel
    private(set) var nodes: [Int: Node] = [:]

    init(_ model: RandomModel) { self.model = model }

    mutating func insert(_ id: Int, _ entity: String) { nodes[id] = Node(entity: entity) }

    mutating func set(_ id: Int, _ attribute: String, _ value: String?) { nodes[id]!.attributes[attribute] = value }

    // MARK: Relationships

    mutating func setToOne(_ id: Int, _ relationship: RandomModel.Relationship, _ destination: Int?) {
        let old = nodes[id]!.toOne[relationship.name]
        guard old != destination else { return }
        nodes[id]!.toOne[relationship.name] = destination
        if let old { drop(id, at: old, relationship) }
        if let destination { point(destination, at: id, relationship) }
    }

    mutating func add(_ member: Int, to id: Int, _ relationship: RandomModel.Relationship) {
        guard !(nodes[id]!.toMany[relationship.name] ?? []).contains(member) else { return }
        nodes[id]!.toMany[relationship.name, default: []].append(member)
        point(member, at: id, relationship)
    }

    mutating func remove(_ member: Int, from id: Int, _ relationship: RandomModel.Relationship) {
        guard (nodes[id]!.toMany[relationship.name] ?? []).contains(member) else { return }
        nodes[id]!.toMany[relationship.name]!.removeAll { $0 == member }
        drop(id, at: member, relationship)
    }

    mutating func setMembers(_ id: Int, _ relationship: RandomModel.Relationship, _ members: [Int]) {
        for old in nodes[id]!.toMany[relationship.name] ?? [] where !members.contains(old) {
            remove(old, from: id, relationship)
        }
        for member in members { add(member, to: id, relationship) }
        nodes[id]!.toMany[relationship.name] = members
    }

    /// `destination` is now found from `id` by `relationship`.
    private mutating func point(_ destination: Int, at id: Int, _ relationship: RandomModel.Relationship) {
        guard let back = inverse(relationship) else { return }
        if back.isToMany {
            if !(nodes[destination]!.toMany[back.name] ?? []).contains(id) {
                nodes[destination]!.toMany[back.name, default: []].append(id)
            }
            return
        }
        let previous = nodes[destination]!.toOne[back.name]
        nodes[destination]!.toOne[back.name] = id
        guard let previous, previous != id else { return }
        if relationship.isToMany {
            nodes[previous]!.toMany[relationship.name]?.removeAll { $0 == destination }
        } else if nodes[previous]!.toOne[relationship.name] == destination {
            nodes[previous]!.toOne[relationship.name] = nil
        }
    }

    private mutating func drop(_ id: Int, at destination: Int, _ relationship: RandomModel.Relationship) {
        guard let back = inverse(relationship) else { return }
        if back.isToMany {
            nodes[destination]!.toMany[back.name]?.removeAll { $0 == id }
        } else if nodes[destination]!.toOne[back.name] == id {
            nodes[destination]!.toOne[back.name] = nil
        }
    }

    private func inverse(_ relationship: RandomModel.Relationship) -> RandomModel.Relationship? {
        relationship.inverse.flatMap { name in
            model.relationships.first { $0.owner == relationship.destination && $0.name == name }
        }
    }

    // MARK: Deleting

    /// What goes with an object by cascading, itself included.
    func doomed(_ id: Int) -> Set<Int> {
        var doomed: Set<Int> = [id]
        var rest = [id]
        while let next = rest.popLast() {
            for relationship in model.relationships(nodes[next]!.entity) where relationship.cascades {
                for other in destinations(next, relationship) where doomed.insert(other).inserted { rest.append(other) }
            }
        }
        return doomed
    }

    mutating func delete(_ ids: Set<Int>) {
        for id in ids { nodes[id] = nil }
        for id in nodes.keys {
            for (name, destination) in nodes[id]!.toOne where ids.contains(destination) { nodes[id]!.toOne[name] = nil }
            for name in nodes[id]!.toMany.keys { nodes[id]!.toMany[name]!.removeAll { ids.contains($0) } }
        }
    }

    func destinations(_ id: Int, _ relationship: RandomModel.Relationship) -> [Int] {
        relationship.isToMany
            ? nodes[id]!.toMany[relationship.name] ?? [] : nodes[id]!.toOne[relationship.name].map { [$0] } ?? []
    }
}
