import Foundation
import ModelFormat

/// What an `.xcmappingmodel` says: which entities of one model become which of another, and how.
///
/// ```swift
/// let url = URL(filePath: "League2ToLeague3.xcmappingmodel")
/// var document = try XMLStoreDocument(contentsOf: url)
/// var mapping = try MappingModel(document)
/// mapping.entityMappings[0].migrationPolicyClassName = "League.PlayerPolicy"
/// document.update(with: mapping)
/// try document.write(to: url)
/// ```
///
/// The document is an XML store of objects that refer to each other. ``XMLStoreDocument`` reads and writes it byte for
/// byte. This value is what its objects mean, and `update(with:)` puts it back. `CoreData`
/// migrates stores by the compiled form.
public struct MappingModel: Sendable, Hashable, Codable {
    /// The version of the source model, relative to the folder of Xcode's project.
    ///
    /// For example `App/League.xcdatamodeld/League.xcdatamodel`. In the document it is `sourcemodelpath`.
    public var sourceModelPath: String?

    /// Xcode's own archive of the source model, made when the mapping was made.
    ///
    /// It is not of the kind that Xcode compiles models to. In the document it is `sourcemodeldata`.
    public var sourceModelData: Data?

    /// The version of the destination model, relative to the folder of Xcode's project.
    ///
    /// In the document it is `destinationmodelpath`.
    public var destinationModelPath: String?

    /// Xcode's own archive of the destination model, made when the mapping was made.
    ///
    /// In the document it is `destinationmodeldata`.
    public var destinationModelData: Data?

    /// The entity mappings in their order.
    ///
    /// The document has a number for each, from 1.
    public var entityMappings: [EntityMapping]

    /// A mapping without models, of some entity mappings.
    ///
    /// Set the paths of both models before ``XMLStoreDocument/update(with:)``.
    public init(entityMappings: [EntityMapping] = []) {
        self.entityMappings = entityMappings
    }

    /// What becomes of the objects of one entity.
    ///
    /// ```swift
    /// var mapping = MappingModel.EntityMapping()
    /// mapping.sourceName = "Player"
    /// mapping.destinationName = "Athlete"
    /// print(mapping.effectiveName)            // PlayerToAthlete
    /// ```
    public struct EntityMapping: Sendable, Hashable, Codable {
        /// The identifier of the object in the document, such as `z102`.
        ///
        /// `nil` for a mapping that is in no document yet: ``XMLStoreDocument/update(with:)`` gives it one there.
        public var objectID: String?

        /// The name of the property of the destination entity.
        ///
        /// In the document it is `name`. A mapping without a name can't be read.
        public var name: String?

        /// The kind of mapping as the document spells it: `Undefined` in all that Xcode writes.
        ///
        /// In the document it is `mappingtypename`. `nil` is written as `Undefined`.
        public var typeName: String?

        /// The name of the source entity; `nil` for a mapping that only adds objects.
        ///
        /// In the document it is `sourcename`. A mapping without both entities can't be read.
        public var sourceName: String?

        /// The name of the destination entity; `nil` for a mapping that only removes objects.
        ///
        /// In the document it is `destinationname`.
        public var destinationName: String?

        /// The format of the predicate that source objects must fulfil; `nil` for all objects.
        ///
        /// In the document it is `sourcefilterpredicatestring`.
        public var sourceFilterPredicate: String?

        /// The class of the migration policy, such as `League.PlayerPolicy`; `nil` for the standard one.
        ///
        /// In the document it is `migrationpolicyclassname`.
        public var migrationPolicyClassName: String?

        /// Whether Xcode keeps the value expressions up to date by itself.
        ///
        /// In the document it is `autogenerateexpression`; missing, it is false.
        public var generatesExpressions = true

        /// What makes up the attributes of the destination entity.
        ///
        /// In the document they are objects `XDDEVATTRIBUTEMAPPING`.
        public var attributeMappings: [PropertyMapping] = []

        /// What makes up the relationships of the destination entity.
        ///
        /// In the document they are objects `XDDEVRELATIONSHIPMAPPING`.
        public var relationshipMappings: [PropertyMapping] = []

        /// A mapping of no entities. Set ``sourceName`` and ``destinationName``.
        public init() {}

        /// The name of the mapping. Without a name of its own it is made of the entities' names: `PlayerToAthlete`.
        public var effectiveName: String {
            name ?? [sourceName, destinationName].compactMap(\.self).joined(separator: "To")
        }
    }

    /// What makes up the value of a property.
    ///
    /// An attribute has a value expression. A relationship has one, or says by ``sourceMappingName`` and
    /// ``sourceKeyPath`` which objects it leads to.
    public struct PropertyMapping: Sendable, Hashable, Codable {
        /// The identifier of the object in the document, such as `z103`.
        ///
        /// `nil` for a mapping that is in no document yet.
        public var objectID: String?
        /// The property of the destination entity.
        public var name: String

        /// The value's expression as a keyed archive; `nil` where there is none.
        ///
        /// In the document it is `valueexpressiondata`.
        public var valueExpressionData: Data?

        /// Whether a relationship without an expression gets one from what follows.
        ///
        /// In the document it is `autogenerateexpression`.
        public var generatesExpression = false

        /// The name of the entity mapping that a relationship's destinations go through.
        ///
        /// In the document it is `sourcemappingname`.
        public var sourceMappingName: String?

        /// The format of the expression for a relationship's source objects: `$source.country`.
        ///
        /// In the document it is `sourcekeypath`.
        public var sourceKeyPath: String?

        /// A mapping of a property, without an expression.
        public init(name: String) {
            self.name = name
        }
    }
}
