import Foundation
import ModelDocument

extension ModelReader {
    /// Reads an entity with its own properties; the definitions of its composite attributes are added to `composites`.
    func entity(
        _ name: String, _ value: ArchivedValue, _ composites: inout [Model.Composite]
    ) throws -> Model.Entity {
        guard let object = value.object, object.className == "NSEntityDescription", try entityName(object) == name
        else {
            throw corruptArchive("The compiled model is damaged: “\(name)” names no entity of that name.")
        }
        var entity = Model.Entity(name: name)
        entity.representedClass = try object.string("NSClassNameForEntity").map { ClassReference($0) }
        entity.isAbstract = try object.flag("NSIsAbstract")
        entity.renamingIdentifier = try renamingIdentifier(object, of: name)
        entity.versionHashModifier = try object.string("NSVersionHashModifier")
        entity.userInfo = try object.userInfo()
        entity.compoundIndexes = try tuples(object, "NSCompoundIndexes")
        entity.uniquenessConstraints = try tuples(object, "NSUniqueTuples")
        entity.fetchIndexes = try object.elements("NSFetchIndexDescriptions").map { try fetchIndex($0, of: name) }
        entity.spotlightDisplayNameExpression = try object.object(ArchiveKey.spotlightName)
            .map(predicates.expressionFormat)

        let parent = try object.object("NSSuperentity")
        entity.parentName = try parent.map(entityName)
        let inherited = Set(try parent?.entries("NSProperties").map(\.key) ?? [])
        for (key, value) in try object.entries("NSProperties") where !inherited.contains(key) {
            try add(value, named: key, to: &entity, &composites)
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

    /// The renaming identifier, where it differs from the name that it falls back on.
    func renamingIdentifier(_ object: ArchivedObject, of name: String) throws -> String? {
        let identifier = try object.string("NSRenamingIdentifier")
        return identifier == name ? nil : identifier
    }

    private func add(
        _ value: ArchivedValue, named name: String, to entity: inout Model.Entity, _ composites: inout [Model.Composite]
    ) throws {
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
            entity.relationships.append(try relationship(property))
        case "NSFetchedPropertyDescription":
            entity.fetchedProperties.append(try fetchedProperty(property))
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
    private func tuples(_ entity: ArchivedObject, _ key: String) throws -> [Model.NameTuple] {
        try entity.elements(key).map { tuple in
            guard let elements = try tuple.object?.elements() else { throw entity.unexpected(key, "list of lists") }
            return Model.NameTuple(
                try elements.map { element in
                    if let name = try element.string ?? element.object?.string("NSPropertyName") { return name }
                    throw entity.unexpected(key, "list of property names")
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
        var element: Model.FetchIndex.Element
        if let expression = try object.object(ArchiveKey.indexExpression) {
            let type = try attributeType(object, ArchiveKey.indexExpressionType)
            element = .init(expression: try predicates.expressionFormat(expression), type: type)
        } else {
            element = .init(propertyName: try object.requiredString("NSPropertyName"))
        }
        element.collation = collation
        element.isAscending = try object.flag("NSAscending")
        return element
    }
}
