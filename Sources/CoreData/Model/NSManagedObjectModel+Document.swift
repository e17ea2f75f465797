import FoundationGaps
import ModelArchive
import ModelFormat

extension NSManagedObjectModel {
    /// A model of a document's or a compiled model's values.
    ///
    /// - Parameters:
    ///   - document: The values.
    ///   - moduleName: The module that class names such as `.Player` mean.
    ///   - notes: Where parts are noted that nothing can be made of, and that the model then goes without. Without
    ///     notes they are errors.
    /// - Throws: `ModelDocumentError` `invalidContent`, naming entity and property.
    package convenience init(
        document: Model, moduleName: String? = nil, leavingOut notes: ReadingNotes? = nil
    ) throws {
        self.init()
        try ModelBuilder(document, moduleName: moduleName, leavingOut: notes).fill(self)
        isIncomplete = notes.map { !$0.isEmpty } ?? false
    }

    /// A model from its archive, as a `.mom` file or a store has it. What is not understood is left out.
    ///
    /// - Throws: `NSFileReadCorruptFileError` (259) for an archive that no model can be made of.
    package convenience init(archive: Data, leavingOut notes: ReadingNotes) throws {
        try self.init(document: try ModelArchive.read(archive, leavingOut: notes), leavingOut: notes)
    }

    /// The model as values, for hashes and for the model's files.
    ///
    /// Bounds come as validation rules. What only a document has (its diagram, code generation) is not known here.
    package var document: Model {
        var model = Model(entities: entities.map(\.document))
        model.versionIdentifiers = versionIdentifiers.map { $0.base as? String ?? "\($0.base)" }.sorted()
        model.localizationDictionary = localizationDictionary
        model.configurations = configurations.map { name in
            let members = entities(forConfigurationName: name) ?? []
            return Model.Configuration(name: name, entityNames: members.compactMap(\.name))
        }
        model.fetchRequests = fetchRequestTemplatesByName.sorted { $0.key < $1.key }.map {
            Model.FetchRequest($0.value, name: $0.key)
        }
        model.composites = composites
        return model
    }

    /// The definitions of all composite attributes, nested ones included, each name once.
    private var composites: [Model.Composite] {
        let all = entities.flatMap { entity in
            entity.ownProperties.compactMap { $0 as? NSAttributeDescription }.flatMap {
                $0.composites(path: "\(entity.name ?? "").\($0.name)")
            }
        }
        let distinct = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
        return distinct.values.sorted { $0.name < $1.name }
    }
}

extension NSEntityDescription {
    /// The entity as a value, with its own properties.
    package var document: Model.Entity {
        var entity = Model.Entity(name: name ?? "")
        let className = managedObjectClassName ?? "NSManagedObject"
        entity.representedClass = className == "NSManagedObject" ? nil : ClassReference(className)
        entity.isAbstract = isAbstract
        entity.parentName = superentity?.name
        entity.renamingIdentifier = renamingIdentifier == name ? nil : renamingIdentifier
        entity.versionHashModifier = versionHashModifier
        entity.spotlightDisplayNameExpression = spotlightDisplayNameFormat
        entity.userInfo = Model.UserInfo(userInfo)
        entity.uniquenessConstraints = uniquenessConstraints.map { Model.NameTuple(names($0)) }
        entity.compoundIndexes = compoundIndexes.map { Model.NameTuple(names($0)) }
        entity.fetchIndexes = indexes.map(\.document)
        for property in ownProperties {
            switch property {
            case let attribute as NSAttributeDescription:
                entity.attributes.append(attribute.document(path: "\(name ?? "").\(attribute.name)"))
            case let relationship as NSRelationshipDescription: entity.relationships.append(relationship.document)
            case let fetched as NSFetchedPropertyDescription: entity.fetchedProperties.append(fetched.document)
            default: break
            }
        }
        return entity
    }
}

extension NSAttributeDescription {
    /// The attribute as a value.
    ///
    /// - Parameter path: Entity and attribute, which name the definition of a composite that has no name.
    package func document(path: String) -> Model.Attribute {
        var attribute = Model.Attribute(name: name, type: Model.AttributeType(attributeType))
        attribute.isOptional = isOptional
        attribute.isTransient = isTransient
        attribute.isReadOnly = isReadOnly
        attribute.valueTransformerName = valueTransformerName
        attribute.customClass = customValueClassName.map { ClassReference($0) }
        attribute.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
        attribute.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
        attribute.allowsCloudEncryption = allowsCloudEncryption
        attribute.isIndexed = isIndexed
        attribute.isIndexedBySpotlight = isIndexedBySpotlight
        attribute.isStoredInExternalRecord = isStoredInExternalRecord
        attribute.userInfo = Model.UserInfo(userInfo)
        attribute.renamingIdentifier = documentRenamingIdentifier
        attribute.versionHashModifier = versionHashModifier
        attribute.validationRules = validationRules
        spellDefault(in: &attribute)
        if let derived = self as? NSDerivedAttributeDescription {
            attribute.isDerived = true
            attribute.derivationExpression = derived.derivationExpression?.description
            attribute.derivationFilterPredicate = derived.filterPredicate?.formatText
        }
        if let composite = self as? NSCompositeAttributeDescription {
            attribute.compositeName = composite.definitionName(path: path)
        }
        return attribute
    }

    private func spellDefault(in attribute: inout Model.Attribute) {
        attribute.defaultValueData = defaultValueArchive
        guard let value = defaultValue, !(value is NSNull) else { return }
        if attributeType == .binaryDataAttributeType {
            attribute.defaultValueData = value as? Data
        } else if let text = AttributeValue.spelling(of: value, type: attributeType) {
            if attributeType == .dateAttributeType {
                attribute.defaultDateTimeInterval = text
            } else {
                attribute.defaultValueString = text
            }
        }
    }
}

