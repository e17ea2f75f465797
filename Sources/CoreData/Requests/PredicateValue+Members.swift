import FoundationGaps

extension PredicateValue {
    /// The values that a key path finds of a relationship's members: without nil and each once, as key-value coding
    /// gives them.
    static func distinct(_ values: [PredicateValue], isOrdered: Bool) -> PredicateValue {
        var seen = Set<PredicateValue>()
        let elements = values.filter { seen.insert($0).inserted }.compactMap(\.boxed)
        return .collection(
            isOrdered
                ? PredicateCollection(NSOrderedSet(array: elements), kind: .orderedSet, elements: elements)
                : PredicateCollection(NSSet(array: elements), kind: .set, elements: elements))
    }
}
