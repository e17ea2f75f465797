import Foundation
import ModelFormat

extension ModelReader {
    /// Reads an attribute; the definition of a composite one is added to `composites`.
    ///
    /// - Parameter path: Entity and attribute, which name a composite's definition where the archive has no name for
    ///   it.
    func attribute(
        _ object: ArchivedObject, path: String, _ composites: inout [Model.Composite]
    ) throws -> Model.Attribute {
        let name = try object.requiredString("NSPropertyName")
        let fields = fields(object, "the attribute “\(path)”")
        var attribute = Model.Attribute(name: name, type: try type(of: fields))
        attribute.isOptional = try fields.flag("NSIsOptional")
        attribute.isTransient = try object.flag("NSIsTransient")
        attribute.isReadOnly = try fields.flag("NSIsReadOnly")
        attribute.isIndexed = try fields.flag("NSIsIndexed")
        attribute.isIndexedBySpotlight = try fields.flag(ArchiveKey.isIndexedBySpotlight)
        attribute.isStoredInExternalRecord = try fields.flag(ArchiveKey.isStoredInExternalRecord)
        attribute.allowsCloudEncryption = try fields.flag(ArchiveKey.allowsCloudEncryption)
        let flags = AttributeFlags(rawValue: try object.integer("NSFlagsKey") ?? 0)
        attribute.allowsExternalBinaryDataStorage = flags.contains(.allowsExternalBinaryDataStorage)
        attribute.preservesValueInHistoryOnDeletion = flags.contains(.preservesValueInHistoryOnDeletion)
        attribute.valueTransformerName = try fields.string("NSValueTransformerName")
        attribute.customClass = try customClass(fields, type: attribute.type)
        attribute.renamingIdentifier = try fields.renamingIdentifier(of: name)
        attribute.versionHashModifier = try fields.string("NSVersionHashModifier")
        attribute.userInfo = try fields.userInfo()
        _ = try part("“NSDefaultValue” of \(fields.place)") { try readDefault(object, into: &attribute) }
        try readValidation(fields, into: &attribute)
        try readDerivation(fields, into: &attribute)
        try readElements(object, path: path, into: &attribute, &composites)
        return attribute
    }

    func attributeType(_ object: ArchivedObject, _ key: String) throws -> Model.AttributeType {
        let code = try object.integer(key) ?? 0
        guard let type = UInt(exactly: code).flatMap(Model.AttributeType.init(rawValue:)) else {
            throw object.unexpected(key, "type of attributes (\(code))")
        }
        return type
    }

    /// The type of an attribute. A type of a later release is read as the class of its values says.
    private func type(of fields: FieldReader) throws -> Model.AttributeType {
        do {
            return try attributeType(fields.object, "NSAttributeType")
        } catch {
            guard let notes, let name = try fields.string("NSAttributeValueClassName"),
                let type = name == "NSNumber"
                    ? .double : Model.AttributeType.allCases.first(where: { $0.valueClassName == name })
            else { throw error }
            notes.note(
                """
                The type of \(fields.place) is unknown; it is read as \(type), as its values are of the class \(name). \
                \(whole: (error as NSError).localizedDescription)
                """)
            return type
        }
    }

    /// The class of a transformable's values; that of other types follows from the type.
    private func customClass(_ fields: FieldReader, type: Model.AttributeType) throws -> ClassReference? {
        let name = try fields.string("NSAttributeValueClassName")
        return name == type.valueClassName ? nil : name.map { ClassReference($0) }
    }

    private func readDerivation(_ fields: FieldReader, into attribute: inout Model.Attribute) throws {
        let object = fields.object
        attribute.isDerived = object.className == "NSDerivedAttributeDescription"
        attribute.derivationExpression = try fields.optional("NSDerivationExpression") {
            try object.object("NSDerivationExpression").map(predicates.derivationFormat)
        }
        attribute.derivationFilterPredicate = try fields.optional("NSFilteringPredicate") {
            try object.object("NSFilteringPredicate").map(predicates.predicateFormat)
        }
    }
}

// MARK: - Composites

extension ModelReader {
    private static let greatestCompositeDepth = 16

    /// No sample shows how Apple's archives name a composite's elements, so any list of attributes is taken for them.
    private func readElements(
        _ object: ArchivedObject, path: String, into attribute: inout Model.Attribute,
        _ composites: inout [Model.Composite]
    ) throws {
        guard object.className == "NSCompositeAttributeDescription" else { return }
        guard path.count(where: { $0 == "." }) < Self.greatestCompositeDepth else {
            throw corruptArchive("The composite attribute “\(path)” of the compiled model nests too deep.")
        }
        let name = try object.string(ArchiveKey.compositeName) ?? path
        attribute.compositeName = name
        var composite = Model.Composite(name: name)
        for key in object.fields.keys.sorted() where key != "$class" && key != "NSUserInfo" {
            let list = try part("“\(key)” of the attribute “\(path)”") { try object[key].object?.elements() ?? [] }
            for element in list ?? [] {
                _ = try part("An element of the attribute “\(path)”") {
                    if case .unknown(let name) = element {
                        throw corruptArchive("It is an object of the unknown class “\(name)”.")
                    }
                    guard let element = element.object, element.className.hasSuffix("AttributeDescription") else {
                        return
                    }
                    let elementName = try element.requiredString("NSPropertyName")
                    composite.elements.append(try self.attribute(element, path: "\(path).\(elementName)", &composites))
                }
            }
        }
        guard let known = composites.first(where: { $0.name == name }) else { return composites.append(composite) }
        if known == composite { return }
        _ = try part("The name of the composite “\(name)” at the attribute “\(path)”") {
            throw corruptArchive("The compiled model defines the composite attribute “\(name)” in two ways.")
        }
        // Each attribute has a definition of its own then.
        (attribute.compositeName, composite.name) = (path, path)
        composites.append(composite)
    }
}

/// The bits of an attribute's `NSFlagsKey` with a known meaning.
struct AttributeFlags: OptionSet {
    static let allowsExternalBinaryDataStorage = AttributeFlags(rawValue: 4)
    static let preservesValueInHistoryOnDeletion = AttributeFlags(rawValue: 16)

    let rawValue: Int
}

extension Model.AttributeType {
    /// The class that the archive names for values of the type; none for types that have no class of their own.
    var valueClassName: String? {
        switch self {
        case .undefined, .transformable, .composite: nil
        case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
        case .decimal: "NSDecimalNumber"
        case .string: "NSString"
        case .date: "NSDate"
        case .binary: "NSData"
        case .uuid: "NSUUID"
        case .uri: "NSURL"
        case .objectID: "NSManagedObjectID"
        }
    }
}
