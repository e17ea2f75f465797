import ModelDocument
import ModelLint

extension MappingSession {
    /// All that a window shows.
    func state(created: [String] = []) -> JSON {
        var records: [String: JSON] = [EditedMapping.rootID: edited.mapping.record]
        for entity in edited.mapping.entityMappings {
            records[entity.objectID ?? ""] = entity.record
            for (property, isRelationship) in entity.allProperties {
                records[property.objectID ?? ""] = record(of: property, isRelationship, entity)
            }
        }
        return [
            "revision": .integer(revision), "records": .object(records), "problems": .array(problems),
            "undo": .optional(past.last?.title), "redo": .optional(future.last?.title), "isDirty": .bool(isDirty),
            "created": .array(created.map(JSON.text)), "models": models.json, "job": job?.json ?? .null,
            "recovery": recovery?.json ?? .null, "journalFailure": .optional(journalFailure),
            "document": [
                "name": .text(url.deletingPathExtension().lastPathComponent), "path": .text(url.path),
                "isNew": .bool(base == nil),
            ],
        ]
    }

    private func record(
        of property: MappingModel.PropertyMapping, _ isRelationship: Bool, _ entity: MappingModel.EntityMapping
    ) -> JSON {
        let own = try? property.valueExpression
        let isDamaged = own == nil && property.valueExpressionData != nil
        let source = models.source?.model ?? Model()
        let whole = try? edited.mapping.effectiveExpression(
            of: property, isRelationship: isRelationship, in: entity, source: source)
        return [
            "kind": .text(isRelationship ? "relationshipMapping" : "attributeMapping"),
            "id": .optional(property.objectID), "owner": .optional(entity.objectID), "name": .text(property.name),
            "expression": .optional(own), "implied": .optional(own == nil ? whole : nil),
            "isDamaged": .bool(isDamaged),
            "generates": .bool(property.generatesExpression), "sourceMapping": .optional(property.sourceMappingName),
            "sourceKeyPath": .optional(property.sourceKeyPath),
        ]
    }

    private var problems: [JSON] {
        let lint = MappingLint(
            edited.mapping, source: models.source?.model, destination: models.destination?.model)
        let unknown = edited.document.unknownStatements.map { statement in
            var problem = MappingProblem(statement)
            // What is no element of the page is told of the mapping model.
            if !edited.identifiers.contains(statement.objectID) { problem.element = nil }
            return problem
        }
        return (lint.problems + unknown).map(\.json)
    }
}

extension MappingSession.Recovery {
    fileprivate var json: JSON { ["savedAt": .text(entry.savedAt), "isOutdated": .bool(isOutdated)] }
}

extension MappingModel {
    fileprivate var record: JSON {
        [
            "kind": "mappingModel", "id": .text(EditedMapping.rootID), "sourceModel": .optional(sourceModelPath),
            "destinationModel": .optional(destinationModelPath),
            "mappings": .array(entityMappings.compactMap { $0.objectID.map(JSON.text) }),
        ]
    }
}

extension MappingModel.EntityMapping {
    /// Attributes first.
    fileprivate var allProperties: [(MappingModel.PropertyMapping, Bool)] {
        attributeMappings.map { ($0, false) } + relationshipMappings.map { ($0, true) }
    }

    fileprivate var record: JSON {
        [
            "kind": "entityMapping", "id": .optional(objectID), "owner": .text(EditedMapping.rootID),
            "name": .text(effectiveName), "hasName": .bool(name != nil), "type": .text(typeName ?? "Undefined"),
            "source": .optional(sourceName), "destination": .optional(destinationName),
            "filter": .optional(sourceFilterPredicate), "policy": .optional(migrationPolicyClassName),
            "generates": .bool(generatesExpressions),
            "properties": .array(allProperties.compactMap { $0.0.objectID.map(JSON.text) }),
        ]
    }
}

extension MappingProblem {
    var json: JSON {
        let element = self.element ?? EditedMapping.rootID
        return [
            "code": .text(code.rawValue), "severity": .text(severity.rawValue), "message": .text(message),
            "element": .text(element), "field": .optional(field?.rawValue),
            "fixes": .array(fix.map { [$0.json(element)] } ?? []),
        ]
    }
}

extension MappingProblem.Fix {
    fileprivate func json(_ element: String) -> JSON {
        switch self {
        case .mapEntity(let name):
            [
                "title": .text("Add Mapping of \(name)"),
                "action": ["kind": "addEntityMapping", "source": .text(name), "destination": .text(name)],
            ]
        case .mapProperty(let name):
            [
                "title": .text("Add \(name)"),
                "action": ["kind": "addPropertyMapping", "owner": .text(element), "name": .text(name)],
            ]
        case .setExpression(let text):
            [
                "title": "Use FUNCTION($manager, …)",
                "action": ["kind": "set", "element": .text(element), "changes": ["expression": .text(text)]],
            ]
        case .remove:
            ["title": "Delete", "action": ["kind": "delete", "elements": [.text(element)]]]
        }
    }
}

extension MappingModels {
    var json: JSON {
        [
            "source": source?.json ?? .null, "destination": destination?.json ?? .null,
            "choices": .array(choices.map(JSON.text)),
        ]
    }
}

extension MappingModels.Version {
    /// What the columns show of a model.
    fileprivate var json: JSON {
        let entities = model.entities.sorted { $0.name < $1.name }.map { entity -> JSON in
            let lineage = model.lineage(of: entity.name)
            let attributes = lineage.flatMap(\.attributes).map { attribute -> JSON in
                [
                    "name": .text(attribute.name), "kind": "attribute", "type": .text(attribute.type.title),
                    "isOptional": .bool(attribute.isOptional),
                ]
            }
            let relationships = lineage.flatMap(\.relationships).map { relationship -> JSON in
                [
                    "name": .text(relationship.name), "kind": "relationship",
                    "type": .text(relationship.destinationName ?? ""), "isToMany": .bool(relationship.isToMany),
                    "isOptional": .bool(relationship.isOptional),
                ]
            }
            return [
                "name": .text(entity.name), "isAbstract": .bool(entity.isAbstract),
                "properties": .array(attributes + relationships),
            ]
        }
        return ["path": .text(path), "name": .text(name), "entities": .array(entities)]
    }
}
