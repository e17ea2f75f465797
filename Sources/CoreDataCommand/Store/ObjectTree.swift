import StoreBrowsing

/// An object, what it relates to, and so on.
struct ObjectTree {
    let exporter: any RecordSource
    let mostMembers: Int
    private var shown: Set<String> = []

    init(exporter: any RecordSource, mostMembers: Int) {
        self.exporter = exporter
        self.mostMembers = mostMembers
    }

    /// An object with its attributes and relationships.
    struct Node {
        let identifier: String
        var attributes: [(name: String, value: JSONValue)] = []
        var relationships: [Branch] = []
        /// Whether the object is shown somewhere above, or lies too deep to be shown.
        var isAbove = false
    }

    struct Branch {
        let name: String
        let isToMany: Bool
        /// How many members there are; not all of them may be shown.
        let count: Int
        var members: [Node] = []
    }

    /// The tree below a record.
    ///
    /// - Parameter depth: How many relationships to follow one after the other.
    mutating func node(_ record: Record, depth: Int) throws -> Node {
        shown.insert(record.identifier)
        var node = Node(identifier: record.identifier)
        node.attributes = record.attributes.sorted { $0.key.precedesByCodePoint($1.key) }.map { ($0.key, $0.value) }
        for (name, value) in record.relationships.sorted(by: { $0.key.precedesByCodePoint($1.key) }) {
            node.relationships.append(try branch(name, value, depth: depth))
        }
        return node
    }

    private mutating func branch(_ name: String, _ value: JSONValue, depth: Int) throws -> Branch {
        switch value {
        case .array(let all):
            var branch = Branch(name: name, isToMany: true, count: all.count)
            for member in all.prefix(mostMembers) {
                if case .string(let identifier) = member {
                    branch.members.append(try self.member(identifier, depth: depth))
                }
            }
            return branch
        case .string(let identifier):
            return Branch(name: name, isToMany: false, count: 1, members: [try member(identifier, depth: depth)])
        default: return Branch(name: name, isToMany: false, count: 0)
        }
    }

    private mutating func member(_ identifier: String, depth: Int) throws -> Node {
        if shown.contains(identifier) { return Node(identifier: identifier, isAbove: true) }
        let parts = identifier.split(separator: "/")
        guard depth > 0, parts.count == 2, let key = Int64(parts[1].dropFirst()),
            let record = try exporter.record(String(parts[0]), key: key)
        else { return Node(identifier: identifier) }
        return try node(record, depth: depth - 1)
    }
}

extension ObjectTree.Node {
    /// The tree drawn with lines.
    var lines: [String] { [title] + below("") }

    private var title: String { identifier + (isAbove ? "  above" : "") }

    private func below(_ indent: String) -> [String] {
        var items: [(line: String, below: (String) -> [String])] = attributes.map { name, value in
            (name + "  " + TextTable.singleLine(value.fieldText), { _ in [] })
        }
        items += relationships.map { branch in (branch.title, branch.below) }
        return items.enumerated().flatMap { index, item in
            let isLast = index == items.count - 1
            return [indent + (isLast ? "└─ " : "├─ ") + item.line] + item.below(indent + (isLast ? "   " : "│  "))
        }
    }

    fileprivate func below(in branch: String) -> [String] { below(branch) }

    fileprivate var heading: String { title }

    var json: JSONValue {
        if isAbove || attributes.isEmpty && relationships.isEmpty { return ["id": .string(identifier)] }
        let values = Dictionary(uniqueKeysWithValues: attributes.map { ($0.name, $0.value) })
        let related = Dictionary(uniqueKeysWithValues: relationships.map { ($0.name, $0.json) })
        return ["id": .string(identifier), "attributes": .object(values), "relationships": .object(related)]
    }
}

extension ObjectTree.Branch {
    /// A to-one has its destination on its own line.
    fileprivate var title: String {
        if isToMany { return "\(name)  (\(count))" }
        return name + " → " + (members.first?.heading ?? "")
    }

    fileprivate func below(_ indent: String) -> [String] {
        guard isToMany else { return members.first?.below(in: indent) ?? [] }
        let rest = count - members.count
        var lines = members.enumerated().flatMap { index, member in
            let isLast = index == members.count - 1 && rest == 0
            return [indent + (isLast ? "└─ " : "├─ ") + member.heading]
                + member.below(in: indent + (isLast ? "   " : "│  "))
        }
        if rest > 0 { lines.append(indent + "└─ … \(rest) more") }
        return lines
    }

    fileprivate var json: JSONValue {
        guard isToMany else { return members.first?.json ?? .null }
        return ["count": .int(Int64(count)), "members": .array(members.map(\.json))]
    }
}
