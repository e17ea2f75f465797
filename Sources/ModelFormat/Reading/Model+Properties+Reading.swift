extension Model.Attribute: ElementValue {
    package static let blank: Model.Attribute = {
        var attribute = Model.Attribute(name: "", type: .undefined)
        attribute.isSyncable = false
        return attribute
    }()

    package static let attributeCodings: [AttributeCoding<Model.Attribute>] = [
        .text("name", \.name),
        .flag("optional", \.isOptional),
        .flag("transient", \.isTransient),
        .choice("attributeType", \.type, Model.AttributeType.documentNames, absent: .undefined),
        .text("valueTransformerName", \.valueTransformerName),
        .classReference("customClassName", \.customClass),
        .text("composite", \.compositeName),
        .flag("derived", \.isDerived),
        .text("derivationExpression", \.derivationExpression),
        .flag("allowsExternalBinaryDataStorage", \.allowsExternalBinaryDataStorage),
        .text("minValueString", \.minValueString),
        .text("maxValueString", \.maxValueString),
        .text("minDateTimeInterval", \.minDateTimeInterval),
        .text("maxDateTimeInterval", \.maxDateTimeInterval),
        .text("defaultDateTimeInterval", \.defaultDateTimeInterval),
        .text("defaultValueString", \.defaultValueString),
        .text("regularExpressionString", \.regularExpressionString),
        .flag("usesScalarValueType", \.usesScalarValueType),
        .flag("preserveAfterDeletion", \.preservesValueInHistoryOnDeletion),
        .flag("allowsCloudEncryption", \.allowsCloudEncryption),
        .flag("indexed", \.isIndexed),
        .flag("spotlightIndexingEnabled", \.isIndexedBySpotlight),
        .flag("storedInTruthFile", \.isStoredInExternalRecord),
        .text("versionHashModifier", \.versionHashModifier),
        .text("elementID", \.renamingIdentifier),
        .flag("syncable", \.isSyncable),
    ]

    package mutating func readChild(_ child: XMLTree) throws -> Bool {
        child.name == "userInfo" ? try child.readUserInfo(into: &userInfo) : false
    }

    package func writeChildren() throws -> [MarkupNode] { try userInfo.nodes() }

    package var unwritableProperty: String? {
        if defaultValueData != nil { return "default value" }
        if derivationFilterPredicate != nil { return "derivation's predicate" }
        if isReadOnly { return "being read-only" }
        return validationRules.isEmpty ? nil : "validation predicates"
    }
}

extension Model.AttributeType {
    /// The type's name in documents: `Integer 64`, `Boolean`, `Transformable`.
    ///
    /// It is the value of `attributeType`.
    public var documentName: String {
        switch self {
        case .undefined: "Undefined"
        case .integer16: "Integer 16"
        case .integer32: "Integer 32"
        case .integer64: "Integer 64"
        case .decimal: "Decimal"
        case .double: "Double"
        case .float: "Float"
        case .string: "String"
        case .boolean: "Boolean"
        case .date: "Date"
        case .binary: "Binary"
        case .uuid: "UUID"
        case .uri: "URI"
        case .transformable: "Transformable"
        case .objectID: "ObjectID"
        case .composite: "Composite"
        }
    }

    static let documentNames: [Model.AttributeType: String] =
        Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.documentName) })
}

extension Model.Relationship: ElementValue {
    package static let blank: Model.Relationship = {
        var relationship = Model.Relationship(name: "")
        relationship.isSyncable = false
        return relationship
    }()

    package static let attributeCodings: [AttributeCoding<Model.Relationship>] = [
        .text("name", \.name),
        .flag("optional", \.isOptional),
        .flag("transient", \.isTransient),
        .toMany,
        .integer("minCount", \.minCount, absent: 0),
        .integer("maxCount", \.maxCount, absent: 0),
        .choice("deletionRule", \.deleteRule, Model.DeleteRule.documentNames),
        .flag("ordered", \.isOrdered),
        .text("destinationEntity", \.destinationName),
        .text("inverseName", \.inverseName),
        .text("inverseEntity", \.inverseEntityName),
        .flag("indexed", \.isIndexed),
        .flag("spotlightIndexingEnabled", \.isIndexedBySpotlight),
        .flag("storedInTruthFile", \.isStoredInExternalRecord),
        .text("versionHashModifier", \.versionHashModifier),
        .text("elementID", \.renamingIdentifier),
        .flag("syncable", \.isSyncable),
    ]

    package mutating func readChild(_ child: XMLTree) throws -> Bool {
        child.name == "userInfo" ? try child.readUserInfo(into: &userInfo) : false
    }

    package func writeChildren() throws -> [MarkupNode] { try userInfo.nodes() }

    package var unwritableProperty: String? {
        if isReadOnly { return "being read-only" }
        return validationRules.isEmpty ? nil : "validation predicates"
    }
}

extension AttributeCoding<Model.Relationship> {
    /// `toMany` sets the count's default, so it comes before `maxCount`: no limit for `YES`, one otherwise.
    fileprivate static var toMany: AttributeCoding {
        AttributeCoding(name: "toMany") { text, relationship in
            guard text == "YES" || text == "NO" else { return false }
            relationship.maxCount = text == "YES" ? 0 : 1
            return true
        } write: {
            $0.isToMany ? "YES" : nil
        }
    }
}

extension Model.DeleteRule {
    /// The rule's name in documents: `No Action`, `Nullify`, `Cascade`, `Deny`.
    ///
    /// It is the value of `deletionRule`.
    public var documentName: String {
        switch self {
        case .noAction: "No Action"
        case .nullify: "Nullify"
        case .cascade: "Cascade"
        case .deny: "Deny"
        }
    }

    static let documentNames: [Model.DeleteRule: String] =
        Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.documentName) })
}

extension Model.FetchedProperty: ElementValue {
    package static let blank: Model.FetchedProperty = {
        var property = Model.FetchedProperty(name: "")
        property.isSyncable = false
        return property
    }()

    package static let attributeCodings: [AttributeCoding<Model.FetchedProperty>] = [
        .text("name", \.name),
        .flag("optional", \.isOptional),
        .flag("transient", \.isTransient),
        .text("versionHashModifier", \.versionHashModifier),
        .text("elementID", \.renamingIdentifier),
        .flag("syncable", \.isSyncable),
    ]

    package mutating func readChild(_ child: XMLTree) throws -> Bool {
        switch child.name {
        case "fetchRequest" where fetchRequest == nil: fetchRequest = try Model.FetchRequest(child)
        case "userInfo": return try child.readUserInfo(into: &userInfo)
        default: return false
        }
        return true
    }

    package func writeChildren() throws -> [MarkupNode] {
        try (fetchRequest.map { [try $0.node("fetchRequest")] } ?? []) + userInfo.nodes()
    }

    package var unwritableProperty: String? {
        if isReadOnly { return "being read-only" }
        return validationRules.isEmpty ? nil : "validation predicates"
    }
}
