import Foundation

/// What an `.xcmappingmodel` says: which entities of one model become which of another, and how.
///
/// The document is an XML store of objects that refer to each other; `XMLStoreDocument` reads and writes that, and keeps
/// what is in it byte for byte. This is what its objects mean.
///
/// ```swift
/// let store = try XMLStoreDocument(data: Data(contentsOf: document.appending(path: "xcmapping.xml")))
/// let mapping = try MappingModel(store)
/// ```
package struct MappingModel: Sendable, Hashable {
    /// The version of the source model, relative to the folder of Xcode's project:
    /// `App/League.xcdatamodeld/League.xcdatamodel`.
    package var sourceModelPath: String?
    /// The version of the destination model, relative to the folder of Xcode's project.
    package var destinationModelPath: String?
    /// The entity mappings in their order.
    package var entityMappings: [EntityMapping]

    package init(entityMappings: [EntityMapping] = []) {
        self.entityMappings = entityMappings
    }

    /// What becomes of the objects of one entity.
    package struct EntityMapping: Sendable, Hashable {
        /// The name, where it is not made of the entities' names.
        package var name: String?
        /// The kind of mapping as the document spells it: `Undefined` in all that Xcode writes.
        package var typeName: String?
        package var sourceName: String?
        package var destinationName: String?
        /// The format of the predicate that source objects must fulfil.
        package var sourceFilterPredicate: String?
        package var migrationPolicyClassName: String?
        package var attributeMappings: [PropertyMapping] = []
        package var relationshipMappings: [PropertyMapping] = []

        package init() {}
    }

    /// What makes up the value of a property.
    package struct PropertyMapping: Sendable, Hashable {
        /// The property of the destination entity.
        package var name: String
        /// The value's expression as a keyed archive.
        package var valueExpressionData: Data?
        /// Whether a relationship without an expression gets one from what follows.
        package var generatesExpression = false
        /// The entity mapping that a relationship's destinations go through.
        package var sourceMappingName: String?
        /// The format of the expression for a relationship's source objects: `$source.country`.
        package var sourceKeyPath: String?

        package init(name: String) {
            self.name = name
        }
    }
}

// MARK: - Reading

extension MappingModel {
    /// Reads what the objects of a document mean.
    ///
    /// - Throws: `ModelDocumentError` `notAModel` for the store of other objects, `invalidContent` for objects that are
    ///   missing or say what mapping models are not known to say.
    package init(_ store: XMLStoreDocument) throws {
        let models = store.objects.filter { $0.entityName == "XDDEVMAPPINGMODEL" }
        guard let model = models.first, models.count == 1 else {
            throw ModelDocumentError(
                .notAModel, "The document holds \(models.count) mapping models; there must be one.")
        }
        let reader = ObjectReader(store)
        try reader.check(
            model, attributes: ["sourcemodelpath", "sourcemodeldata", "destinationmodelpath", "destinationmodeldata"])
        sourceModelPath = model.nonEmptyText("sourcemodelpath")
        destinationModelPath = model.nonEmptyText("destinationmodelpath")
        let mappings = try reader.objects(of: model, "entitymappings", named: "XDDEVENTITYMAPPING")
        entityMappings = try mappings.map { (number: try reader.number($0), mapping: try reader.entityMapping($0)) }
            .enumerated().sorted { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }
            .map(\.element.mapping)
    }

    private struct ObjectReader {
        private let objects: [String: XMLStoreDocument.Object]

        init(_ store: XMLStoreDocument) {
            objects = Dictionary(store.objects.map { ($0.id, $0) }) { first, _ in first }
        }

        /// The objects at the other end of a relationship.
        func objects(
            of owner: XMLStoreDocument.Object, _ relationship: String, named name: String
        ) throws -> [XMLStoreDocument.Object] {
            try owner.objectIDs(relationship).map { id in
                guard let object = objects[id], object.entityName == name else {
                    throw invalid(owner, "refers to \(id), which is no \(name)")
                }
                return object
            }
        }

        func check(_ object: XMLStoreDocument.Object, attributes known: Set<String>) throws {
            if let unknown = object.attributes.first(where: { !known.contains($0.name) }) {
                throw invalid(object, "says “\(unknown.name)”, which is nothing that a mapping model is known to say")
            }
        }

        /// The place among the entity mappings.
        func number(_ object: XMLStoreDocument.Object) throws -> Int {
            guard let text = object.nonEmptyText("mappingnumber") else { return 0 }
            guard let number = Int(text) else { throw invalid(object, "has the number “\(text)”") }
            return number
        }

        func entityMapping(_ object: XMLStoreDocument.Object) throws -> EntityMapping {
            try check(
                object,
                attributes: [
                    "name", "mappingtypename", "mappingnumber", "sourcename", "destinationname",
                    "sourcefilterpredicatestring", "migrationpolicyclassname", "autogenerateexpression",
                ])
            var mapping = EntityMapping()
            mapping.name = object.nonEmptyText("name")
            mapping.typeName = object.nonEmptyText("mappingtypename")
            mapping.sourceName = object.nonEmptyText("sourcename")
            mapping.destinationName = object.nonEmptyText("destinationname")
            mapping.sourceFilterPredicate = object.nonEmptyText("sourcefilterpredicatestring")
            mapping.migrationPolicyClassName = object.nonEmptyText("migrationpolicyclassname")
            guard mapping.sourceName != nil || mapping.destinationName != nil else {
                throw invalid(object, "maps no entity to no entity")
            }
            mapping.attributeMappings = try objects(of: object, "attributemappings", named: "XDDEVATTRIBUTEMAPPING")
                .map(propertyMapping)
            mapping.relationshipMappings = try objects(
                of: object, "relationshipmappings", named: "XDDEVRELATIONSHIPMAPPING"
            ).map(propertyMapping)
            return mapping
        }

        private func propertyMapping(_ object: XMLStoreDocument.Object) throws -> PropertyMapping {
            try check(
                object,
                attributes: [
                    "name", "valueexpressiondata", "autogenerateexpression", "sourcemappingname", "sourcekeypath",
                ])
            guard let name = object.nonEmptyText("name") else { throw invalid(object, "names no property") }
            var mapping = PropertyMapping(name: name)
            mapping.valueExpressionData = object.data("valueexpressiondata")
            mapping.generatesExpression = object.text("autogenerateexpression") == "1"
            mapping.sourceMappingName = object.nonEmptyText("sourcemappingname")
            mapping.sourceKeyPath = object.nonEmptyText("sourcekeypath")
            return mapping
        }

        private func invalid(_ object: XMLStoreDocument.Object, _ sentence: String) -> ModelDocumentError {
            ModelDocumentError(.invalidContent, "The object \(object.id) (\(object.entityName)) \(sentence).")
        }
    }
}

extension XMLStoreDocument.Object {
    /// The text of an attribute; nil where it is null or empty, as an emptied field of Xcode's editor is.
    fileprivate func nonEmptyText(_ name: String) -> String? {
        text(name).flatMap { $0.isEmpty ? nil : $0 }
    }
}
