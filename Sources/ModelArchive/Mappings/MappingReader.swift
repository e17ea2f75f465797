import Foundation
import MappingDocument
import ModelFormat

/// Reads a compiled mapping model from its keyed archive.
struct MappingReader {
    private static let allowedClasses: Set<String> = ArchivedObject.collectionClasses
        .union(ArchivedPredicateReader.classes)
        .union(ModelReader.valueClasses)
        .union(["NSMappingModel", "NSEntityMapping", "NSPropertyMapping", "NSString", "NSMutableString"])

    private let archive: KeyedArchive
    private let predicates: ArchivedPredicateReader

    init(_ data: Data) throws {
        archive = try KeyedArchive(data, allowing: Self.allowedClasses)
        predicates = ArchivedPredicateReader(archive: archive)
    }

    func mapping() throws -> CompiledMapping {
        guard let root = try archive.root().object, root.className == "NSMappingModel" else {
            throw corruptArchive("The keyed archive holds no NSMappingModel.")
        }
        return CompiledMapping(entityMappings: try root.elements("NSEntityMappings").map(entityMapping))
    }

    private func entityMapping(_ value: ArchivedValue) throws -> CompiledMapping.EntityMapping {
        guard let object = value.object, object.className == "NSEntityMapping" else {
            throw corruptArchive("The compiled mapping model is damaged: an entity mapping is none.")
        }
        let code = try object.integer("NSMappingType") ?? 0
        guard let type = CompiledMapping.MappingType(rawValue: code) else {
            throw object.unexpected("NSMappingType", "type of mappings (\(code))")
        }
        var mapping = CompiledMapping.EntityMapping(name: try object.requiredString("NSMappingName"), type: type)
        mapping.sourceEntityName = try object.string("NSSourceEntityName")
        mapping.sourceEntityVersionHash = try bytes(object, "NSSourceEntityVersionHash")
        mapping.destinationEntityName = try object.string("NSDestinationEntityName")
        mapping.destinationEntityVersionHash = try bytes(object, "NSDestinationEntityVersionHash")
        mapping.sourceExpression = try object.object("NSSourceExpression").map(predicates.expressionFormat)
        mapping.migrationPolicyClassName = try object.string("NSEntityMigrationPolicyClassName")
        mapping.attributeMappings = try object.elements("NSAttributeMappings").map(propertyMapping)
        mapping.relationshipMappings = try object.elements("NSRelationshipMappings").map(propertyMapping)
        mapping.userInfo = try object.userInfo()
        return mapping
    }

    private func propertyMapping(_ value: ArchivedValue) throws -> CompiledMapping.PropertyMapping {
        guard let object = value.object, object.className == "NSPropertyMapping" else {
            throw corruptArchive("The compiled mapping model is damaged: a property mapping is none.")
        }
        var mapping = CompiledMapping.PropertyMapping(name: try object.requiredString("NSDestinationPropertyName"))
        mapping.valueExpression = try object.object("NSValueExpression").map(predicates.expressionFormat)
        mapping.userInfo = try object.userInfo()
        return mapping
    }

    private func bytes(_ object: ArchivedObject, _ key: String) throws -> Data? {
        let value = try object[key]
        guard !value.isNull else { return nil }
        guard let bytes = value.bytes else { throw object.unexpected(key, "hash") }
        return bytes
    }
}
