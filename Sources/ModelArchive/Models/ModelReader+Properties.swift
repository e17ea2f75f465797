import Foundation
import ModelDocument

extension ModelReader {
    func relationship(_ object: ArchivedObject) throws -> Model.Relationship {
        let name = try object.requiredString("NSPropertyName")
        var relationship = Model.Relationship(name: name)
        relationship.isOptional = try object.flag("NSIsOptional")
        relationship.isTransient = try object.flag("NSIsTransient")
        relationship.isReadOnly = try object.flag("NSIsReadOnly")
        relationship.isOrdered = try object.flag("NSIsOrdered")
        relationship.isIndexed = try object.flag("NSIsIndexed")
        relationship.isIndexedBySpotlight = try object.flag(ArchiveKey.isIndexedBySpotlight)
        relationship.isStoredInExternalRecord = try object.flag(ArchiveKey.isStoredInExternalRecord)
        relationship.minCount = try object.integer("NSMinCount") ?? 0
        relationship.maxCount = try object.integer("NSMaxCount") ?? 0
        relationship.deleteRule = try deleteRule(object)
        relationship.renamingIdentifier = try renamingIdentifier(object, of: name)
        relationship.versionHashModifier = try object.string("NSVersionHashModifier")
        relationship.userInfo = try object.userInfo()
        relationship.validationRules = try validationRules(object)
        try readEnds(object, into: &relationship)
        return relationship
    }

    /// Destination and inverse: by name, in old archives by reference alone.
    private func readEnds(_ object: ArchivedObject, into relationship: inout Model.Relationship) throws {
        let inverse = try object.object("NSInverseRelationship")
        relationship.destinationName =
            try object.string("_NSDestinationEntityName") ?? object.object("NSDestinationEntity").map(entityName)
        relationship.inverseName =
            try object.string("_NSInverseRelationshipName") ?? inverse?.requiredString("NSPropertyName")
        relationship.inverseEntityName = try inverse?.object("NSEntity").map(entityName)
    }

    private func deleteRule(_ object: ArchivedObject) throws -> Model.DeleteRule {
        let code = try object.integer("NSDeleteRule") ?? 0
        guard let rule = UInt(exactly: code).flatMap(Model.DeleteRule.init(rawValue:)) else {
            throw object.unexpected("NSDeleteRule", "delete rule (\(code))")
        }
        return rule
    }

    func fetchedProperty(_ object: ArchivedObject) throws -> Model.FetchedProperty {
        let name = try object.requiredString("NSPropertyName")
        var property = Model.FetchedProperty(name: name)
        property.isOptional = try object.flag("NSIsOptional")
        property.isTransient = try object.flag("NSIsTransient")
        property.isReadOnly = try object.flag("NSIsReadOnly")
        property.renamingIdentifier = try renamingIdentifier(object, of: name)
        property.versionHashModifier = try object.string("NSVersionHashModifier")
        property.userInfo = try object.userInfo()
        property.validationRules = try validationRules(object)
        property.fetchRequest = try object.object("NSFetchRequest").map { archived in
            var request = try fetchRequest(archived, named: "fetchedPropertyFetchRequest")
            request.entityName = try request.entityName ?? object.string("_NSFetchRequestEntityName")
            return request
        }
        return property
    }
}
