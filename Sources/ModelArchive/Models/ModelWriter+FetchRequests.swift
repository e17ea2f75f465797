import Foundation
import ModelFormat
import PropertyLists

extension ModelWriter {
    mutating func fetchRequest(_ request: Model.FetchRequest, place: String) throws -> ArchiveReference {
        let entity = try request.entityName.map { try reference(toEntity: $0, from: place) } ?? .null
        let predicate = try request.predicateFormat.map { try self.predicate($0, place: place) } ?? .null
        let null = ArchiveReference.null.value
        return builder.object(
            .fetchRequest,
            [
                "NSEntity": entity.value,
                "NSPredicate": predicate.value,
                "NSSortDescriptors": sortDescriptors(request.sortKeys).value,
                "NSFetchLimit": .integer(Int64(request.fetchLimit ?? 0)),
                "NSFetchOffset": .integer(Int64(request.fetchOffset ?? 0)),
                "NSBatchSize": .integer(Int64(request.fetchBatchSize ?? 0)),
                "NSResultType": .integer(Int64(request.resultType ?? 0)),
                "NSAllocationType": .integer(0),
                "NSHasFetchRequestFlags": .boolean(true),
                "NSFetchRequestFlags": .integer(Int64(FetchRequestFlags(request).rawValue)),
                "NSValuesToFetch": strings(request.propertiesToFetch).value,
                "NSRelationshipKeyPathsForPrefetching": strings(request.relationshipKeyPathsForPrefetching).value,
                "NSValuesToGroupBy": null,
                "NSHavingPredicate": null,
            ])
    }

    private mutating func strings(_ texts: [String]) -> ArchiveReference {
        guard !texts.isEmpty else { return .null }
        return builder.array(texts.map { builder.string($0) as ArchiveReference })
    }

    private mutating func sortDescriptors(_ keys: [Model.SortKey]) -> ArchiveReference {
        guard !keys.isEmpty else { return .null }
        var references: [ArchiveReference] = []
        for key in keys {
            let name = builder.string(key.key) as ArchiveReference
            let selector = builder.string(key.selectorName ?? "compare:") as ArchiveReference
            references.append(
                builder.object(
                    .sortDescriptor,
                    ["NSKey": name.value, "NSAscending": .boolean(key.isAscending), "NSSelector": selector.value]))
        }
        return builder.array(references)
    }

    mutating func fetchIndex(_ index: Model.FetchIndex, of entity: String) throws -> ArchiveReference {
        let place = "The index “\(index.name)” of “\(entity)”"
        let reference = builder.reserve()
        var elements: [ArchiveReference] = []
        for element in index.elements {
            elements.append(try fetchIndexElement(element, of: reference, place: place))
        }
        let partial = try index.partialIndexPredicate.map { try predicate($0, place: place) } ?? .null
        let fields: [String: PropertyListValue] = [
            "NSIndexName": builder.string(index.name).value,
            "NSEntity": try self.reference(toEntity: entity, from: place).value,
            "NSIndexElements": builder.array(elements).value,
            "NSPartialIndexPredicate": partial.value,
        ]
        builder.fill(reference, .fetchIndex, fields)
        return reference
    }

    private mutating func fetchIndexElement(
        _ element: Model.FetchIndex.Element, of index: ArchiveReference, place: String
    ) throws -> ArchiveReference {
        var fields: [String: PropertyListValue] = [
            "NSAscending": .boolean(element.isAscending),
            "NSFetchIndexElementType": .integer(Int64(element.collation.rawValue)),
            "NSFetchIndexDescription": index.value,
        ]
        if let format = element.expression {
            let name = builder.string(element.expressionName ?? format) as ArchiveReference
            fields["NSPropertyName"] = name.value
            fields["NSIndexedProperty"] =
                builder.object(
                    .expression,
                    [
                        "NSPropertyName": name.value, "NSRenamingIdentifier": name.value,
                        "NSIsOptional": .boolean(true),
                        "NSIsReadOnly": .boolean(true), "NSExpression": try expression(format, place: place).value,
                        "NSExpressionType": .integer(Int64(element.expressionType?.rawValue ?? 0)),
                    ]
                ).value
        } else {
            fields["NSPropertyName"] = builder.string(element.propertyName).value
        }
        return builder.object(.fetchIndexElement, fields)
    }
}
