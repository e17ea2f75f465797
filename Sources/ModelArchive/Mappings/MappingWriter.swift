import Foundation
import FoundationGaps
import PropertyLists

/// Writes a mapping model as a keyed archive with the classes and keys of Apple's.
struct MappingWriter {
    private let mapping: CompiledMapping
    private var writer: ArchivedPredicateWriter
    private let root: ArchiveReference

    init(_ mapping: CompiledMapping) {
        self.mapping = mapping
        var builder = KeyedArchiveBuilder()
        root = builder.reserve()
        writer = ArchivedPredicateWriter(builder: builder, selfReference: nil)
    }

    consuming func data() throws -> Data {
        var entries: [(key: String, value: ArchiveReference)] = []
        for entity in mapping.entityMappings {
            guard !entries.contains(where: { $0.key == entity.name }) else {
                throw unwritableValue("The mapping model has two entity mappings named “\(entity.name)”.")
            }
            entries.append((entity.name, try write(entity)))
        }
        let fields: [String: PropertyListValue] = [
            "NSEntityMappings": writer.builder.array(entries.map(\.value)).value,
            "NSEntityMappingsByName": writer.builder.dictionary(
                entries.sorted { $0.key < $1.key }, .mutableDictionary
            ).value,
        ]
        writer.builder.fill(root, .mappingModel, fields)
        return writer.builder.data(root: root)
    }

    private mutating func write(_ entity: CompiledMapping.EntityMapping) throws -> ArchiveReference {
        let place = "The entity mapping “\(entity.name)”"
        let fields: [String: PropertyListValue] = [
            "NSMappingName": string(entity.name),
            "NSMappingType": .integer(Int64(entity.type.rawValue)),
            "NSSourceEntityName": string(entity.sourceEntityName),
            "NSSourceEntityVersionHash": data(entity.sourceEntityVersionHash),
            "NSSourceExpression": try expression(entity.sourceExpression, place: place),
            "NSDestinationEntityName": string(entity.destinationEntityName),
            "NSDestinationEntityVersionHash": data(entity.destinationEntityVersionHash),
            "NSEntityMigrationPolicyClassName": string(entity.migrationPolicyClassName),
            "NSAttributeMappings": try write(entity.attributeMappings, of: entity),
            "NSRelationshipMappings": try write(entity.relationshipMappings, of: entity),
            "NSUserInfo": entity.userInfo.map { writer.builder.userInfo($0).value } ?? ArchiveReference.null.value,
        ]
        return writer.builder.object(.entityMapping, fields)
    }

    private mutating func write(
        _ properties: [CompiledMapping.PropertyMapping], of entity: CompiledMapping.EntityMapping
    ) throws -> PropertyListValue {
        var references: [ArchiveReference] = []
        for property in properties {
            let place = "The mapping of “\(property.name)” in “\(entity.name)”"
            let fields: [String: PropertyListValue] = [
                "NSDestinationPropertyName": string(property.name),
                "NSValueExpression": try expression(property.valueExpression, place: place),
                "NSPropertyTransforms": ArchiveReference.null.value,
                "NSUserInfo": property.userInfo.map { writer.builder.userInfo($0).value }
                    ?? ArchiveReference.null.value,
            ]
            references.append(writer.builder.object(.propertyMapping, fields))
        }
        return writer.builder.array(references).value
    }

    // MARK: Values

    private mutating func string(_ text: String?) -> PropertyListValue {
        (writer.builder.string(text) as ArchiveReference).value
    }

    private mutating func data(_ bytes: Data?) -> PropertyListValue {
        (bytes.map { writer.builder.data($0) } ?? .null).value
    }

    private mutating func expression(_ format: String?, place: String) throws -> PropertyListValue {
        guard let format else { return ArchiveReference.null.value }
        do {
            return try writer.add(NSExpression.parse(format)).value
        } catch let error as PredicateFormatError {
            throw unwritableValue(
                "\(place) has a wrong format “\(error.format)”: \(whole: error.message) (column \(error.column)).")
        }
    }
}
