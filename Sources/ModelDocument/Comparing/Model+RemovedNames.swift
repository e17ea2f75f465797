/// Constraints and compound indexes have no names: each is what it lists. So where each side took one property out of
/// such a list, a merge finds two new lists, in each of which a property stands that the other side removed.
extension Model {
    /// Takes properties that are gone out of lists that are the base's but for what was taken out of them.
    ///
    /// A list that names a property which is gone and is not made from one of the base's stays as it is: it was meant.
    mutating func dropRemovedNames(since base: Model) {
        for index in entities.indices {
            let name = entities[index].name
            guard let before = base[entity: name] else { continue }
            let present = Set(lineage(of: name).flatMap(\.propertyNames))
            entities[index].compoundIndexes.keepNames(present, of: before.compoundIndexes)
            entities[index].uniquenessConstraints.keepNames(present, of: before.uniquenessConstraints)
        }
    }
}

extension [Model.NameTuple] {
    fileprivate mutating func keepNames(_ present: Set<String>, of base: [Model.NameTuple]) {
        var kept: [Model.NameTuple] = []
        for var tuple in self {
            if !tuple.names.allSatisfy(present.contains), base.contains(where: { tuple.names.isPart(of: $0.names) }) {
                tuple.names.removeAll { !present.contains($0) }
                if tuple.names.isEmpty || kept.contains(where: { $0.names == tuple.names }) { continue }
            }
            kept.append(tuple)
        }
        self = kept
    }
}

extension [String] {
    /// Whether all elements stand in another list, in the same order.
    fileprivate func isPart(of list: [String]) -> Bool {
        var rest = list[...]
        return allSatisfy { name in
            guard let place = rest.firstIndex(of: name) else { return false }
            rest = rest[(place + 1)...]
            return true
        }
    }
}
