import Foundation
import ModelFormat

extension XMLStoreDocument {
    /// Puts a mapping into the document: its objects say then what the mapping says.
    ///
    /// Objects that have not changed stay as they are, with all that they say beyond the mapping; those of removed
    /// mappings go, new ones get identifiers of their own, as does a copy of a mapping that is there already.
    public mutating func update(with mapping: MappingModel) {
        typealias Names = MappingModel.Names
        var claimed: Set<String> = []
        let known = objects.first { $0.entityName == Names.mappingModel }?.id
        let root = claim(known, as: Names.mappingModel, among: &claimed)
        let before = mappingIDs(root: root)
        var entityMappings: [String] = []
        for (offset, entityMapping) in mapping.entityMappings.enumerated() {
            let id = claim(entityMapping.objectID, as: Names.entityMapping, among: &claimed)
            let attributes = entityMapping.attributeMappings.map {
                write($0, Names.attributeMapping, owner: id, among: &claimed)
            }
            let relationships = entityMapping.relationshipMappings.map {
                write($0, Names.relationshipMapping, owner: id, among: &claimed)
            }
            change(id) { object in
                object.write(entityMapping, number: offset + 1)
                object.relate("mappingmodel", "1/1", Names.mappingModel, to: [root])
                object.relate("attributemappings", "0/0", Names.attributeMapping, to: attributes)
                object.relate("relationshipmappings", "0/0", Names.relationshipMapping, to: relationships)
            }
            entityMappings.append(id)
        }
        change(root) { object in
            object.write(mapping)
            object.relate("entitymappings", "0/0", Names.entityMapping, to: entityMappings)
        }
        objects.removeAll { before.contains($0.id) && !claimed.contains($0.id) }
    }

    /// The objects that the mapping model leads to. Xcode leaves others behind, of mappings that were removed long ago.
    private func mappingIDs(root: String) -> Set<String> {
        var result: Set<String> = []
        for id in object(root)?.objectIDs("entitymappings") ?? [] {
            result.insert(id)
            for relationship in ["attributemappings", "relationshipmappings"] {
                result.formUnion(object(id)?.objectIDs(relationship) ?? [])
            }
        }
        return result
    }

    /// The identifier of an object for a mapping: the one that it has if there is such an object and no mapping before
    /// it has claimed it, else that of a new one.
    private mutating func claim(_ id: String?, as entityName: String, among claimed: inout Set<String>) -> String {
        if let id, object(id)?.entityName == entityName, claimed.insert(id).inserted { return id }
        let taken = objects.compactMap { Int($0.id.dropFirst()) }.max() ?? 101
        nextObjectID = max(nextObjectID, taken) + 1
        let new = "z\(nextObjectID)"
        objects.append(Object(entityName: entityName, id: new))
        claimed.insert(new)
        return new
    }

    private mutating func write(
        _ mapping: MappingModel.PropertyMapping, _ entityName: String, owner: String, among claimed: inout Set<String>
    ) -> String {
        let id = claim(mapping.objectID, as: entityName, among: &claimed)
        change(id) { object in
            object.write(mapping)
            object.relate("entitymapping", "1/1", MappingModel.Names.entityMapping, to: [owner])
        }
        return id
    }

    private mutating func change(_ id: String, _ body: (inout Object) -> Void) {
        guard let index = objects.firstIndex(where: { $0.id == id }) else { return }
        body(&objects[index])
    }
}

extension XMLStoreDocument.Object {
    fileprivate mutating func write(_ mapping: MappingModel) {
        set("sourcemodelpath", mapping.sourceModelPath)
        set("sourcemodeldata", mapping.sourceModelData)
        set("destinationmodelpath", mapping.destinationModelPath)
        set("destinationmodeldata", mapping.destinationModelData)
    }

    fileprivate mutating func write(_ mapping: MappingModel.EntityMapping, number: Int) {
        set("sourcefilterpredicatestring", mapping.sourceFilterPredicate)
        set("migrationpolicyclassname", mapping.migrationPolicyClassName)
        set("sourcename", mapping.sourceName)
        set("name", mapping.name)
        set("mappingtypename", mapping.typeName ?? "Undefined")
        set("mappingnumber", String(number), type: "int16")
        set("destinationname", mapping.destinationName)
        set("autogenerateexpression", mapping.generatesExpressions)
    }

    fileprivate mutating func write(_ mapping: MappingModel.PropertyMapping) {
        set("valueexpressiondata", mapping.valueExpressionData)
        set("sourcemappingname", mapping.sourceMappingName)
        set("sourcekeypath", mapping.sourceKeyPath)
        set("autogenerateexpression", mapping.generatesExpression)
        set("name", mapping.name)
    }

    /// Gives an attribute a text, or none; one that is empty, as an emptied field of Xcode's editor is, is none
    /// already.
    private mutating func set(_ name: String, _ text: String?, type: String = "string") {
        guard text != nonEmptyText(name) else { return }
        set(name, type, text.map(XMLStoreDocument.Value.text))
    }

    private mutating func set(_ name: String, _ data: Data?) {
        set(name, "binary", data.map(XMLStoreDocument.Value.data))
    }

    /// Sets a flag; one that is missing is off already.
    private mutating func set(_ name: String, _ flag: Bool) {
        guard flag != (text(name) == "1") else { return }
        set(name, "bool", .text(flag ? "1" : "0"))
    }

    private mutating func set(_ name: String, _ type: String, _ value: XMLStoreDocument.Value?) {
        let index = attributes.firstIndex { $0.name == name }
        switch (index, value) {
        case (let index?, let value?): attributes[index].value = value
        case (let index?, nil): attributes.remove(at: index)
        case (nil, let value?): insert(XMLStoreDocument.Attribute(name: name, type: type, value: value))
        case (nil, nil): break
        }
    }

    private mutating func insert(_ attribute: XMLStoreDocument.Attribute) {
        let order = MappingModel.Names.properties[entityName]?.attributes ?? []
        let later = order.drop { $0 != attribute.name }.dropFirst()
        let place = attributes.firstIndex { later.contains($0.name) } ?? attributes.count
        attributes.insert(attribute, at: place)
    }

    /// Relates the object to others. The order is of no meaning, so those that it is related to already keep theirs.
    fileprivate mutating func relate(_ name: String, _ counts: String, _ destination: String, to ids: [String]) {
        guard let index = relationships.firstIndex(where: { $0.name == name }) else {
            relationships.append(.init(name: name, counts: counts, destination: destination, objectIDs: ids))
            return
        }
        let old = relationships[index].objectIDs
        let (remaining, new) = (old.filter(Set(ids).contains), ids.filter { !old.contains($0) })
        relationships[index].objectIDs = remaining + new
    }
}
