import CoreData
import Foundation
import ModelDocument
import StoreBrowsing

/// A model as JSON: every entity with its own and its inherited properties, values as the model stores them.
struct ModelDescription {
    let model: Model

    init(_ model: Model) { self.model = model }

    var json: JSONValue {
        let sorted = model.entitiesByName
        return ["entities": .array(sorted.map(json))]
    }

    private func json(_ entity: Model.Entity) -> JSONValue {
        [
            "name": .string(entity.name),
            "parent": .optional(entity.parentName),
            "abstract": .bool(entity.isAbstract),
            "className": .optional(entity.representedClass?.spelling),
            // Without one of its own an entity is known by its name, and so compiled models say.
            "renamingIdentifier": .string(entity.renamingIdentifier ?? entity.name),
            "versionHashModifier": .optional(entity.versionHashModifier),
            "uniquenessConstraints": .array(
                entity.uniquenessConstraints.map { .array($0.names.map(JSONValue.string)) }),
            "attributes": .array(
                properties(of: entity, \.attributes, name: \.name).map { inherited(json($1), $0 != entity.name) }),
            "relationships": .array(
                properties(of: entity, \.relationships, name: \.name).map { inherited(json($1), $0 != entity.name) }),
        ]
    }

    /// Own and inherited properties by name, each with the name of the entity that declares it.
    private func properties<Property>(
        of entity: Model.Entity, _ own: KeyPath<Model.Entity, [Property]>, name: KeyPath<Property, String>
    ) -> [(owner: String, property: Property)] {
        var found: [(owner: String, property: Property)] = []
        for owner in model.lineage(of: entity.name) {
            for property in owner[keyPath: own] { found.append((owner.name, property)) }
        }
        return found.sorted { $0.property[keyPath: name].precedesByCodePoint($1.property[keyPath: name]) }
    }

    private func inherited(_ json: JSONValue, _ isInherited: Bool) -> JSONValue {
        guard case .object(var members) = json else { return json }
        members["inherited"] = .bool(isInherited)
        return .object(members)
    }

    // MARK: Properties

    private func json(_ attribute: Model.Attribute) -> JSONValue {
        [
            "kind": "attribute",
            "name": .string(attribute.name),
            "optional": .bool(attribute.isOptional),
            "transient": .bool(attribute.isTransient),
            "readOnly": .bool(attribute.isReadOnly),
            "versionHashModifier": .optional(attribute.versionHashModifier),
            "type": .string(attribute.type.title),
            "default": attribute.defaultJSON,
            "valueTransformer": .optional(attribute.valueTransformerName),
            "externalStorage": .bool(attribute.allowsExternalBinaryDataStorage),
            "preservedOnDeletion": .bool(attribute.preservesValueInHistoryOnDeletion),
            "derivation": .optional(attribute.derivationExpression),
            "filter": .optional(attribute.derivationFilterPredicate),
            "elements": .array(elements(of: attribute).map(json)),
        ]
    }

    private func elements(of attribute: Model.Attribute) -> [Model.Attribute] {
        guard let name = attribute.compositeName else { return [] }
        return model.composites.first { $0.name == name }?.elements ?? []
    }

    private func json(_ relationship: Model.Relationship) -> JSONValue {
        [
            "kind": "relationship",
            "name": .string(relationship.name),
            "optional": .bool(relationship.isOptional),
            "transient": .bool(relationship.isTransient),
            "readOnly": .bool(relationship.isReadOnly),
            "versionHashModifier": .optional(relationship.versionHashModifier),
            "deleteRule": .string(relationship.deleteRule.title),
            "destination": .optional(relationship.destinationName),
            "inverse": .optional(relationship.inverseName),
            "min": .int(Int64(relationship.minCount)),
            "max": .int(Int64(relationship.maxCount)),
            "ordered": .bool(relationship.isOrdered),
            "toMany": .bool(relationship.isToMany),
        ]
    }
}

extension Model.DeleteRule {
    /// The name of the rule in Xcode.
    var title: String {
        switch self {
        case .noAction: "No Action"
        case .nullify: "Nullify"
        case .cascade: "Cascade"
        case .deny: "Deny"
        }
    }
}