extension NSCompositeAttributeDescription {
    fileprivate func definitionName(path: String) -> String { compositeName ?? path }
}

extension NSAttributeDescription {
    /// The definitions that the attribute needs if it is composite, those of nested ones included.
    ///
    /// - Parameter path: Entity and attribute, which name a definition that has no name.
    func composites(path: String) -> [Model.Composite] {
        guard let composite = self as? NSCompositeAttributeDescription else { return [] }
        let definition = Model.Composite(
            name: composite.definitionName(path: path),
            elements: composite.elements.map { $0.document(path: "\(path).\($0.name)") })
        return [definition] + composite.elements.flatMap { $0.composites(path: "\(path).\($0.name)") }
    }
}

extension NSRelationshipDescription {
    /// The relationship as a value.
    package var document: Model.Relationship {
        var relationship = Model.Relationship(name: name, destinationName: destinationEntity?.name)
        relationship.inverseName = inverseRelationship?.name
        relationship.inverseEntityName = inverseRelationship == nil ? nil : destinationEntity?.name
        relationship.minCount = minCount
        relationship.maxCount = maxCount
        relationship.isOrdered = isOrdered
        relationship.isOptional = isOptional
        relationship.isTransient = isTransient
        relationship.isReadOnly = isReadOnly
        relationship.deleteRule = Model.DeleteRule(deleteRule)
        relationship.validationRules = validationRules
        relationship.isIndexed = isIndexed
        relationship.isIndexedBySpotlight = isIndexedBySpotlight
        relationship.isStoredInExternalRecord = isStoredInExternalRecord
        relationship.userInfo = Model.UserInfo(userInfo)
        relationship.renamingIdentifier = documentRenamingIdentifier
        relationship.versionHashModifier = versionHashModifier
        return relationship
    }
}

extension NSFetchedPropertyDescription {
    /// The fetched property as a value.
    package var document: Model.FetchedProperty {
        var property = Model.FetchedProperty(name: name)
        property.fetchRequest = fetchRequest.map { Model.FetchRequest($0, name: "fetchedPropertyFetchRequest") }
        property.isOptional = isOptional
        property.isTransient = isTransient
        property.isReadOnly = isReadOnly
        property.validationRules = validationRules
        property.userInfo = Model.UserInfo(userInfo)
        property.renamingIdentifier = documentRenamingIdentifier
        property.versionHashModifier = versionHashModifier
        return property
    }
}

extension NSPropertyDescription {
    fileprivate var documentRenamingIdentifier: String? { renamingIdentifier == name ? nil : renamingIdentifier }

    /// The validation predicates as a model's files have them; predicates that run code have no format and are left
    /// out.
    fileprivate var validationRules: [Model.ValidationRule] {
        zip(validationPredicates, validationWarnings).compactMap { predicate, warning in
            guard let format = ModelFormats.format(of: predicate) else { return nil }
            let value: Model.ValidationRule.Warning =
                (warning as? NSNumber).map { .code($0.intValue) } ?? .text(warning as? String ?? "\(warning)")
            return Model.ValidationRule(predicateFormat: format, warning: value)
        }
    }
}

extension NSFetchIndexDescription {
    fileprivate var document: Model.FetchIndex {
        var index = Model.FetchIndex(name: name)
        index.partialIndexPredicate = partialIndexPredicate.flatMap(ModelFormats.format)
        index.elements = elements.map(\.document)
        return index
    }
}

extension NSFetchIndexElementDescription {
    fileprivate var document: Model.FetchIndex.Element {
        var element: Model.FetchIndex.Element
        if let computed = property as? NSExpressionDescription {
            element = Model.FetchIndex.Element(
                expression: computed.expression?.description ?? computed.name,
                type: Model.AttributeType(computed.expressionResultType))
            if computed.name != element.expression { element.expressionName = computed.name }
        } else {
            element = Model.FetchIndex.Element(propertyName: propertyName ?? "")
        }
        element.collation = collationType == .rTree ? .rTree : .binary
        element.isAscending = isAscending
        return element
    }
}

extension Model.FetchRequest {
    /// A stored request as a value.
    fileprivate init(_ request: NSFetchRequest<any NSFetchRequestResult>, name: String) {
        self.init(name: name, entityName: request.entityName)
        predicateFormat = request.predicate.flatMap(ModelFormats.format)
        fetchLimit = request.fetchLimit == 0 ? nil : request.fetchLimit
        fetchOffset = request.fetchOffset == 0 ? nil : request.fetchOffset
        fetchBatchSize = request.fetchBatchSize == 0 ? nil : request.fetchBatchSize
        resultType = request.resultType == .managedObjectResultType ? nil : Int(request.resultType.rawValue)
        includesSubentities = request.includesSubentities
        includesPropertyValues = request.includesPropertyValues
        includesPendingChanges = request.includesPendingChanges
        returnsObjectsAsFaults = request.returnsObjectsAsFaults
        returnsDistinctResults = request.returnsDistinctResults
        sortKeys = (request.sortDescriptors ?? []).compactMap(ModelFormats.sortKey)
        propertiesToFetch = (request.propertiesToFetch ?? []).compactMap {
            $0 as? String ?? ($0 as? NSPropertyDescription)?.name
        }
        relationshipKeyPathsForPrefetching = request.relationshipKeyPathsForPrefetching ?? []
    }
}
