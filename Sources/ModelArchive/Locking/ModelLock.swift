import Foundation
import ModelFormat

/// The version hashes that the shipped versions of a model had: what a lock file beside the model keeps.
///
/// A store on a user's device opens only with a model that gives its entities the hashes that the store was made with.
/// A version that has shipped must therefore never change; new properties belong into a new version. The lock remembers
/// each locked version's hashes, and with them what the hashes were made of, so that a change can be named.
package struct ModelLock: Sendable, Hashable {
    /// The locked versions, by name.
    package var versions: [String: Version]

    /// A version of a model: its entities by name.
    package struct Version: Sendable, Hashable {
        package var entities: [String: Entity]

        /// - Throws: `CocoaError.fileReadCorruptFile` (259) for a model that has no hashes, as one with a circle of
        ///   parents.
        package init(_ model: Model) throws {
            let hashes = try VersionHashes(model).entities
            let facts = StorageFacts(model)
            entities = try Dictionary(
                uniqueKeysWithValues: model.entities.map { entity in
                    (entity.name, Entity(hash: hashes[entity.name] ?? Data(), facts: try facts.facts(of: entity)))
                })
        }

        init(entities: [String: Entity]) {
            self.entities = entities
        }
    }

    /// An entity: its hash, and what decided it beside the hashes of its ancestors.
    package struct Entity: Sendable, Hashable {
        package var hash: Data
        package var facts: [Fact]
    }

    /// One thing that an entity's hash depends on.
    package struct Fact: Sendable, Hashable {
        /// What the fact is about.
        package enum Kind: String, Sendable, Hashable, CaseIterable {
            case parent, abstract, modifier, unique, attribute, relationship
        }

        package var kind: Kind
        /// The property, for an attribute or a relationship.
        package var property: String?
        /// What holds: a type, a destination, a name.
        package var detail: String
    }

    package init(versions: [String: Version] = [:]) {
        self.versions = versions
    }
}
