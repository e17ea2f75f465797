import Foundation
import ModelFormat
import PropertyLists

extension ModelWriter {
    mutating func write(_ attribute: Model.Attribute, of entity: String, as reference: ArchiveReference) throws {
        try write(attribute, of: entity, as: reference, inside: [])
    }

    /// - Parameter outer: The composites around the attribute.
    private mutating func write(
        _ attribute: Model.Attribute, of entity: String, as reference: ArchiveReference, inside outer: [String]
    ) throws {
        let place = "The attribute “\(attribute.name)” of “\(entity)”"
        var fields = try propertyFields(attribute, of: entity)
        var flags: AttributeFlags = []
        if attribute.allowsExternalBinaryDataStorage { flags.insert(.allowsExternalBinaryDataStorage) }
        if attribute.preservesValueInHistoryOnDeletion { flags.insert(.preservesValueInHistoryOnDeletion) }
        let className = attribute.type.valueClassName ?? attribute.customClass?.spelling
        fields["NSAttributeType"] = .integer(Int64(attribute.type.rawValue))
        fields["NSAttributeValueClassName"] = builder.string(className).value
        fields["NSDefaultValue"] = try defaultValue(of: attribute, place: place).value
        fields["NSValueTransformerName"] = builder.string(attribute.valueTransformerName).value
        fields["NSFlagsKey"] = .integer(Int64(flags.rawValue))
        if attribute.isIndexed { fields["NSIsIndexed"] = .boolean(true) }
        if attribute.isIndexedBySpotlight { fields[ArchiveKey.isIndexedBySpotlight] = .boolean(true) }
        if attribute.isStoredInExternalRecord { fields[ArchiveKey.isStoredInExternalRecord] = .boolean(true) }
        if attribute.allowsCloudEncryption { fields[ArchiveKey.allowsCloudEncryption] = .boolean(true) }
        builder.fill(reference, try kind(of: attribute, place: place, entity: entity, outer, &fields), fields)
    }

    /// The class of the attribute's archive; what only that class has is added to the fields.
    private mutating func kind(
        of attribute: Model.Attribute, place: String, entity: String, _ outer: [String],
        _ fields: inout [String: PropertyListValue]
    ) throws -> ArchivedClass {
        if let name = attribute.compositeName {
            fields[ArchiveKey.compositeName] = builder.string(name).value
            fields[ArchiveKey.compositeElements] = try elements(of: name, place: place, entity: entity, outer).value
            return .compositeAttribute
        }
        guard attribute.isDerived || attribute.derivationExpression != nil else { return .attribute }
        fields["NSDerivationExpression"] =
            try attribute.derivationExpression.map { try derivation($0, place: place).value }
            ?? ArchiveReference.null.value
        fields["NSFilteringPredicate"] =
            try attribute.derivationFilterPredicate.map { try predicate($0, place: place).value }
            ?? ArchiveReference.null.value
        return .derivedAttribute
    }

    private mutating func elements(
        of name: String, place: String, entity: String, _ outer: [String]
    ) throws -> ArchiveReference {
        guard let composite = model.composites.first(where: { $0.name == name }) else {
            throw unwritableValue("\(place) is of the composite “\(name)”, which the model lacks.")
        }
        guard !outer.contains(name), outer.count < 16 else {
            throw unwritableValue("\(place) is of the composite “\(name)”, which contains itself or nests too deep.")
        }
        var references: [ArchiveReference] = []
        for element in composite.elements {
            let reference = builder.reserve()
            try write(element, of: entity, as: reference, inside: outer + [name])
            references.append(reference)
        }
        return builder.array(references)
    }
}

// MARK: - Values

extension ModelWriter {
    private mutating func defaultValue(of attribute: Model.Attribute, place: String) throws -> ArchiveReference {
        if let data = attribute.defaultValueData {
            return attribute.type == .binary ? builder.data(data) : try builder.add(fragment: data)
        }
        let spelling = attribute.type == .date ? attribute.defaultDateTimeInterval : attribute.defaultValueString
        guard let spelling else { return .null }
        return try value(spelling, as: attribute.type, place: "\(place) has the default")
    }

    /// The value that a document spells.
    ///
    /// - Parameter place: What a sentence about a wrong value begins with.
    mutating func value(
        _ spelling: String, as type: Model.AttributeType, place: String
    ) throws -> ArchiveReference {
        guard let reference = value(spelling, as: type) else {
            throw unwritableValue("\(place) “\(spelling)”, which is no value of its type.")
        }
        return reference
    }

    private mutating func value(_ spelling: String, as type: Model.AttributeType) -> ArchiveReference? {
        switch type {
        case .integer16, .integer32, .integer64: Self.integer(spelling).map { builder.integer($0) }
        case .boolean: Self.truth(spelling).map { builder.boolean($0) }
        case .double: Double(spelling).map { builder.real($0) }
        case .float: Float(spelling).map { builder.real(Double($0)) }
        case .decimal: ArchivedDecimal(spelling).map { builder.object(.decimal, $0.fields) }
        case .string: builder.string(spelling)
        case .date: Double(spelling).map { builder.date($0) }
        case .uuid: UUID(uuidString: spelling).map { builder.uuid($0) }
        case .uri: builder.url(spelling)
        case .undefined, .binary, .transformable, .objectID, .composite: nil
        }
    }

    /// An integer. Documents keep a default such as `0.0` or `NO` when the attribute's type is changed later.
    private static func integer(_ spelling: String) -> Int64? {
        Int64(spelling) ?? Double(spelling).flatMap { Int64(exactly: $0) } ?? truth(spelling).map { $0 ? 1 : 0 }
    }

    private static func truth(_ spelling: String) -> Bool? {
        switch spelling.uppercased() {
        case "YES", "TRUE", "1": true
        case "NO", "FALSE", "0": false
        default: nil
        }
    }
}
