import FoundationGaps
import ModelArchive
import ModelDocument

// What makes up the properties of destination objects.

extension MappingLint {
    func propertyProblems(_ entity: MappingModel.EntityMapping) -> [MappingProblem] {
        let properties = Properties(entity.destinationName, in: destination)
        let own =
            entity.attributeMappings.flatMap { problems(of: $0, isRelationship: false, entity, properties) }
            + entity.relationshipMappings.flatMap { problems(of: $0, isRelationship: true, entity, properties) }
        return repetitions(entity) + own + missingValues(entity, properties) + lostValues(entity)
    }

    /// The attributes and relationships that an entity has and inherits.
    struct Properties {
        /// Whether the entity is known.
        let isKnown: Bool
        let attributes: [Model.Attribute]
        let relationships: [Model.Relationship]

        init(_ name: String?, in model: Model?) {
            let lineage = name.flatMap { model?.lineage(of: $0) } ?? []
            isKnown = !lineage.isEmpty
            attributes = lineage.flatMap(\.attributes)
            relationships = lineage.flatMap(\.relationships)
        }

        /// The attribute with that name; of an element of a composite attribute, the composite.
        func attribute(_ name: String) -> Model.Attribute? {
            let first = name.split(separator: ".").first.map(String.init)
            return attributes.first { $0.name == name } ?? attributes.first { $0.name == first }
        }

        func relationship(_ name: String) -> Model.Relationship? { relationships.first { $0.name == name } }
    }

    private func repetitions(_ entity: MappingModel.EntityMapping) -> [MappingProblem] {
        var known: Set<String> = []
        return (entity.attributeMappings + entity.relationshipMappings).filter { !known.insert($0.name).inserted }.map {
            MappingProblem(
                code: .repeatedProperty, severity: .error, message: "\($0.name) is mapped twice.",
                element: $0.objectID, field: .name, fix: .remove)
        }
    }

    private func problems(
        of property: MappingModel.PropertyMapping, isRelationship: Bool, _ entity: MappingModel.EntityMapping,
        _ properties: Properties
    ) -> [MappingProblem] {
        if properties.isKnown {
            let isThere =
                isRelationship
                ? properties.relationship(property.name) != nil : properties.attribute(property.name) != nil
            guard isThere else { return [unknownProperty(property, isRelationship, entity)] }
        }
        return references(property, entity) + expressionProblems(property, isRelationship, entity, properties)
    }

    private func unknownProperty(
        _ property: MappingModel.PropertyMapping, _ isRelationship: Bool, _ entity: MappingModel.EntityMapping
    ) -> MappingProblem {
        let kind = isRelationship ? "relationship" : "attribute"
        return MappingProblem(
            code: .unknownProperty, severity: .error,
            message: "\(entity.destinationName ?? "") has no \(kind) \(property.name).", element: property.objectID,
            field: .name, fix: .remove)
    }

    /// What a relationship says without an expression.
    private func references(
        _ property: MappingModel.PropertyMapping, _ entity: MappingModel.EntityMapping
    ) -> [MappingProblem] {
        guard property.valueExpressionData == nil else { return [] }
        var problems: [MappingProblem] = []
        if let name = property.sourceMappingName, !hasMapping(name) {
            problems.append(
                MappingProblem(
                    code: .unknownMapping, severity: .error, message: "There is no entity mapping “\(name)”.",
                    element: property.objectID, field: .sourceMapping))
        }
        return problems
    }

    func hasMapping(_ name: String) -> Bool { mapping.entityMappings.contains { $0.effectiveName == name } }

    private func expressionProblems(
        _ property: MappingModel.PropertyMapping, _ isRelationship: Bool, _ entity: MappingModel.EntityMapping,
        _ properties: Properties
    ) -> [MappingProblem] {
        func problem(_ finding: ValueExpressionWalk.Finding) -> MappingProblem {
            MappingProblem(
                code: finding.code, severity: .error, message: finding.message, element: property.objectID,
                field: .expression, fix: finding.fix)
        }
        do {
            guard let text = try effectiveExpression(property, isRelationship, entity) else { return [] }
            var walk = ValueExpressionWalk(self, entity)
            let expression = try NSExpression.parse(text)
            walk.visit(expression)
            if let attribute = isRelationship ? nil : properties.attribute(property.name),
                attribute.name == property.name
            {
                walk.check(expression, for: attribute)
            } else if let relationship = isRelationship ? properties.relationship(property.name) : nil {
                walk.check(expression, for: relationship)
            }
            if walk.findings.isEmpty, source != nil, destination != nil,
                let doubt = safety(entity).doubt(in: expression)
            {
                return [unsure(doubt, property)]
            }
            return walk.findings.map(problem)
        } catch let error as PredicateFormatError {
            return [
                problem(.init(code: .damagedExpression, message: "The expression can't be read: \(error.message)."))
            ]
        } catch {
            let message = (error as NSError).localizedDescription
            return [problem(.init(code: .damagedExpression, message: message))]
        }
    }

