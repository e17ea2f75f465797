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
        relationship.userInfo = try userInfo(object)
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
        property.userInfo = try userInfo(object)
        property.validationRules = try validationRules(object)
        property.fetchRequest = try object.object("NSFetchRequest").map { archived in
            var request = try fetchRequest(archived, named: "fetchedPropertyFetchRequest")
            request.entityName = try request.entityName ?? object.string("_NSFetchRequestEntityName")
            return request
        }
        return property
    }
}

// MARK: - User info

extension ModelReader {
    private static let greatestUserInfoDepth = 32

    /// The user info, unless it is empty: archives hold an empty one for nothing.
    func userInfo(_ object: ArchivedObject) throws -> Model.UserInfo? {
        let entries = try object.entries("NSUserInfo").map {
            Model.UserInfo.Entry(key: $0.key, value: try userInfoValue($0.value, depth: 0))
        }
        return entries.isEmpty ? nil : Model.UserInfo(entries)
    }

    private func userInfoValue(_ value: ArchivedValue, depth: Int) throws -> Model.UserInfoValue {
        guard depth < Self.greatestUserInfoDepth else {
            throw corruptArchive("A user info of the model nests too deep.")
        }
        switch value {
        case .boolean(let flag): return .boolean(flag)
        case .integer(let number): return .integer(number)
        case .real(let number): return .real(number)
        case .date(let seconds): return .date(seconds)
        case .data(let bytes): return .data(bytes)
        case .string(let text): return .string(text)
        case .null: throw corruptArchive("A user info of the model has no value for a key.")
        case .object(let object): return try userInfoValue(object, depth: depth)
        }
    }

    private func userInfoValue(_ object: ArchivedObject, depth: Int) throws -> Model.UserInfoValue {
        if let text = object.fields["NS.string"]?.string { return .string(text) }
        if let bytes = object.fields["NS.data"]?.data { return .data(bytes) }
        if case .real(let seconds) = object.fields["NS.time"] { return .date(seconds) }
        if let elements = try object.elements() {
            return .array(try elements.map { try userInfoValue($0, depth: depth + 1) })
        }
        if let entries = try object.entries() {
            let pairs = try entries.map { ($0.key, try userInfoValue($0.value, depth: depth + 1)) }
            return .dictionary(Dictionary(uniqueKeysWithValues: pairs))
        }
        throw corruptArchive(
            "A user info of the model has a value of class “\(object.className)”, which is no plain value.")
    }
}
