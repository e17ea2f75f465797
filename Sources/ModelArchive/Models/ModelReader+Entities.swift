import Foundation
import ModelFormat

extension ModelReader {
    /// Reads an entity with its own properties; the definitions of its composite attributes are added to `composites`.
    func entity(
        _ name: String, _ value: ArchivedValue, _ composites: inout [Model.Composite]
    ) throws -> Model.Entity {
        guard try entityName(value) == name, let object = value.object else {
            throw corruptArchive("The compiled model is damaged: “\(name)” names no entity of that name.")
        }
        var entity = Model.Entity(name: name)
        let fields = fields(object, "the entity “\(name)”")
        entity.representedClass = try fields.string("NSClassNameForEntity").map { ClassReference($0) }
        entity.isAbstract = try fields.flag("NSIsAbstract")
        entity.renamingIdentifier = try fields.renamingIdentifier(of: name)
        entity.versionHashModifier = try fields.string("NSVersionHashModifier")
        entity.userInfo = try fields.userInfo()
        entity.compoundIndexes = try tuples(fields, "NSCompoundIndexes")
        entity.uniquenessConstraints = try tuples(fields, "NSUniqueTuples")
        entity.fetchIndexes = try fields.elements("NSFetchIndexDescriptions") { try fetchIndex($0, of: name) }
        entity.spotlightDisplayNameExpression = try fields.optional(ArchiveKey.spotlightName) {
            try object.object(ArchiveKey.spotlightName).map(predicates.expressionFormat)
        }

        let parent = try object.object("NSSuperentity")
        entity.parentName = try parent.map(entityName)
        let inherited = Set(try parent?.entries("NSProperties").map(\.key) ?? [])
        for (key, value) in try object.entries("NSProperties") where !inherited.contains(key) {
            _ = try part("The property “\(key)” of “\(name)”") {
                try add(value, named: key, to: &entity, &composites)
            }
        }
        return entity
    }

    /// The name of an entity that something refers to.
    func entityName(_ object: ArchivedObject) throws -> String {
        guard object.className == "NSEntityDescription" else {
            throw corruptArchive("The compiled model is damaged: a \(object.className) stands where an entity belongs.")
        }
        return try object.requiredString("NSEntityName")
    }

    private func add(
        _ value: ArchivedValue, named name: String, to entity: inout Model.Entity, _ composites: inout [Model.Composite]
    ) throws {
        if case .unknown(let className) = value {
            throw corruptArchive("The property is of the unknown class “\(className)”.")
        }
        guard let listed = value.object, let property = try underlying(listed),
            try property.requiredString("NSPropertyName") == name
        else {
            throw corruptArchive(
                "The compiled model is damaged: “\(name)” of “\(entity.name)” names no property of that name.")
        }
        switch property.className {
        case "NSAttributeDescription", "NSDerivedAttributeDescription", "NSCompositeAttributeDescription":
            entity.attributes.append(try attribute(property, path: "\(entity.name).\(name)", &composites))
        case "NSRelationshipDescription":
            entity.relationships.append(try relationship(property, of: entity.name))
        case "NSFetchedPropertyDescription":
            entity.fetchedProperties.append(try fetchedProperty(property, of: entity.name))
        default:
            throw corruptArchive(
                "The compiled model is damaged: “\(name)” of “\(entity.name)” is a \(property.className).")
        }
    }

    /// The property itself, where the archive lists a proxy of it, as optimized models do.
    private func underlying(_ property: ArchivedObject) throws -> ArchivedObject? {
        property.fields["NSUnderlyingProperty"] == nil ? property : try property.object("NSUnderlyingProperty")
    }

    /// Lists of property names; an element may be the property itself.
    private func tuples(_ entity: FieldReader, _ key: String) throws -> [Model.NameTuple] {
        try entity.elements(key) { tuple in
            guard let elements = try tuple.object?.elements() else {
                throw entity.object.unexpected(key, "list of lists")
            }
            return Model.NameTuple(
                try elements.map { element in
                    if let name = try element.string ?? element.object?.string("NSPropertyName") { return name }
                    throw entity.object.unexpected(key, "list of property names")
                })
        }
    }
}

// MARK: - Indexes

extension ModelReader {
    private func fetchIndex(_ value: ArchivedValue, of entity: String) throws -> Model.FetchIndex {
        guard let object = value.object, object.className == "NSFetchIndexDescription" else {
            throw corruptArchive("The compiled model is damaged: an index of “\(entity)” is none.")
        }
        var index = Model.FetchIndex(name: try object.requiredString("NSIndexName"))
        index.elements = try object.elements("NSIndexElements").map { try fetchIndexElement($0, of: entity) }
        index.partialIndexPredicate = try object.object("NSPartialIndexPredicate").map(predicates.predicateFormat)
        return index
    }

    private func fetchIndexElement(_ value: ArchivedValue, of entity: String) throws -> Model.FetchIndex.Element {
        guard let object = value.object, object.className == "NSFetchIndexElementDescription",
            let code = UInt(exactly: try object.integer("NSFetchIndexElementType") ?? 0),
            let collation = Model.FetchIndex.Collation(rawValue: code)
        else {
            throw corruptArchive(
                "The compiled model is damaged: an index of “\(entity)” has an unknown kind of element.")
        }
        var element = try expressionElement(object) ?? .init(propertyName: object.requiredString("NSPropertyName"))
        element.collation = collation
        element.isAscending = try object.flag("NSAscending")
        return element
    }

    /// An element over an expression, which the archive has under the name of the element; nil for an element over a
    /// property.
    private func expressionElement(_ element: ArchivedObject) throws -> Model.FetchIndex.Element? {
        guard let computed = try element.object("NSIndexedProperty"), computed.className == "NSExpressionDescription"
        else { return nil }
        guard let expression = try computed.object("NSExpression") else {
            throw computed.unexpected("NSExpression", "expression")
        }
        var value = Model.FetchIndex.Element(
            expression: try predicates.expressionFormat(expression),
            type: try attributeType(computed, "NSExpressionType"))
        let name = try computed.string("NSPropertyName")
        value.expressionName = name == value.expression ? nil : name
        return value
    }
}
