import Foundation
import ModelFormat
import PropertyLists

extension MappingModel {
    /// Reads what the objects of a document mean.
    ///
    /// What mapping models are not known to say is passed over. It stays in the document.
    ///
    /// - Throws: `ModelDocumentError` `notAModel` for the store of other objects, `invalidContent` for objects that are
    ///   missing.
    public init(_ store: XMLStoreDocument) throws {
        let models = store.objects.filter { $0.entityName == Names.mappingModel }
        guard let model = models.first, models.count == 1 else {
            throw ModelDocumentError(
                .notAModel, sentence: "The document holds \(models.count) mapping models; there must be one.")
        }
        let reader = ObjectReader(store)
        sourceModelPath = model.nonEmptyText("sourcemodelpath")
        sourceModelData = model.data("sourcemodeldata")
        destinationModelPath = model.nonEmptyText("destinationmodelpath")
        destinationModelData = model.data("destinationmodeldata")
        let mappings = try reader.objects(of: model, "entitymappings", named: Names.entityMapping)
        entityMappings = try mappings.map { (number: try reader.number($0), mapping: try reader.entityMapping($0)) }
            .enumerated().sorted { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }
            .map(\.element.mapping)
    }

    /// The names of the entities of Xcode's own model of mapping models.
    enum Names {
        static let mappingModel = "XDDEVMAPPINGMODEL"
        static let entityMapping = "XDDEVENTITYMAPPING"
        static let attributeMapping = "XDDEVATTRIBUTEMAPPING"
        static let relationshipMapping = "XDDEVRELATIONSHIPMAPPING"
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
            var seen: Set<String> = []
            return try owner.objectIDs(relationship).map { id in
                // What names an object a million times would cost a million copies of all that the object names.
                guard seen.insert(id).inserted else { throw invalid(owner, "refers to \(id) twice") }
                guard let object = objects[id], object.entityName == name else {
                    throw invalid(owner, "refers to \(id), which is no \(name)")
                }
                return object
            }
        }

        /// The place among the entity mappings.
        func number(_ object: XMLStoreDocument.Object) throws -> Int {
            guard let text = object.nonEmptyText("mappingnumber") else { return 0 }
            guard let number = Int(text) else { throw invalid(object, "has the number “\(text)”") }
            return number
        }

        func entityMapping(_ object: XMLStoreDocument.Object) throws -> EntityMapping {
            var mapping = EntityMapping()
            mapping.objectID = object.id
            mapping.generatesExpressions = object.text("autogenerateexpression") == "1"
            mapping.name = object.nonEmptyText("name")
            mapping.typeName = object.nonEmptyText("mappingtypename")
            mapping.sourceName = object.nonEmptyText("sourcename")
            mapping.destinationName = object.nonEmptyText("destinationname")
            mapping.sourceFilterPredicate = object.nonEmptyText("sourcefilterpredicatestring")
            mapping.migrationPolicyClassName = object.nonEmptyText("migrationpolicyclassname")
            guard mapping.sourceName != nil || mapping.destinationName != nil else {
                throw invalid(object, "maps no entity to no entity")
            }
            mapping.attributeMappings = try objects(of: object, "attributemappings", named: Names.attributeMapping)
                .map(propertyMapping)
            mapping.relationshipMappings = try objects(
                of: object, "relationshipmappings", named: Names.relationshipMapping
            ).map(propertyMapping)
            return mapping
        }

        private func propertyMapping(_ object: XMLStoreDocument.Object) throws -> PropertyMapping {
            guard let name = object.nonEmptyText("name") else { throw invalid(object, "names no property") }
            var mapping = PropertyMapping(name: name)
            mapping.objectID = object.id
            mapping.valueExpressionData = object.data("valueexpressiondata")
            mapping.generatesExpression = object.text("autogenerateexpression") == "1"
            mapping.sourceMappingName = object.nonEmptyText("sourcemappingname")
            mapping.sourceKeyPath = object.nonEmptyText("sourcekeypath")
            return mapping
        }

        private func invalid(_ object: XMLStoreDocument.Object, _ sentence: Sentence) -> ModelDocumentError {
            ModelDocumentError(
                .invalidContent, sentence: "The object \(object.id) (\(object.entityName)) \(whole: sentence).")
        }
    }
}

extension XMLStoreDocument.Object {
    /// The text of an attribute; nil where it is null or empty, as an emptied field of Xcode's editor is.
    func nonEmptyText(_ name: String) -> String? {
        text(name).flatMap { $0.isEmpty ? nil : $0 }
    }
}
