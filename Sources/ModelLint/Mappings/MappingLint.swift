import FoundationGaps
import ModelArchive
import ModelDocument

/// Checks a mapping model against both of its models.
///
/// ```swift
/// for problem in MappingLint(mapping, source: old, destination: new).problems { print(problem.message) }
/// ```
package struct MappingLint {
    let mapping: MappingModel
    let source: Model?
    let destination: Model?
    let sourceKeys: ModelKeys?
    let destinationKeys: ModelKeys?

    /// - Parameters:
    ///   - source: The model that is mapped from; nil where it is not at hand. What needs it is not checked then.
    ///   - destination: The model that is mapped to; nil where it is not at hand.
    package init(_ mapping: MappingModel, source: Model?, destination: Model?) {
        (self.mapping, self.source, self.destination) = (mapping, source, destination)
        (sourceKeys, destinationKeys) = (source.map { ModelKeys($0) }, destination.map { ModelKeys($0) })
    }

    /// All problems, in the document's order.
    package var problems: [MappingProblem] {
        missingModels + mapping.entityMappings.flatMap { problems(of: $0) } + lostObjects
    }

    // MARK: The mapping model

    private var missingModels: [MappingProblem] {
        var problems: [MappingProblem] = []
        if source == nil { problems.append(missing("source", .sourceModel, mapping.sourceModelPath)) }
        if destination == nil {
            problems.append(missing("destination", .destinationModel, mapping.destinationModelPath))
        }
        return problems
    }

    private func missing(_ side: String, _ field: MappingProblem.Field, _ path: String?) -> MappingProblem {
        let message =
            path.map { "The \(side) model \($0) is not at hand. What needs it is not checked." }
            ?? "The mapping names no \(side) model."
        return MappingProblem(code: .missingModel, severity: .warning, message: message, field: field)
    }

    /// Entities of the source model that no mapping reads.
    private var lostObjects: [MappingProblem] {
        let mapped = Set(mapping.entityMappings.compactMap(\.sourceName))
        return (source?.entities ?? []).filter { !$0.isAbstract && !mapped.contains($0.name) }.map { entity in
            MappingProblem(
                code: .lostObjects, severity: .warning,
                message: "No entity mapping reads \(entity.name). Its objects would be lost.",
                fix: .mapEntity(entity.name))
        }
    }

    // MARK: An entity mapping

    private func problems(of entity: MappingModel.EntityMapping) -> [MappingProblem] {
        let own = nameProblems(entity) + entityProblems(entity) + typeProblems(entity) + filterProblems(entity)
        return own.map { problem in
            var problem = problem
            problem.element = entity.objectID
            return problem
        } + propertyProblems(entity)
    }

    private func nameProblems(_ entity: MappingModel.EntityMapping) -> [MappingProblem] {
        let name = entity.effectiveName
        guard mapping.entityMappings.filter({ $0.effectiveName == name }).count > 1 else { return [] }
        return [
            MappingProblem(
                code: .repeatedName, severity: .error, message: "Two entity mappings have the name “\(name)”.",
                field: .name)
        ]
    }

    private func entityProblems(_ entity: MappingModel.EntityMapping) -> [MappingProblem] {
        var problems: [MappingProblem] = []
        if let name = entity.sourceName, let source, source.entity(named: name) == nil {
            problems.append(unknown(name, "source", .source))
        }
        guard let name = entity.destinationName, let destination else { return problems }
        guard let found = destination.entity(named: name) else {
            return problems + [unknown(name, "destination", .destination)]
        }
        if found.isAbstract, entity.migrationPolicyClassName == nil {
            problems.append(
                MappingProblem(
                    code: .abstractDestination, severity: .error,
                    message: "\(name) is abstract. Name a subentity, or a migration policy that makes the objects.",
                    field: .destination))
        }
        return problems
    }

    private func unknown(_ name: String, _ side: String, _ field: MappingProblem.Field) -> MappingProblem {
        MappingProblem(
            code: .unknownEntity, severity: .error, message: "The \(side) model has no entity \(name).", field: field)
    }

    private func typeProblems(_ entity: MappingModel.EntityMapping) -> [MappingProblem] {
        func wrong(_ message: String) -> [MappingProblem] {
            [MappingProblem(code: .wrongType, severity: .error, message: message, field: .type)]
        }
        let (hasSource, hasDestination) = (entity.sourceName != nil, entity.destinationName != nil)
        switch entity.typeName {
        case nil, "Undefined": return []
        case "Custom" where entity.migrationPolicyClassName == nil:
            return [
                MappingProblem(
                    code: .missingPolicy, severity: .warning,
                    message: "The type Custom is for a migration policy, and none is named.", field: .policy)
            ]
        case "Custom": return []
        case "Add": return hasSource ? wrong("The type Add is for a mapping without a source entity.") : []
        case "Remove": return hasDestination ? wrong("The type Remove is for a mapping without a destination.") : []
        case "Copy", "Transform":
            return hasSource && hasDestination
                ? [] : wrong("The type \(entity.typeName ?? "") is for a mapping with both entities.")
        case let name?: return wrong("There is no type of mappings “\(name)”.")
        }
    }

    private func filterProblems(_ entity: MappingModel.EntityMapping) -> [MappingProblem] {
        guard let filter = entity.sourceFilterPredicate, let name = entity.sourceName else { return [] }
        let advice = FormatAdvice(filter, for: .fetchRequest, entity: name, in: source ?? Model())
        func problem(_ message: String) -> MappingProblem {
            MappingProblem(code: .wrongFilter, severity: .error, message: message, field: .filter)
        }
        if let failure = advice.failure {
            let column = failure.column.map { " (column \($0))" } ?? ""
            return [problem("The filter can't be read: \(failure.message)\(column).")]
        }
        return advice.warnings.map { problem($0) }
    }
}
