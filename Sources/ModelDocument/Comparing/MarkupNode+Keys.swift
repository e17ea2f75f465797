/// What makes a child the same child on two sides.
struct NodeKey: Hashable, Comparable {
    /// The place of its kind among the kinds, as Xcode writes them.
    var rank: Int
    var kind: String
    var name: String
    /// How many with the same name come before it.
    var occurrence = 0

    static func < (left: NodeKey, right: NodeKey) -> Bool {
        if left.rank != right.rank { return left.rank < right.rank }
        if left.kind != right.kind { return left.kind < right.kind }
        // Xcode sorts without regard to case.
        let (one, other) = (left.name.lowercased(), right.name.lowercased())
        if one != other { return one < other }
        return left.name == right.name ? left.occurrence < right.occurrence : left.name < right.name
    }
}

/// The children of an element by their keys.
struct KeyedNodes {
    let keys: [NodeKey]
    private let nodes: [NodeKey: MarkupNode]

    init(_ children: [MarkupNode]) {
        var nodes: [NodeKey: MarkupNode] = [:]
        keys = children.map { child in
            var key = child.key
            while nodes[key] != nil { key.occurrence += 1 }
            nodes[key] = child
            return key
        }
        self.nodes = nodes
    }

    subscript(key: NodeKey) -> MarkupNode? { nodes[key] }
}

extension MarkupNode {
    private static let kinds = [
        "entity", "attribute", "relationship", "fetchedProperty", "fetchIndex", "compoundIndexes",
        "uniquenessConstraints", "fetchRequest", "configuration", "composite", "elements", "userInfo",
    ]

    /// Name lists: what they hold is what they are.
    private static let tuples: Set<String> = ["uniquenessConstraint", "compoundIndex"]
    private static let wrappers: Set<String> = ["uniquenessConstraints", "compoundIndexes", "elements", "userInfo"]

    var parts: (attributes: [Attribute], children: [MarkupNode]) {
        guard case .element(_, let attributes, let children) = self else { return ([], []) }
        return (attributes, children)
    }

    /// The attribute that tells elements of one kind apart.
    private var identity: String? {
        let attributes = parts.attributes
        for name in ["name", "key", "value"] {
            if let attribute = attributes.first(where: { $0.name == name }) { return attribute.value }
        }
        return nil
    }

    var key: NodeKey {
        switch self {
        case .element(let name, _, let children):
            let rank = Self.kinds.firstIndex(of: name) ?? Self.kinds.count
            if Self.tuples.contains(name) {
                return NodeKey(rank: rank, kind: name, name: children.map { $0.identity ?? "" }.joined(separator: "\n"))
            }
            return NodeKey(rank: rank, kind: name, name: identity ?? "")
        case .text(let text): return NodeKey(rank: .max, kind: "text", name: text)
        case .comment(let text): return NodeKey(rank: .max, kind: "comment", name: text)
        case .instruction(let text): return NodeKey(rank: .max, kind: "instruction", name: text)
        }
    }

    /// The element's name in sentences; nil for what has none.
    var title: String? {
        guard case .element(let name, _, _) = self else { return nil }
        switch name {
        case "model", "elements", "element", "uniquenessConstraints", "compoundIndexes": return nil
        case "userInfo": return "user info"
        case "entity", "attribute", "relationship", "fetchedProperty": return identity
        default: return identity.map { "\(name) \($0)" } ?? name
        }
    }

    /// Whether the order of the children counts, so that they can't be merged one by one.
    var isWhole: Bool {
        guard case .element(let name, _, _) = self else { return false }
        return name == "fetchIndex" || Self.tuples.contains(name)
    }

    /// Whether the element is there for its children alone, and left out without any.
    var isWrapper: Bool {
        guard case .element(let name, let attributes, _) = self else { return false }
        return Self.wrappers.contains(name) && attributes.isEmpty
    }

    /// Whether the element is a box of the diagram.
    var isPartOfDiagram: Bool {
        guard case .element("element", _, _) = self else { return false }
        return true
    }

    /// The element without children.
    var emptied: MarkupNode {
        guard case .element(let name, let attributes, _) = self else { return self }
        return .element(name: name, attributes: attributes)
    }

    /// What the element says, in a line for a person to compare.
    var summary: String {
        let attributes = parts.attributes.filter { $0.name != "syncable" }.map { "\($0.name) \($0.value)" }
        let children = parts.children.compactMap(\.title)
        return (attributes + (children.isEmpty ? [] : ["with \(children.joined(separator: ", "))"])).joined(
            separator: ", ")
    }

    /// What an element of a list is called.
    var listTitle: String? {
        guard case .element(_, let attributes, _) = self else { return nil }
        let names = ["value", "property", "name", "expression"]
        return names.lazy.compactMap { name in attributes.first { $0.name == name }?.value }.first
    }
}
