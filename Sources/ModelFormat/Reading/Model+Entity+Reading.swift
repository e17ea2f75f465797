extension Model.Entity: ElementValue {
    package static let blank = Model.Entity(name: "", isSyncable: false)

    package static let attributeCodings: [AttributeCoding<Model.Entity>] = [
        .text("name", \.name),
        .classReference("representedClassName", \.representedClass),
        .flag("isAbstract", \.isAbstract),
        .text("parentEntity", \.parentName),
        .text("elementID", \.renamingIdentifier),
        .text("versionHashModifier", \.versionHashModifier),
        .text("coreSpotlightDisplayNameExpression", \.spotlightDisplayNameExpression),
        .flag("syncable", \.isSyncable),
        .choice("codeGenerationType", \.codeGeneration, codeGenerationWords, absent: .manual),
    ]

    private static let codeGenerationWords: [Model.CodeGeneration: String] =
        Dictionary(uniqueKeysWithValues: Model.CodeGeneration.allCases.map { ($0, $0.rawValue) })

    private init(name: String, isSyncable: Bool) {
        self.init(name: name)
        self.isSyncable = isSyncable
    }

    package mutating func readChild(_ child: XMLTree) throws -> Bool {
        switch child.name {
        case "attribute": attributes.append(try Model.Attribute(child))
        case "relationship": relationships.append(try Model.Relationship(child))
        case "fetchedProperty": fetchedProperties.append(try Model.FetchedProperty(child))
        case "fetchIndex": fetchIndexes.append(try Model.FetchIndex(child))
        case "compoundIndexes": return child.readTuples("compoundIndex", of: "index", into: &compoundIndexes)
        case "uniquenessConstraints":
            return child.readTuples("uniquenessConstraint", of: "constraint", into: &uniquenessConstraints)
        case "userInfo": return try child.readUserInfo(into: &userInfo)
        default: return false
        }
        return true
    }

    package func writeChildren() throws -> [MarkupNode] {
        var nodes = try attributes.map { try $0.node("attribute") }
        nodes += try relationships.map { try $0.node("relationship") }
        nodes += try fetchedProperties.map { try $0.node("fetchedProperty") }
        nodes += try fetchIndexes.map { try $0.node("fetchIndex") }
        nodes += compoundIndexes.nodes("compoundIndexes", of: "compoundIndex", of: "index")
        nodes += uniquenessConstraints.nodes("uniquenessConstraints", of: "uniquenessConstraint", of: "constraint")
        return try nodes + userInfo.nodes()
    }
}

extension XMLTree {
    /// Reads a wrapper of name lists; `false`, with nothing read, if there is anything else in it.
    fileprivate func readTuples(
        _ tupleName: String, of elementName: String, into tuples: inout [Model.NameTuple]
    ) -> Bool {
        let all = elements
        guard tuples.isEmpty, !all.isEmpty, attributes.isEmpty, all.count == children.count,
            all.allSatisfy({ $0.name == tupleName && $0.attributes.isEmpty })
        else { return false }
        tuples = all.map { tuple in
            var value = Model.NameTuple([])
            for (position, content) in tuple.children.enumerated() {
                guard case .element(let child) = content, child.name == elementName, child.attributes.count == 1,
                    child.children.isEmpty, let name = child.attributes["value"]
                else {
                    value.foreign.children.append(.init(position: position, node: MarkupNode(content)))
                    continue
                }
                value.names.append(name)
            }
            return value
        }
        return true
    }

    /// Reads a user info; `false` if the element had one before.
    func readUserInfo(into userInfo: inout Model.UserInfo?) throws -> Bool {
        guard userInfo == nil else { return false }
        userInfo = try Model.UserInfo(self)
        return true
    }
}

extension [Model.NameTuple] {
    /// The wrapper of these name lists; nothing for no lists.
    fileprivate func nodes(_ wrapper: String, of tuple: String, of element: String) -> [MarkupNode] {
        guard !isEmpty else { return [] }
        let tuples = map { value in
            let names = value.names.map { MarkupNode.element(name: element, attributes: [.init("value", $0)]) }
            return MarkupNode.element(name: tuple, children: value.foreign.merged(into: names))
        }
        return [.element(name: wrapper, children: tuples)]
    }
}

extension Model.UserInfo? {
    /// The element of a user info; nothing for none.
    func nodes() throws -> [MarkupNode] {
        try map { [try $0.node("userInfo")] } ?? []
    }
}

extension Model.UserInfo: ElementValue {
    package static let blank = Model.UserInfo()
    package static let requiredAttributes: [String] = []
    package static let attributeCodings: [AttributeCoding<Model.UserInfo>] = []

    package mutating func readChild(_ child: XMLTree) throws -> Bool {
        guard child.name == "entry" else { return false }
        entries.append(try Entry(child))
        return true
    }

    package func writeChildren() throws -> [MarkupNode] { try entries.map { try $0.node("entry") } }
}

extension Model.UserInfo.Entry: ElementValue {
    package static let blank = Model.UserInfo.Entry(key: "", value: "")
    package static let requiredAttributes = ["key"]

    package static let attributeCodings: [AttributeCoding<Model.UserInfo.Entry>] = [
        .text("key", \.key),
        AttributeCoding(name: "value") { text, entry in
            entry.value = .string(text)
            return true
        } write: {
            $0.value.string
        },
    ]

    package var unwritableProperty: String? {
        value.string == nil ? "value of the user info key \(key), which is no text," : nil
    }
}
