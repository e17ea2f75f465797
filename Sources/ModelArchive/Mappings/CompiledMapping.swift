import Foundation
import ModelFormat

/// A mapping model as it is compiled, and as a migration works it off: which entity becomes which, and what makes up
/// the value of each property.
///
/// It is what a `.cdm` file holds, and what an `.xcmappingmodel` document means together with its two models.
///
/// ```swift
/// let mapping = try CompiledMapping(Data(contentsOf: URL(filePath: "V2toV3.cdm")))
/// for entity in mapping.entityMappings { print(entity.name, entity.attributeMappings.map(\.name)) }
/// ```
package struct CompiledMapping: Sendable, Hashable {
    /// The entity mappings, in the order in which a migration works them off.
    package var entityMappings: [EntityMapping]

    package init(entityMappings: [EntityMapping] = []) {
        self.entityMappings = entityMappings
    }
}

extension CompiledMapping {
    /// What becomes of the objects of one entity.
    package struct EntityMapping: Sendable, Hashable {
        /// The name by which expressions refer to the mapping: `PlayerToAthlete`.
        package var name: String
        package var type: MappingType
        /// The entity in the source model; nil for one that is new.
        package var sourceEntityName: String?
        package var sourceEntityVersionHash: Data?
        /// The entity in the destination model; nil for one that is gone.
        package var destinationEntityName: String?
        package var destinationEntityVersionHash: Data?
        /// The format of the expression that fetches the source objects from `$manager`; nil for a new entity.
        package var sourceExpression: String?
        /// The class of the migration policy as the runtime knows it; nil is `NSEntityMigrationPolicy`.
        package var migrationPolicyClassName: String?
        package var attributeMappings: [PropertyMapping] = []
        package var relationshipMappings: [PropertyMapping] = []
        package var userInfo: Model.UserInfo?

        package init(name: String, type: MappingType) {
            self.name = name
            self.type = type
        }
    }

    /// What makes up the value of a property.
    package struct PropertyMapping: Sendable, Hashable {
        /// The property of the destination entity.
        package var name: String
        /// The format of the expression, `$source` and `$manager` its variables; nil leaves the property at its
        /// default.
        package var valueExpression: String?
        package var userInfo: Model.UserInfo?

        package init(name: String, valueExpression: String? = nil) {
            self.name = name
            self.valueExpression = valueExpression
        }
    }

    /// What kind of mapping it is; the numbers are those of `NSEntityMappingType`.
    package enum MappingType: Int, Sendable, Hashable, CaseIterable {
        case undefined = 0
        case custom = 1
        case add = 2
        case remove = 3
        case copy = 4
        case transform = 5
    }
}

// MARK: - Archives

extension CompiledMapping {
    /// Reads a `.cdm` file.
    ///
    /// - Parameter data: The file's bytes.
    /// - Throws: `CocoaError.fileReadCorruptFile` (259) with a sentence where the data is no compiled mapping model, is
    ///   damaged, or holds objects that no mapping has. Time and memory are bounded by the data's size.
    package init(_ data: Data) throws {
        self = try MappingReader(data).mapping()
    }

    /// The bytes of a `.cdm` file, with the classes and keys of Apple's. Equal mappings give equal bytes.
    ///
    /// - Throws: `CocoaError.fileWriteUnknown` (512) with a sentence that names the mapping, where two bear one name or
    ///   an expression can't be parsed.
    package func data() throws -> Data {
        try MappingWriter(self).data()
    }
}
