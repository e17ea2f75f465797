import Foundation
import ModelFormat

extension VersionHashes {
    /// The 32 bytes of an attribute's hash, a part of its entity's.
    ///
    /// - Parameters:
    ///   - attribute: The attribute, plain, derived or composite.
    ///   - model: The model, for the definitions of composites.
    /// - Throws: `CocoaError.fileReadCorruptFile` (259) with a sentence if a composite has no definition or contains
    ///   itself.
    package static func hash(of attribute: Model.Attribute, in model: Model) throws -> Data {
        Data(try PropertyHasher(model).hash(attribute))
    }

    /// The 32 bytes of a relationship's hash, a part of its entity's.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - owner: The entity that declares it.
    ///   - model: The model.
    package static func hash(of relationship: Model.Relationship, owner: String, in model: Model) throws -> Data {
        Data(try PropertyHasher(model).hash(relationship, owner: owner))
    }

    /// The 32 bytes of a fetched property's hash: it is no part of its entity's, as nothing of it is stored.
    package static func hash(of property: Model.FetchedProperty, in model: Model) throws -> Data {
        let base = try PropertyHasher(model).base(
            property.name, isOptional: property.isOptional, isTransient: property.isTransient,
            isReadOnly: property.isReadOnly, modifier: property.versionHashModifier)
        return Data(base)
    }
}