    private func unsure(_ doubt: String, _ property: MappingModel.PropertyMapping) -> MappingProblem {
        MappingProblem(
            code: .unsureKey, severity: .warning,
            message: "The models say nothing of \(doubt). A dry run can't try this expression.",
            element: property.objectID, field: .expression)
    }

    private func safety(_ entity: MappingModel.EntityMapping) -> ExpressionSafety {
        func scope(_ name: String?, _ model: Model?) -> ExpressionSafety.Scope? {
            guard let name, let model else { return nil }
            return .init(entity: name, model: model)
        }
        return ExpressionSafety(
            source: scope(entity.sourceName, source), destination: scope(entity.destinationName, destination))
    }

    /// The expression that a property gets: its own, or the one that the compiler makes.
    func effectiveExpression(
        _ property: MappingModel.PropertyMapping, _ isRelationship: Bool, _ entity: MappingModel.EntityMapping
    ) throws -> String? {
        try mapping.effectiveExpression(
            of: property, isRelationship: isRelationship, in: entity, source: source ?? Model())
    }

    // MARK: Values that are missing

    private func missingValues(
        _ entity: MappingModel.EntityMapping, _ properties: Properties
    ) -> [MappingProblem] {
        guard destination != nil, entity.sourceName != nil, entity.migrationPolicyClassName == nil else { return [] }
        return properties.attributes.filter(\.needsValue).compactMap { attribute in
            let own = entity.attributeMappings.first { $0.name == attribute.name }
            return missingValue(own, false, attribute.name, entity)
                ?? optionalSource(own, attribute, entity)
        }
            + properties.relationships.filter(\.needsValue).compactMap { relationship in
                let own = entity.relationshipMappings.first { $0.name == relationship.name }
                return missingValue(own, true, relationship.name, entity)
            }
    }

    private func missingValue(
        _ property: MappingModel.PropertyMapping?, _ isRelationship: Bool, _ name: String,
        _ entity: MappingModel.EntityMapping
    ) -> MappingProblem? {
        if let property {
            // What can't be read is a problem of its own.
            guard let text = try? effectiveExpression(property, isRelationship, entity), source != nil || !text.isEmpty
            else {
                let isDamaged = property.valueExpressionData != nil
                return isDamaged || source == nil ? nil : needed(name, property.objectID, .expression, nil)
            }
            return nil
        }
        return needed(name, entity.objectID, nil, .mapProperty(name))
    }

    private func needed(
        _ name: String, _ element: String?, _ field: MappingProblem.Field?, _ fix: MappingProblem.Fix?
    ) -> MappingProblem {
        MappingProblem(
            code: .missingValue, severity: .error,
            message: "\(name) must have a value, and has neither an expression nor a default.", element: element,
            field: field, fix: fix)
    }

    /// A value that is copied from an attribute that may be without one.
    private func optionalSource(
        _ property: MappingModel.PropertyMapping?, _ attribute: Model.Attribute, _ entity: MappingModel.EntityMapping
    ) -> MappingProblem? {
        guard let property, let text = try? effectiveExpression(property, false, entity),
            text.hasPrefix("$source."),
            let former = Properties(entity.sourceName, in: source).attributes.first(where: {
                $0.name == text.dropFirst("$source.".count)
            }), former.isOptional
        else { return nil }
        return MappingProblem(
            code: .missingValue, severity: .warning,
            message: "\(attribute.name) must have a value, and \(former.name) is optional.",
            element: property.objectID, field: .expression)
    }

    /// Properties of source objects that no expression reads.
    private func lostValues(_ entity: MappingModel.EntityMapping) -> [MappingProblem] {
        guard let name = entity.sourceName, entity.destinationName != nil, entity.migrationPolicyClassName == nil else {
            return []
        }
        let siblings = mapping.entityMappings.filter { $0.sourceName == name }
        guard siblings.first?.objectID == entity.objectID else { return [] }
        let words = Set(siblings.flatMap(expressions).flatMap(Self.words))
        let properties = Properties(name, in: source)
        let names =
            properties.attributes.filter { !$0.isTransient && !$0.isDerived }.map(\.name)
            + properties.relationships.filter { !$0.isTransient }.map(\.name)
        return names.filter { !words.contains($0) }.map {
            MappingProblem(
                code: .lostValues, severity: .note,
                message: "No expression reads \($0) of \(name). Its values would be lost.", element: entity.objectID)
        }
    }

    private func expressions(_ entity: MappingModel.EntityMapping) -> [String] {
        entity.attributeMappings.compactMap { try? effectiveExpression($0, false, entity) }
            + entity.relationshipMappings.compactMap { try? effectiveExpression($0, true, entity) }
    }

    private static func words(_ text: String) -> [String] {
        text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
    }
}

extension Model.Attribute {
    /// Whether an object can't be saved before the value is set.
    fileprivate var needsValue: Bool {
        let hasDefault = defaultValueString != nil || defaultDateTimeInterval != nil || defaultValueData != nil
        return !isOptional && !isTransient && !isDerived && !hasDefault
    }
}

extension Model.Relationship {
    fileprivate var needsValue: Bool { !isOptional && !isTransient }
}
