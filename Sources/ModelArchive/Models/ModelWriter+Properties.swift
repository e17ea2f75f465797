import Foundation
import ModelFormat
import PropertyLists

extension ModelWriter {
    /// What every property's archive has.
    private mutating func propertyFields(
        name: String, entity: String, isOptional: Bool, isTransient: Bool, isReadOnly: Bool,
        renamingIdentifier: String?, versionHashModifier: String?, userInfo: Model.UserInfo?, hasRules: Bool
    ) throws -> [String: PropertyListValue] {
        var fields: [String: PropertyListValue] = [
            "NSPropertyName": builder.string(name).value,
            "NSEntity": try reference(toEntity: entity, from: "The property “\(name)”").value,
            "NSRenamingIdentifier": builder.string(renamingIdentifier ?? name).value,
        ]
        var summary: PropertySummary = [.always]
        if isOptional { summary.insert(.isOptional) }
        if isReadOnly { summary.insert(.isReadOnly) }
        if isTransient { summary.insert(.isTransient) }
        if !hasRules { summary.formUnion([.hasNoPredicates, .hasNoWarnings]) }
        if userInfo?.entries.isEmpty ?? true { summary.insert(.hasNoUserInfo) }
        if versionHashModifier == nil { summary.insert(.hasNoVersionHashModifier) }
        fields["_P"] = .integer(Int64(summary.rawValue))

        if isOptional { fields["NSIsOptional"] = .boolean(true) }
        if isTransient { fields["NSIsTransient"] = .boolean(true) }
        if isReadOnly { fields["NSIsReadOnly"] = .boolean(true) }
        if let versionHashModifier { fields["NSVersionHashModifier"] = builder.string(versionHashModifier).value }
        if !summary.contains(.hasNoUserInfo) { fields["NSUserInfo"] = builder.userInfo(userInfo).value }
        return fields
    }

    /// The fields that the three kinds of properties have, from an attribute; a derived one is always read-only.
    mutating func propertyFields(_ attribute: Model.Attribute, of entity: String) throws -> [String: PropertyListValue]
    {
        let rules = try archivedRules(attribute, of: entity)
        let fields = try propertyFields(
            name: attribute.name, entity: entity, isOptional: attribute.isOptional, isTransient: attribute.isTransient,
            isReadOnly: attribute.isReadOnly || attribute.isDerived, renamingIdentifier: attribute.renamingIdentifier,
            versionHashModifier: attribute.versionHashModifier, userInfo: attribute.userInfo, hasRules: !rules.isEmpty)
        return adding(rules, to: fields)
    }

    mutating func write(
        _ relationship: Model.Relationship, of entity: String, as reference: ArchiveReference
    ) throws {
        let place = "The relationship “\(relationship.name)” of “\(entity)”"
        let rules = try archivedRules(relationship.validationRules, place: place)
        var fields = try propertyFields(
            name: relationship.name, entity: entity, isOptional: relationship.isOptional,
            isTransient: relationship.isTransient, isReadOnly: relationship.isReadOnly,
            renamingIdentifier: relationship.renamingIdentifier, versionHashModifier: relationship.versionHashModifier,
            userInfo: relationship.userInfo, hasRules: !rules.isEmpty)
        fields = adding(rules, to: fields)
        fields["NSDeleteRule"] = .integer(Int64(relationship.deleteRule.rawValue))
        fields["NSMinCount"] = .integer(Int64(relationship.minCount))
        fields["NSMaxCount"] = .integer(Int64(relationship.maxCount))
        fields["_NSDestinationEntityName"] = builder.string(relationship.destinationName).value
        fields["_NSInverseRelationshipName"] = builder.string(relationship.inverseName).value
        fields["NSDestinationEntity"] =
            try relationship.destinationName.map { try self.reference(toEntity: $0, from: place).value }
            ?? ArchiveReference.null.value
        fields["NSInverseRelationship"] = inverse(of: relationship).value
        if relationship.isOrdered { mark(&fields, "NSIsOrdered", .isOrdered) }
        if relationship.isIndexed { fields["NSIsIndexed"] = .boolean(true) }
        if relationship.isIndexedBySpotlight { fields[ArchiveKey.isIndexedBySpotlight] = .boolean(true) }
        if relationship.isStoredInExternalRecord { fields[ArchiveKey.isStoredInExternalRecord] = .boolean(true) }
        builder.fill(reference, .relationship, fields)
    }

    /// The inverse as the entity that owns it lists it, or as the next of its ancestors does; nil where there is none.
    private func inverse(of relationship: Model.Relationship) -> ArchiveReference {
        guard let name = relationship.inverseName,
            let owner = relationship.inverseEntityName ?? relationship.destinationName
        else { return .null }
        let lister = lineage.line(from: owner).first { properties[$0]?[name] != nil }
        return lister.flatMap { properties[$0]?[name] } ?? .null
    }

    private func mark(
        _ fields: inout [String: PropertyListValue], _ key: String, _ summary: PropertySummary
    ) {
        fields[key] = .boolean(true)
        guard case .integer(let bits) = fields["_P"] else { return }
        fields["_P"] = .integer(bits | Int64(summary.rawValue))
    }

    /// Fetched properties are always transient and read-only in an archive.
    mutating func write(
        _ property: Model.FetchedProperty, of entity: String, as reference: ArchiveReference
    ) throws {
        let place = "The fetched property “\(property.name)” of “\(entity)”"
        let rules = try archivedRules(property.validationRules, place: place)
        var fields = try propertyFields(
            name: property.name, entity: entity, isOptional: property.isOptional, isTransient: true, isReadOnly: true,
            renamingIdentifier: property.renamingIdentifier,
            versionHashModifier: property.versionHashModifier, userInfo: property.userInfo, hasRules: !rules.isEmpty)
        fields = adding(rules, to: fields)
        if let request = property.fetchRequest {
            fields["NSFetchRequest"] = try fetchRequest(request, place: place).value
            fields["_NSFetchRequestEntityName"] = builder.string(request.entityName).value
        }
        builder.fill(reference, .fetchedProperty, fields)
    }
}

/// The bits of `_P`, which tell what a property's archive has and what it lacks. Learned from samples.
struct PropertySummary: OptionSet {
    static let always = PropertySummary(rawValue: 0x1)
    static let isOptional = PropertySummary(rawValue: 0x2)
    static let isReadOnly = PropertySummary(rawValue: 0x4)
    static let isTransient = PropertySummary(rawValue: 0x8)
    static let hasNoPredicates = PropertySummary(rawValue: 0x10)
    static let hasNoWarnings = PropertySummary(rawValue: 0x20)
    static let hasNoUserInfo = PropertySummary(rawValue: 0x40)
    static let hasNoVersionHashModifier = PropertySummary(rawValue: 0x80)
    static let isOrdered = PropertySummary(rawValue: 0x400)

    let rawValue: Int
}
