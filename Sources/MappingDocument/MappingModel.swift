import Foundation
import ModelFormat

/// What an `.xcmappingmodel` says: which entities of one model become which of another, and how.
///
/// The document is an XML store of objects that refer to each other; `XMLStoreDocument` reads and writes that, and
/// keeps what is in it byte for byte. This is what its objects mean; `update(with:)` puts it back.
///
/// ```swift
/// let url = URL(filePath: "League2ToLeague3.xcmappingmodel")
/// var document = try XMLStoreDocument(contentsOf: url)
/// var mapping = try MappingModel(document)
/// mapping.entityMappings[0].migrationPolicyClassName = "League.PlayerPolicy"
/// document.update(with: mapping)
/// try document.write(to: url)
/// ```
public struct MappingModel: Sendable, Hashable, Codable {
    /// The version of the source model, relative to the folder of Xcode's project:
    /// `App/League.xcdatamodeld/League.xcdatamodel`.
    public var sourceModelPath: String?
    /// Xcode's own archive of the source model, made when the mapping was: not of the kind that it compiles models to.
    public var sourceModelData: Data?
    /// The version of the destination model, relative to the folder of Xcode's project.
    public var destinationModelPath: String?
    /// Xcode's own archive of the destination model.
    public var destinationModelData: Data?
    /// The entity mappings in their order.
    public var entityMappings: [EntityMapping]

    public init(entityMappings: [EntityMapping] = []) {
        self.entityMappings = entityMappings
    }

    /// What becomes of the objects of one entity.
    public struct EntityMapping: Sendable, Hashable, Codable {
        /// The object in the document; `nil` for a mapping that is in none yet.
        public var objectID: String?
        /// The name, where it is not made of the entities' names.
        public var name: String?
        /// The kind of mapping as the document spells it: `Undefined` in all that Xcode writes.
        public var typeName: String?
        public var sourceName: String?
        public var destinationName: String?
        /// The format of the predicate that source objects must fulfil.
        public var sourceFilterPredicate: String?
        public var migrationPolicyClassName: String?
        /// Whether Xcode keeps the value expressions up to date by itself.
        public var generatesExpressions = true
        public var attributeMappings: [PropertyMapping] = []
        public var relationshipMappings: [PropertyMapping] = []

        public init() {}

        /// The name of the mapping, made of the entities' names where it has none of its own.
        public var effectiveName: String {
            name ?? [sourceName, destinationName].compactMap(\.self).joined(separator: "To")
        }
    }

    /// What makes up the value of a property.
    public struct PropertyMapping: Sendable, Hashable, Codable {
        /// The object in the document; `nil` for a mapping that is in none yet.
        public var objectID: String?
        /// The property of the destination entity.
        public var name: String
        /// The value's expression as a keyed archive.
        public var valueExpressionData: Data?
        /// Whether a relationship without an expression gets one from what follows.
        public var generatesExpression = false
        /// The entity mapping that a relationship's destinations go through.
        public var sourceMappingName: String?
        /// The format of the expression for a relationship's source objects: `$source.country`.
        public var sourceKeyPath: String?

        public init(name: String) {
            self.name = name
        }
    }
}
