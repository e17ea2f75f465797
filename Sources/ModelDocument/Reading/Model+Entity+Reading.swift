extension Model.Entity: ElementValue {
    static let blank = Model.Entity(name: "", isSyncable: false)

    static let attributeCodings: [AttributeCoding<Model.Entity>] = [
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

    mutating func readChild(_ child: XMLTree) throws -> Bool {
        switch child.name {
        case "attribute": attributes.append(try Model.Attribute(child))
        case "relationship": relationships.append(try Model.Relationship(child))
        case "fetchedProperty": fetchedProperties.append(try Model.FetchedProperty(child))
        case "fetchIndex": fetchIndexes.append(try Model.FetchIndex(child))
        case "compoundIndexes": return try child.readTuples("compoundIndex", of: "index", into: &compoundIndexes)
        case "uniquenessConstraints":
            return try child.readTuples("uniquenessConstraint", of: "constraint", into: &uniquenessConstraints)
        case "userInfo": return try child.readUserInfo(into: &userInfo)
        default: return false
        }
        return true
    }
}

extension XMLTree {
    /// Reads a wrapper of name lists; `false`, with nothing read, if there is anything else in it.
    fileprivate func readTuples(
        _ tupleName: String, of elementName: String, into tuples: inout [Model.NameTuple]
    ) throws -> Bool {
        let all = elements
        guard tuples.isEmpty, !all.isEmpty, attributes.isEmpty, all.count == children.count,
            all.allSatisfy({ $0.name == tupleName && $0.attributes.isEmpty })
        else { return false }
        tuples = try all.map { tuple in
            var value = Model.NameTuple([])
            for (position, content) in tuple.children.enumerated() {
                guard case .element(let child) = content, child.name == elementName, child.attributes.count == 1,
                    child.children.isEmpty, let name = child.attributes["value"]
                else {
                    value.foreign.children.append(.init(position: position, node: ForeignNode(content)))
                    continue
                }
                value.names.append(name)
            }
            guard !value.names.isEmpty else { throw tuple.invalid("<\(tupleName)> names no property.") }
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

extension Model.UserInfo: ElementValue {
    static let blank = Model.UserInfo()
    static let requiredAttributes: [String] = []
    static let attributeCodings: [AttributeCoding<Model.UserInfo>] = []

    mutating func readChild(_ child: XMLTree) throws -> Bool {
        guard child.name == "entry" else { return false }
        entries.append(try Entry(child))
        return true
    }
}

extension Model.UserInfo.Entry: ElementValue {
    static let blank = Model.UserInfo.Entry(key: "", value: "")
    static let requiredAttributes = ["key"]

    static let attributeCodings: [AttributeCoding<Model.UserInfo.Entry>] = [
        .text("key", \.key),
        AttributeCoding(name: "value") { text, entry in
            entry.value = .string(text)
            return true
        } write: {
            $0.value.string
        },
    ]
}
