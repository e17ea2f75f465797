import Foundation
import ModelFormat

extension ModelReader {
    /// Reads a relationship; whether it is one to many, ordered or transient decides where its members are, so that has
    /// to be readable.
    func relationship(_ object: ArchivedObject, of entity: String) throws -> Model.Relationship {
        let name = try object.requiredString("NSPropertyName")
        let fields = fields(object, "the relationship “\(entity).\(name)”")
        var relationship = Model.Relationship(name: name)
        relationship.isOptional = try fields.flag("NSIsOptional")
        relationship.isTransient = try object.flag("NSIsTransient")
        relationship.isReadOnly = try fields.flag("NSIsReadOnly")
        relationship.isOrdered = try object.flag("NSIsOrdered")
        relationship.isIndexed = try fields.flag("NSIsIndexed")
        relationship.isIndexedBySpotlight = try fields.flag(ArchiveKey.isIndexedBySpotlight)
        relationship.isStoredInExternalRecord = try fields.flag(ArchiveKey.isStoredInExternalRecord)
        relationship.minCount = try fields.integer("NSMinCount") ?? 0
        relationship.maxCount = try object.integer("NSMaxCount") ?? 0
        relationship.deleteRule = try fields.optional("NSDeleteRule") { try deleteRule(object) } ?? .nullify
        relationship.renamingIdentifier = try fields.renamingIdentifier(of: name)
        relationship.versionHashModifier = try fields.string("NSVersionHashModifier")
        relationship.userInfo = try fields.userInfo()
        relationship.validationRules = try validationRules(fields)
        try readEnds(object, fields, into: &relationship)
        return relationship
    }

    /// Destination and inverse: by name, in old archives by reference alone.
    private func readEnds(
        _ object: ArchivedObject, _ fields: FieldReader, into relationship: inout Model.Relationship
    ) throws {
        let inverse = try fields.optional("NSInverseRelationship") { try object.object("NSInverseRelationship") }
        relationship.destinationName =
            try object.string("_NSDestinationEntityName") ?? object.object("NSDestinationEntity").map(entityName)
        relationship.inverseName = try fields.optional("_NSInverseRelationshipName") {
            try object.string("_NSInverseRelationshipName") ?? inverse?.requiredString("NSPropertyName")
        }
        relationship.inverseEntityName = try fields.optional("NSInverseRelationship") {
            try inverse?.object("NSEntity").map(entityName)
        }
    }

    private func deleteRule(_ object: ArchivedObject) throws -> Model.DeleteRule {
        let code = try object.integer("NSDeleteRule") ?? 0
        guard let rule = UInt(exactly: code).flatMap(Model.DeleteRule.init(rawValue:)) else {
            throw object.unexpected("NSDeleteRule", "delete rule (\(code))")
        }
        return rule
    }

    func fetchedProperty(_ object: ArchivedObject, of entity: String) throws -> Model.FetchedProperty {
        let name = try object.requiredString("NSPropertyName")
        let fields = fields(object, "the fetched property “\(entity).\(name)”")
        var property = Model.FetchedProperty(name: name)
        property.isOptional = try fields.flag("NSIsOptional")
        property.isTransient = try fields.flag("NSIsTransient")
        property.isReadOnly = try fields.flag("NSIsReadOnly")
        property.renamingIdentifier = try fields.renamingIdentifier(of: name)
        property.versionHashModifier = try fields.string("NSVersionHashModifier")
        property.userInfo = try fields.userInfo()
        property.validationRules = try validationRules(fields)
        property.fetchRequest = try object.object("NSFetchRequest").map { archived in
            var request = try fetchRequest(archived, named: "fetchedPropertyFetchRequest")
            request.entityName = try request.entityName ?? object.string("_NSFetchRequestEntityName")
            return request
        }
        return property
    }
}
