/// An outline of elements with identifiers.
struct IdentifiedNode: Sendable, Hashable {
    var id: ElementID
    var kind: ElementKind
    var key: String
    var children: [IdentifiedNode]

    /// The identifiers of the children of a kind, in order.
    func ids(_ kind: ElementKind) -> [ElementID] {
        children.lazy.filter { $0.kind == kind }.map(\.id)
    }
}

/// Gives out identifiers, none of them twice.
struct IDSource: Sendable, Hashable {
    private var last = 0
    private let mark: String

    /// - Parameter scratch: whether the identifiers are thrown away again, and must not be any that others have.
    init(scratch: Bool = false) {
        mark = scratch ? "~" : ""
    }

    mutating func next(_ kind: ElementKind) -> ElementID {
        last += 1
        return ElementID(rawValue: mark + kind.prefix + String(last))
    }
}

extension IdentifiedNode {
    /// Gives the elements of an outline the identifiers that they had before, and new ones to new elements.
    ///
    /// Within one list an element is the one that had the same name at the same place, else the one that had the same
    /// name anywhere; if then as many are left over on both sides, those have got other names. As one step renames one
    /// thing at a time, that is how things are, for steps of the editor; after a change by another program it is a
    /// guess that costs nothing when it is wrong.
    static func identified(
        _ outline: [OutlineNode], formerly former: [IdentifiedNode], _ source: inout IDSource
    ) -> [IdentifiedNode] {
        var result: [IdentifiedNode] = []
        result.reserveCapacity(outline.count)
        for kind in ElementKind.allCases {
            let new = outline.filter { $0.kind == kind }
            guard !new.isEmpty else { continue }
            let matches = matches(new.map(\.key), former.filter { $0.kind == kind })
            for (node, match) in zip(new, matches) {
                let id = match?.id ?? source.next(kind)
                let children = identified(node.children, formerly: match?.children ?? [], &source)
                result.append(IdentifiedNode(id: id, kind: kind, key: node.key, children: children))
            }
        }
        return result
    }

    private static func matches(_ keys: [String], _ former: [IdentifiedNode]) -> [IdentifiedNode?] {
        var result = [IdentifiedNode?](repeating: nil, count: keys.count)
        var free = Set(former.indices)
        for index in keys.indices where former.indices.contains(index) && former[index].key == keys[index] {
            result[index] = former[index]
            free.remove(index)
        }
        var places = Dictionary(grouping: free.sorted(), by: { former[$0].key })
        for index in keys.indices where result[index] == nil {
            guard let place = places[keys[index]]?.first else { continue }
            places[keys[index]]?.removeFirst()
            result[index] = former[place]
            free.remove(place)
        }
        let open = keys.indices.filter { result[$0] == nil }
        if open.count == free.count {
            for (index, place) in zip(open, free.sorted()) { result[index] = former[place] }
        }
        return result
    }
}
