import Foundation
import FoundationGaps
import ModelArchive
import ModelDocument

extension MappingAction {
    /// Carries the action out.
    ///
    /// - Throws: `unknownElement`, and `invalidEdit` for what a mapping model can't say.
    func apply(to edited: inout EditedMapping, _ models: MappingModels) throws {
        let before = edited
        try edited.change { mapping in
            switch self {
            case .addEntityMapping(let source, let destination, let name):
                try Self.add(source, destination, name, &mapping, models)
            case .addPropertyMapping(let owner, let name, let expression):
                try Self.addProperty(name, expression, try before.entityIndex(of: owner), &mapping, models)
            case .addMissingProperties(let element):
                Self.addMissing(try before.entityIndex(of: element), &mapping, models)
            case .set(let element, let changes):
                try MappingField.set(changes, at: try before.place(of: element), in: &mapping)
            case .rename(let element, let name):
                try Self.rename(try before.entityIndex(of: element), name, &mapping)
            case .generate(let element): try Self.generate(try before.place(of: element), &mapping, models)
            case .move(let element, let to): try Self.move(try before.entityIndex(of: element), to, &mapping)
            case .duplicate(let element): Self.duplicate(try before.entityIndex(of: element), &mapping)
            case .delete(let elements): try Self.delete(elements, before, &mapping)
            }
        }
    }

    // MARK: Entity mappings

    private static func add(
        _ source: String?, _ destination: String?, _ name: String?, _ mapping: inout MappingModel,
        _ models: MappingModels
    ) throws {
        let (source, destination) = (MappingField.given(source), MappingField.given(destination))
        var entity = MappingModel.EntityMapping()
        (entity.sourceName, entity.destinationName) = (source, destination)
        entity.name = MappingField.given(name)
        guard source != nil || destination != nil else {
            throw StudioError(.invalidEdit, "An entity mapping needs a source or a destination.")
        }
        if entity.name == nil, mapping.hasMapping(entity.effectiveName) {
            entity.name = mapping.freeName(entity.effectiveName)
        } else if let name = entity.name, mapping.hasMapping(name) {
            throw StudioError(.invalidEdit, "There is an entity mapping “\(name)” already.")
        }
        mapping.entityMappings.append(entity)
        addMissing(mapping.entityMappings.count - 1, &mapping, models)
    }

    private static func addMissing(_ index: Int, _ mapping: inout MappingModel, _ models: MappingModels) {
        let entity = mapping.entityMappings[index]
        let properties = models.destinationProperties(of: entity.destinationName)
        let known = Set((entity.attributeMappings + entity.relationshipMappings).map(\.name))
        // A mapping without a source makes no objects.
        guard entity.sourceName != nil else { return }
        mapping.entityMappings[index].attributeMappings += properties.attributes
            .filter { !$0.isTransient && !$0.isDerived && !known.contains($0.name) }
            .map { MappingModel.PropertyMapping(name: $0.name) }
        mapping.entityMappings[index].relationshipMappings += properties.relationships
            .filter { !$0.isTransient && !known.contains($0.name) }
            .map {
                var property = MappingModel.PropertyMapping(name: $0.name)
                property.generatesExpression = true
                return property
            }
    }

    /// Gives a mapping another name, and those that name it the new one.
    private static func rename(_ index: Int, _ name: String, _ mapping: inout MappingModel) throws {
        let (old, new) = (mapping.entityMappings[index].effectiveName, name.trimmingCharacters(in: .whitespaces))
        guard !new.isEmpty else { throw StudioError(.invalidEdit, "An entity mapping needs a name.") }
        guard new != old else { return }
        guard !mapping.hasMapping(new) else {
            throw StudioError(.invalidEdit, "There is an entity mapping “\(new)” already.")
        }
        mapping.entityMappings[index].name = new
        for entity in mapping.entityMappings.indices {
            for property in mapping.entityMappings[entity].attributeMappings.indices {
                mapping.entityMappings[entity].attributeMappings[property].renameMapping(old, to: new)
            }
            for property in mapping.entityMappings[entity].relationshipMappings.indices {
                mapping.entityMappings[entity].relationshipMappings[property].renameMapping(old, to: new)
            }
        }
    }

    private static func move(_ index: Int, _ to: Int, _ mapping: inout MappingModel) throws {
        guard mapping.entityMappings.indices.contains(to) else {
            throw StudioError(.invalidEdit, "There is no place \(to) among the entity mappings.")
        }
        mapping.entityMappings.insert(mapping.entityMappings.remove(at: index), at: to)
    }

