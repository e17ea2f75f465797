import FoundationGaps
import ModelFormat

extension ModelBuilder {
    /// Descriptions of an entity's own properties, relationships and fetched properties still without what they refer
    /// to.
    func properties(of entity: Model.Entity) throws -> [NSPropertyDescription] {
        let attributes = try entity.attributes.compactMap { value -> NSAttributeDescription? in
            try part("An attribute") { try attribute(value, path: "\(entity.name).\(value.name)", depth: 0) }
        }
        let relationships = try entity.relationships.compactMap { value -> NSRelationshipDescription? in
            try part("A relationship") { try relationship(value, in: entity) }
        }
        let fetched = try entity.fetchedProperties.map { try fetchedProperty($0, in: entity) }
        return attributes + relationships + fetched
    }

    // MARK: Attributes

    /// How deep composites may nest; more is a definition that contains itself.
    private static let greatestDepth = 16

    private func attribute(_ value: Model.Attribute, path: String, depth: Int) throws -> NSAttributeDescription {
        let attribute = try attributeOfKind(value, path: path, depth: depth)
        attribute.name = value.name
        attribute.attributeType = NSAttributeType(value.type)
        attribute.isOptional = value.isOptional
        attribute.isTransient = value.isTransient
        attribute.isReadOnly = value.isReadOnly || value.isDerived
        attribute.valueTransformerName = value.valueTransformerName.flatMap { $0.isEmpty ? nil : $0 }
        attribute.allowsExternalBinaryDataStorage = value.allowsExternalBinaryDataStorage
        attribute.preservesValueInHistoryOnDeletion = value.preservesValueInHistoryOnDeletion
        attribute.allowsCloudEncryption = value.allowsCloudEncryption
        attribute.isIndexed = value.isIndexed
        attribute.isIndexedBySpotlight = value.isIndexedBySpotlight
        attribute.isStoredInExternalRecord = value.isStoredInExternalRecord
        attribute.userInfo = value.userInfo?.dictionary ?? [:]
        attribute.renamingIdentifier = value.renamingIdentifier
        attribute.versionHashModifier = value.versionHashModifier
        if let reference = value.customClass, !reference.className.isEmpty {
            attribute.attributeValueClassName = reference.runtimeName(currentModule: moduleName)
        }
        _ = try part("A default value") { try setDefault(of: attribute, value, path: path) }
        try setValidation(of: attribute, value.allValidationRules, path: path)
        return attribute
    }

    /// The description of the right class, with what only that class has.
    private func attributeOfKind(_ value: Model.Attribute, path: String, depth: Int) throws -> NSAttributeDescription {
        if value.isDerived {
            let derived = NSDerivedAttributeDescription()
            derived.derivationExpression = try value.derivationExpression.flatMap { format -> NSExpression? in
                try part("A derivation") {
                    try ModelFormats.expression(format, of: "the derived attribute \"\(path)\"")
                }
            }
            derived.filterPredicate = try value.derivationFilterPredicate.flatMap { format -> NSPredicate? in
                try part("The filter of a derivation") {
                    try ModelFormats.predicate(format, of: "the derived attribute \"\(path)\"")
                }
            }
            return derived
        }
        guard value.type == .composite else { return NSAttributeDescription() }
        let composite = NSCompositeAttributeDescription()
        composite.compositeName = value.compositeName
        composite.elements = try elements(of: value, path: path, depth: depth)
        return composite
    }

    private func elements(of value: Model.Attribute, path: String, depth: Int) throws -> [NSAttributeDescription] {
        guard let definition = document.composites.first(where: { $0.name == value.compositeName }) else {
            throw Self.invalid(
                "The model lacks the composite \"\(value.compositeName ?? "")\", which the attribute \"\(path)\" is to be."
            )
        }
        guard depth < Self.greatestDepth else {
            throw Self.invalid("The composite \"\(definition.name)\" contains itself.")
        }
        guard Set(definition.elements.map(\.name)).count == definition.elements.count else {
            throw Self.invalid("The composite \"\(definition.name)\" has two elements of the same name.")
        }
        return try definition.elements.map { try attribute($0, path: "\(path).\($0.name)", depth: depth + 1) }
    }

    private func setDefault(of attribute: NSAttributeDescription, _ value: Model.Attribute, path: String) throws {
        if let data = value.defaultValueData {
            if value.type == .binary {
                attribute.defaultValue = data
            } else {
                attribute.defaultValueArchive = data
            }
            return
        }
        guard let text = value.type == .date ? value.defaultDateTimeInterval : value.defaultValueString else { return }
        // Xcode keeps the text of a field that was emptied, or of a type that the attribute no longer has.
        if text.isEmpty && value.type != .string || !value.type.hasSpelledDefault { return }
        guard let spelled = AttributeValue.value(spelled: text, type: attribute.attributeType) else {
            throw Self.invalid(
                "\"\(text)\" is no default value for the attribute \"\(path)\" (\(value.type.documentName)).")
        }
        attribute.defaultValue = spelled
    }

    private func setValidation(
        of property: NSPropertyDescription, _ rules: [Model.ValidationRule], path: String
    ) throws {
        guard !rules.isEmpty else { return }
        let made = try rules.compactMap { rule -> (NSPredicate, Any)? in
            try part("A validation rule") {
                (
                    try ModelFormats.predicate(rule.predicateFormat, of: "the validation of \"\(path)\""),
                    rule.warning.object
                )
            }
        }
        property.setValidation(made.map(\.0), warnings: made.map(\.1))
    }

    // MARK: Relationships and fetched properties

    private func relationship(
        _ value: Model.Relationship, in entity: Model.Entity
    ) throws -> NSRelationshipDescription {
        try checkDestination(of: value, in: entity)
        let relationship = NSRelationshipDescription()
        relationship.name = value.name
        relationship.minCount = value.minCount
        relationship.maxCount = value.maxCount
        relationship.isOrdered = value.isOrdered
        relationship.deleteRule = NSDeleteRule(value.deleteRule)
        relationship.isOptional = value.isOptional
        relationship.isTransient = value.isTransient
        relationship.isReadOnly = value.isReadOnly
        relationship.isIndexed = value.isIndexed
        relationship.isIndexedBySpotlight = value.isIndexedBySpotlight
        relationship.isStoredInExternalRecord = value.isStoredInExternalRecord
        relationship.userInfo = value.userInfo?.dictionary ?? [:]
        relationship.renamingIdentifier = value.renamingIdentifier
        relationship.versionHashModifier = value.versionHashModifier
        try setValidation(of: relationship, value.validationRules, path: "\(entity.name).\(value.name)")
        return relationship
    }

    private func fetchedProperty(
        _ value: Model.FetchedProperty, in entity: Model.Entity
    ) throws -> NSFetchedPropertyDescription {
        let property = NSFetchedPropertyDescription()
        property.name = value.name
        property.isOptional = value.isOptional
        property.userInfo = value.userInfo?.dictionary ?? [:]
        property.renamingIdentifier = value.renamingIdentifier
        property.versionHashModifier = value.versionHashModifier
        try setValidation(of: property, value.validationRules, path: "\(entity.name).\(value.name)")
        return property
    }
}

extension Model.AttributeType {
    /// Whether a document's text can be a default value of the type.
    fileprivate var hasSpelledDefault: Bool {
        switch self {
        case .binary, .transformable, .objectID, .composite: false
        default: true
        }
    }
}

extension Model.ValidationRule.Warning {
    /// As `validationWarnings` has it.
    fileprivate var object: Any {
        switch self {
        case .code(let code): NSNumber(value: code)
        case .text(let text): text
        }
    }
}
