/// Something that an object of a mapping model says, and that mapping models are not known to say.
///
/// It stays in the document, and has no effect.
package struct UnknownStatement: Sendable, Hashable {
    /// The identifier of the object, such as `z103`.
    package var objectID: String
    /// The attribute or relationship, as the document spells it.
    package var name: String

    /// A sentence about it.
    package var message: String {
        "The object \(objectID) says “\(name)”, which no mapping model is known to say. It is kept, and has no effect."
    }
}

extension XMLStoreDocument {
    /// What mapping models are not known to say, in the document's order.
    package var unknownStatements: [UnknownStatement] {
        objects.flatMap { object -> [UnknownStatement] in
            guard let known = MappingModel.Names.properties[object.entityName] else { return [] }
            let names = object.attributes.map(\.name) + object.relationships.map(\.name)
            return names.filter { !known.attributes.contains($0) && !known.relationships.contains($0) }
                .map { UnknownStatement(objectID: object.id, name: $0) }
        }
    }
}

extension MappingModel.Names {
    /// What each entity has, attributes in the order in which Apple's framework writes them.
    static let properties: [String: (attributes: [String], relationships: [String])] = [
        mappingModel: (
            ["sourcemodelpath", "sourcemodeldata", "destinationmodelpath", "destinationmodeldata"], ["entitymappings"]
        ),
        entityMapping: (
            [
                "sourcefilterpredicatestring", "migrationpolicyclassname", "sourcename", "name", "mappingtypename",
                "mappingnumber", "destinationname", "autogenerateexpression",
            ], ["mappingmodel", "attributemappings", "relationshipmappings"]
        ),
        attributeMapping: (propertyMapping, ["entitymapping"]),
        relationshipMapping: (propertyMapping, ["entitymapping"]),
    ]

    private static let propertyMapping = [
        "sourcemappingname", "sourcekeypath", "valueexpressiondata", "autogenerateexpression", "name",
    ]
}