    private static func duplicate(_ index: Int, _ mapping: inout MappingModel) {
        var copy = mapping.entityMappings[index]
        copy.name = mapping.freeName(copy.effectiveName)
        copy.objectID = nil
        for place in copy.attributeMappings.indices { copy.attributeMappings[place].objectID = nil }
        for place in copy.relationshipMappings.indices { copy.relationshipMappings[place].objectID = nil }
        mapping.entityMappings.insert(copy, at: index + 1)
    }

    private static func delete(_ elements: [String], _ before: EditedMapping, _ mapping: inout MappingModel) throws {
        for element in elements {
            if case .root = try before.place(of: element) {
                throw StudioError(.invalidEdit, "The mapping model itself can't be deleted.")
            }
        }
        let gone = Set(elements)
        mapping.entityMappings.removeAll { $0.objectID.map(gone.contains) ?? false }
        for entity in mapping.entityMappings.indices {
            mapping.entityMappings[entity].attributeMappings.removeAll { $0.objectID.map(gone.contains) ?? false }
            mapping.entityMappings[entity].relationshipMappings.removeAll { $0.objectID.map(gone.contains) ?? false }
        }
    }

    // MARK: Property mappings

    private static func addProperty(
        _ name: String, _ expression: String?, _ index: Int, _ mapping: inout MappingModel, _ models: MappingModels
    ) throws {
        guard let name = MappingField.given(name) else {
            throw StudioError(.invalidEdit, "A property mapping needs the name of a property.")
        }
        let entity = mapping.entityMappings[index]
        guard !(entity.attributeMappings + entity.relationshipMappings).contains(where: { $0.name == name }) else {
            throw StudioError(.invalidEdit, "\(name) is mapped already.")
        }
        var property = MappingModel.PropertyMapping(name: name)
        try property.setExpression(MappingField.given(expression))
        let properties = models.destinationProperties(of: entity.destinationName)
        if properties.relationships.contains(where: { $0.name == name }) {
            property.generatesExpression = property.valueExpressionData == nil
            mapping.entityMappings[index].relationshipMappings.append(property)
        } else {
            mapping.entityMappings[index].attributeMappings.append(property)
        }
    }

    private static func generate(
        _ place: EditedMapping.Place, _ mapping: inout MappingModel, _ models: MappingModels
    ) throws {
        guard case .relationship(let index, _) = place, var property = mapping[place] else {
            throw StudioError(.invalidEdit, "Only a relationship has an expression that can be written down.")
        }
        let entity = mapping.entityMappings[index]
        property.valueExpressionData = nil
        property.generatesExpression = true
        let text = try? mapping.effectiveExpression(
            of: property, isRelationship: true, in: entity, source: models.source?.model ?? Model())
        guard let text else {
            throw StudioError(
                .invalidEdit,
                "\(entity.sourceName ?? "The source") has no relationship \(property.name). Name a mapping and a key path first."
            )
        }
        try property.setExpression(text)
        mapping[place] = property
    }
}

extension MappingModel {
    func hasMapping(_ name: String) -> Bool { entityMappings.contains { $0.effectiveName == name } }

    /// A name that no entity mapping has: with a number behind it.
    func freeName(_ name: String) -> String {
        let candidates = (2...entityMappings.count + 2).map { "\(name)\($0)" }
        return candidates.first { !hasMapping($0) } ?? name
    }
}

extension MappingModel.PropertyMapping {
    /// Sets the expression, and refuses what can't be read. The same expression leaves its bytes as they are.
    ///
    /// - Throws: `invalidEdit` with the parser's words.
    mutating func setExpression(_ text: String?) throws {
        do {
            if let text, (try? valueExpression) == (try NSExpression.parse(text).description) { return }
            try setValueExpression(text)
        } catch let error as PredicateFormatError {
            throw StudioError(
                .invalidEdit, "The expression can't be read: \(error.message) (column \(error.column)).")
        }
    }

    /// Takes the new name of an entity mapping.
    fileprivate mutating func renameMapping(_ old: String, to new: String) {
        if sourceMappingName == old { sourceMappingName = new }
        let (before, after) = (Self.quoted(old), Self.quoted(new))
        guard let text = try? valueExpression, text.contains(before) else { return }
        // Only where a function takes it as the name of a mapping.
        let changed = Self.functions.reduce(text) {
            $0.replacing("\"\($1)\", \(before)", with: "\"\($1)\", \(after)")
        }
        if changed != text { try? setValueExpression(changed) }
    }

    private static let functions = [
        "destinationInstancesForEntityMappingNamed:sourceInstances:",
        "sourceInstancesForEntityMappingNamed:destinationInstances:",
    ]

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
