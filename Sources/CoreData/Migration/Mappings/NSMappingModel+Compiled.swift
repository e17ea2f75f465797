import FoundationGaps
import ModelArchive
import ModelFormat

// Mapping models as values, which compiled files hold.

extension NSMappingModel {
    /// The mapping model that a compiled one says.
    ///
    /// - Throws: `CocoaError.fileReadCorruptFile` (259) for an expression that can't be parsed.
    package convenience init(_ compiled: CompiledMapping) throws {
        self.init()
        entityMappings = try compiled.entityMappings.map { try NSEntityMapping($0) }
    }

    /// The value that a compiled file holds.
    package var compiled: CompiledMapping { CompiledMapping(entityMappings: entityMappings.map(\.compiled)) }
}

extension NSEntityMapping {
    fileprivate convenience init(_ compiled: CompiledMapping.EntityMapping) throws {
        self.init()
        name = compiled.name
        mappingType = NSEntityMappingType(rawValue: UInt(compiled.type.rawValue)) ?? .undefinedEntityMappingType
        sourceEntityName = compiled.sourceEntityName
        sourceEntityVersionHash = compiled.sourceEntityVersionHash
        destinationEntityName = compiled.destinationEntityName
        destinationEntityVersionHash = compiled.destinationEntityVersionHash
        sourceExpression = try .compiled(compiled.sourceExpression, of: compiled.name)
        entityMigrationPolicyClassName = compiled.migrationPolicyClassName
        attributeMappings = try compiled.attributeMappings.map { try NSPropertyMapping($0, of: compiled.name) }
        relationshipMappings = try compiled.relationshipMappings.map { try NSPropertyMapping($0, of: compiled.name) }
        userInfo = compiled.userInfo?.dictionary
    }

    fileprivate var compiled: CompiledMapping.EntityMapping {
        var value = CompiledMapping.EntityMapping(
            name: name ?? "", type: CompiledMapping.MappingType(rawValue: Int(mappingType.rawValue)) ?? .undefined)
        value.sourceEntityName = sourceEntityName
        value.sourceEntityVersionHash = sourceEntityVersionHash
        value.destinationEntityName = destinationEntityName
        value.destinationEntityVersionHash = destinationEntityVersionHash
        value.sourceExpression = sourceExpression?.description
        value.migrationPolicyClassName = entityMigrationPolicyClassName
        value.attributeMappings = (attributeMappings ?? []).map(\.compiled)
        value.relationshipMappings = (relationshipMappings ?? []).map(\.compiled)
        value.userInfo = Model.UserInfo(userInfo)
        return value
    }
}

extension NSPropertyMapping {
    fileprivate convenience init(_ compiled: CompiledMapping.PropertyMapping, of entityMapping: String) throws {
        self.init()
        name = compiled.name
        valueExpression = try .compiled(compiled.valueExpression, of: "\(entityMapping).\(compiled.name)")
        userInfo = compiled.userInfo?.dictionary
    }

    fileprivate var compiled: CompiledMapping.PropertyMapping {
        var value = CompiledMapping.PropertyMapping(name: name ?? "", valueExpression: valueExpression?.description)
        value.userInfo = Model.UserInfo(userInfo)
        return value
    }
}

extension NSExpression {
    /// The expression of a format in a compiled mapping.
    fileprivate static func compiled(_ format: String?, of place: String) throws -> NSExpression? {
        // What FETCH(…) in a format stands for.
        _ = NSFetchRequestExpression.isRegistered
        do {
            return try format.map { try NSExpression.parse($0) }
        } catch {
            throw NSError.cocoa(
                CocoaError.Code.fileReadCorruptFile.rawValue,
                "The expression of the mapping “\(place)” can't be understood.",
                reason: error.localizedDescription, userInfo: [NSUnderlyingErrorKey: error])
        }
    }
}
