import Foundation
import FoundationGaps
import MappingDocument
import ModelFormat

extension CompiledMapping {
    /// Compiles a mapping document as Xcode does: what the document leaves to the compiler is worked out from the
    /// models.
    ///
    /// An attribute without an expression takes the value of the attribute of its name, if the source entity has one; a
    /// relationship likewise takes what the source's destinations became.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - source: The model that it maps from.
    ///   - destination: The model that it maps to.
    /// - Throws: `CocoaError.fileReadCorruptFile` (259) with a sentence that names the mapping where an entity is in
    ///   neither model, a kind of mapping is unknown or an expression is damaged.
    package init(_ document: MappingModel, source: Model, destination: Model) throws {
        let compiler = try MappingCompiler(document, source: source, destination: destination)
        self.init(entityMappings: try document.entityMappings.map(compiler.compiled))
    }
}

extension MappingModel {
    /// The expression that a property gets when the document is compiled: its own, or what follows from the models.
    ///
    /// - Parameter source: The model that is mapped from. What is unknown there gives no expression.
    /// - Throws: `CocoaError.fileReadCorruptFile` (259) with a sentence where the expression is damaged.
    package func effectiveExpression(
        of property: PropertyMapping, isRelationship: Bool, in entity: EntityMapping, source: Model
    ) throws -> String? {
        let compiler = MappingCompiler(self, source: source)
        return isRelationship
            ? try compiler.relationshipExpression(property, in: entity)
            : try compiler.attributeExpression(property, in: entity)
    }
}

/// Works out what a mapping document leaves to the compiler.
private struct MappingCompiler {
    private let document: MappingModel
    private let source: Model
    private let sourceHashes: [String: Data]
    private let destinationHashes: [String: Data]

    init(_ document: MappingModel, source: Model, destination: Model) throws {
        self.document = document
        self.source = source
        sourceHashes = try VersionHashes(source).entities
        destinationHashes = try VersionHashes(destination).entities
    }

    /// A compiler of expressions alone.
    init(_ document: MappingModel, source: Model) {
        (self.document, self.source) = (document, source)
        (sourceHashes, destinationHashes) = ([:], [:])
    }

    func compiled(_ entity: MappingModel.EntityMapping) throws -> CompiledMapping.EntityMapping {
        var mapping = CompiledMapping.EntityMapping(name: entity.effectiveName, type: try type(of: entity))
        mapping.sourceEntityName = entity.sourceName
        mapping.sourceEntityVersionHash = try hash(entity.sourceName, sourceHashes, "source", entity)
        mapping.sourceExpression = entity.sourceName.map { fetch($0, entity.sourceFilterPredicate ?? "TRUEPREDICATE") }
        mapping.destinationEntityName = entity.destinationName
        mapping.destinationEntityVersionHash = try hash(
            entity.destinationName, destinationHashes, "destination", entity)
        mapping.migrationPolicyClassName = entity.migrationPolicyClassName
        mapping.attributeMappings = try entity.attributeMappings.sorted { precedes($0.name, $1.name) }
            .map { .init(name: $0.name, valueExpression: try attributeExpression($0, in: entity)) }
        mapping.relationshipMappings = try entity.relationshipMappings.sorted { precedes($0.name, $1.name) }
            .map { .init(name: $0.name, valueExpression: try relationshipExpression($0, in: entity)) }
        return mapping
    }

    /// Documents leave the kind open. Whether a mapping copies or transforms makes no difference to a migration.
    private func type(of entity: MappingModel.EntityMapping) throws -> CompiledMapping.MappingType {
        switch entity.typeName {
        case nil, "Undefined": break
        case "Custom": return .custom
        case "Add": return .add
        case "Remove": return .remove
        case "Copy": return .copy
        case "Transform": return .transform
        case let name?:
            throw corruptArchive("The entity mapping “\(entity.effectiveName)” is of the unknown kind “\(name)”.")
        }
        if entity.sourceName == nil { return .add }
        if entity.destinationName == nil { return .remove }
        if entity.migrationPolicyClassName != nil { return .custom }
        return entity.sourceName == entity.destinationName ? .copy : .transform
    }

    private func hash(
        _ name: String?, _ hashes: [String: Data], _ model: String, _ entity: MappingModel.EntityMapping
    ) throws -> Data? {
        guard let name else { return nil }
        guard let hash = hashes[name] else {
            throw corruptArchive(
                "The entity mapping “\(entity.effectiveName)” has the \(model) “\(name)”, which the \(model) model lacks."
            )
        }
        return hash
    }
}

// MARK: - Expressions

extension MappingCompiler {
    fileprivate func attributeExpression(
        _ property: MappingModel.PropertyMapping, in entity: MappingModel.EntityMapping
    ) throws -> String? {
        if let expression = try archivedExpression(property, in: entity) { return expression }
        let attributes = lineage(of: entity.sourceName).flatMap(\.attributes)
        return attributes.contains { $0.name == property.name } ? "$source.\(property.name)" : nil
    }

    fileprivate func relationshipExpression(
        _ property: MappingModel.PropertyMapping, in entity: MappingModel.EntityMapping
    ) throws -> String? {
        if let expression = try archivedExpression(property, in: entity) { return expression }
        guard property.generatesExpression else { return nil }
        let relationship = lineage(of: entity.sourceName).flatMap(\.relationships).first { $0.name == property.name }
        guard let values = property.sourceKeyPath ?? relationship.map({ "$source.\($0.name)" }) else { return nil }
        if let mapping = property.sourceMappingName ?? relationship.flatMap(onlyMapping) {
            return call("destinationInstancesForEntityMappingNamed:sourceInstances:", mapping, values)
        }
        return relationship.map {
            call("destinationInstancesForSourceRelationshipNamed:sourceInstances:", $0.name, values)
        }
    }

    /// The name of the entity mapping that all destinations of a relationship go through, if it is one alone.
    private func onlyMapping(of relationship: Model.Relationship) -> String? {
        let mappings = document.entityMappings.filter { mapping in
            lineage(of: mapping.sourceName).contains { $0.name == relationship.destinationName }
        }
        return mappings.count == 1 ? mappings[0].effectiveName : nil
    }

    /// The entity of the source model and its ancestors.
    private func lineage(of name: String?) -> [Model.Entity] {
        // Where no hashes have been computed, a line of parents may be a circle.
        Array(
            sequence(first: name.flatMap(source.entity)) { $0?.parentName.map(source.entity) }
                .prefix(source.entities.count + 1).prefix { $0 != nil }
        ).compactMap(\.self)
    }

    private func archivedExpression(
        _ property: MappingModel.PropertyMapping, in entity: MappingModel.EntityMapping
    ) throws -> String? {
        guard let data = property.valueExpressionData else { return nil }
        do {
            return try ArchivedPredicateReader.expressionFormat(data)
        } catch let error as CocoaError {
            throw corruptArchive(
                """
                The mapping of “\(property.name)” in “\(entity.effectiveName)” has a damaged expression. \
                \(whole: error.localizedDescription)
                """)
        }
    }

    private func fetch(_ entity: String, _ predicate: String) -> String {
        let request = call("fetchRequestForSourceEntityNamed:predicateString:", entity, Self.quoted(predicate))
        return "FETCH(\(request), $manager.sourceContext, 0)"
    }

    private func call(_ selector: String, _ name: String, _ argument: String) -> String {
        "FUNCTION($manager, \"\(selector)\", \(Self.quoted(name)), \(argument))"
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
