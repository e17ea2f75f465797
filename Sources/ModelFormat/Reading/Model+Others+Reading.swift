extension Model.FetchRequest: ElementValue {
    static let blank = Model.FetchRequest(name: "")

    static let attributeCodings: [AttributeCoding<Model.FetchRequest>] = [
        .text("name", \.name),
        .text("entity", \.entityName),
        .text("predicateString", \.predicateFormat),
        .integer("resultType", \.resultType),
        .integer("fetchLimit", \.fetchLimit),
        .integer("fetchBatchSize", \.fetchBatchSize),
        .flag("includeSubentities", \.includesSubentities),
        .flag("includePropertyValues", \.includesPropertyValues),
        .flag("includesPendingChanges", \.includesPendingChanges),
        .flag("returnObjectsAsFaults", \.returnsObjectsAsFaults),
        .flag("returnDistinctResults", \.returnsDistinctResults),
    ]

    var unwritableProperty: String? {
        if fetchOffset != nil { return "fetch offset" }
        if !sortKeys.isEmpty { return "sort keys" }
        if !propertiesToFetch.isEmpty { return "properties to fetch" }
        return relationshipKeyPathsForPrefetching.isEmpty ? nil : "key paths for prefetching"
    }
}

extension Model.FetchIndex: ElementValue {
    static let blank = Model.FetchIndex(name: "")
    static let attributeCodings: [AttributeCoding<Model.FetchIndex>] = [.text("name", \.name)]

    mutating func readChild(_ child: XMLTree) throws -> Bool {
        guard child.name == "fetchIndexElement" else { return false }
        elements.append(try Element(child))
        return true
    }

    func writeChildren() throws -> [MarkupNode] {
        try elements.map { try $0.node("fetchIndexElement") }
    }

    var unwritableProperty: String? { partialIndexPredicate == nil ? nil : "predicate" }
}

extension Model.FetchIndex.Element: ElementValue {
    static let blank = Model.FetchIndex.Element()
    static let requiredAttributes: [String] = []

    static let attributeCodings: [AttributeCoding<Model.FetchIndex.Element>] = [
        .text("property", \.propertyName),
        .text("expression", \.expression),
        .choice("expressionType", \.expressionType, Model.AttributeType.documentNames),
        .choice("type", \.collation, [.binary: "Binary", .rTree: "RTree"]),
        .choice("order", \.isAscending, [true: "ascending", false: "descending"]),
    ]
}

extension Model.Configuration: ElementValue {
    static let blank = Model.Configuration(name: "")

    static let attributeCodings: [AttributeCoding<Model.Configuration>] = [
        .text("name", \.name),
        .flag("usedWithCloudKit", \.isUsedWithCloudKit),
    ]

    mutating func readChild(_ child: XMLTree) throws -> Bool {
        guard child.name == "memberEntity", child.attributes.count == 1, child.children.isEmpty,
            let name = child.attributes["name"]
        else { return false }
        entityNames.append(name)
        return true
    }

    func writeChildren() -> [MarkupNode] {
        entityNames.map { .element(name: "memberEntity", attributes: [.init("name", $0)]) }
    }
}

extension Model.Composite: ElementValue {
    static let blank = Model.Composite(name: "")
    static let attributeCodings: [AttributeCoding<Model.Composite>] = [.text("name", \.name)]

    mutating func readChild(_ child: XMLTree) throws -> Bool {
        guard child.name == "attribute" else { return false }
        elements.append(try Model.Attribute(child))
        return true
    }

    func writeChildren() throws -> [MarkupNode] {
        try elements.map { try $0.node("attribute") }
    }
}

extension Model.DiagramElement: ElementValue {
    static let blank = Model.DiagramElement(name: "")

    static let attributeCodings: [AttributeCoding<Model.DiagramElement>] = [
        .text("name", \.name),
        .measure("positionX", \.positionX),
        .measure("positionY", \.positionY),
        .measure("width", \.width),
        .measure("height", \.height),
    ]
}
