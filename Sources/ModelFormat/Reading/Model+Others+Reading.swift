extension Model.FetchRequest: ElementValue {
    package static let blank = Model.FetchRequest(name: "")

    package static let attributeCodings: [AttributeCoding<Model.FetchRequest>] = [
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

    package var unwritableProperty: String? {
        if fetchOffset != nil { return "fetch offset" }
        if !sortKeys.isEmpty { return "sort keys" }
        if !propertiesToFetch.isEmpty { return "properties to fetch" }
        return relationshipKeyPathsForPrefetching.isEmpty ? nil : "key paths for prefetching"
    }
}

extension Model.FetchIndex: ElementValue {
    package static let blank = Model.FetchIndex(name: "")
    package static let attributeCodings: [AttributeCoding<Model.FetchIndex>] = [.text("name", \.name)]

    package mutating func readChild(_ child: XMLTree) throws -> Bool {
        guard child.name == "fetchIndexElement" else { return false }
        elements.append(try Element(child))
        return true
    }

    package func writeChildren() throws -> [MarkupNode] {
        try elements.map { try $0.node("fetchIndexElement") }
    }

    package var unwritableProperty: String? { partialIndexPredicate == nil ? nil : "predicate" }
}

extension Model.FetchIndex.Element: ElementValue {
    package static let blank = Model.FetchIndex.Element()
    package static let requiredAttributes: [String] = []

    package static let attributeCodings: [AttributeCoding<Model.FetchIndex.Element>] = [
        .text("property", \.propertyName),
        .text("expression", \.expression),
        .choice("expressionType", \.expressionType, Model.AttributeType.documentNames),
        .choice("type", \.collation, [.binary: "Binary", .rTree: "RTree"]),
        .choice("order", \.isAscending, [true: "ascending", false: "descending"]),
    ]
}

extension Model.Configuration: ElementValue {
    package static let blank = Model.Configuration(name: "")

    package static let attributeCodings: [AttributeCoding<Model.Configuration>] = [
        .text("name", \.name),
        .flag("usedWithCloudKit", \.isUsedWithCloudKit),
    ]

    package mutating func readChild(_ child: XMLTree) throws -> Bool {
        guard child.name == "memberEntity", child.attributes.count == 1, child.children.isEmpty,
            let name = child.attributes["name"]
        else { return false }
        entityNames.append(name)
        return true
    }

    package func writeChildren() -> [MarkupNode] {
        entityNames.map { .element(name: "memberEntity", attributes: [.init("name", $0)]) }
    }
}

extension Model.Composite: ElementValue {
    package static let blank = Model.Composite(name: "")
    package static let attributeCodings: [AttributeCoding<Model.Composite>] = [.text("name", \.name)]

    package mutating func readChild(_ child: XMLTree) throws -> Bool {
        guard child.name == "attribute" else { return false }
        elements.append(try Model.Attribute(child))
        return true
    }

    package func writeChildren() throws -> [MarkupNode] {
        try elements.map { try $0.node("attribute") }
    }
}

extension Model.DiagramElement: ElementValue {
    package static let blank = Model.DiagramElement(name: "")

    package static let attributeCodings: [AttributeCoding<Model.DiagramElement>] = [
        .text("name", \.name),
        .measure("positionX", \.positionX),
        .measure("positionY", \.positionY),
        .measure("width", \.width),
        .measure("height", \.height),
    ]
}
