import CoreData
import ModelArchive
import ModelDocument

extension MappingModel {
    /// What is inferred from two models, for Xcode's editor and for `coredata compile`.
    ///
    /// All properties of the new entities are in it, also those that get no value: an editor shows them to be filled
    /// in. What can't be inferred has no expression.
    ///
    /// - Parameter mapping: From one model to another.
    /// - Throws: `CocoaError.fileWriteUnknown` (512) for an expression that can't be written.
    package init(_ mapping: InferredMapping) throws {
        let inferred = NSMappingModel(mapping).compiled.entityMappings
        let pairs = mapping.entities.filter { !($0.destination?.isAbstract ?? false) }
        let obstacles = Set(mapping.obstacles.filter { $0.rows == nil }.map { [$0.entity, $0.property ?? ""] })
        self.init(
            entityMappings: try zip(pairs, inferred).map { pair, compiled in
                try EntityMappingWriter(pair, compiled, leavingOpen: obstacles).mapping()
            })
    }
}

/// Writes the mapping of one entity.
private struct EntityMappingWriter {
    private let pair: InferredEntity
    private let expressions: [String: String]
    private let open: Set<[String]>

    /// - Parameter open: Entities and properties, by their new names, that can't be inferred.
    init(_ pair: InferredEntity, _ compiled: CompiledMapping.EntityMapping, leavingOpen open: Set<[String]>) {
        self.pair = pair
        self.open = open
        let mappings = compiled.attributeMappings + compiled.relationshipMappings
        let named = mappings.compactMap { one in one.valueExpression.map { (one.name, $0) } }
        expressions = Dictionary(named) { first, _ in first }
    }

    func mapping() throws -> MappingModel.EntityMapping {
        var mapping = MappingModel.EntityMapping()
        mapping.sourceName = pair.source?.name
        mapping.destinationName = pair.destination?.name
        let slots = pair.destination?.slots.filter { !$0.isTransient && pair.property(to: $0) != nil } ?? []
        mapping.attributeMappings = try slots.filter(\.kind.isAttribute).compactMap(attribute)
        mapping.relationshipMappings = try slots.filter(\.kind.isRelationship).map(relationship)
        return mapping
    }

    /// - Returns: nil for an attribute that the compiler would give the value of another one of its name.
    private func attribute(_ slot: PropertySlot) throws -> MappingModel.PropertyMapping? {
        var mapping = MappingModel.PropertyMapping(name: slot.name)
        let namesake = pair.source?.slot(named: slot.name).flatMap { $0.kind.isAttribute ? $0 : nil }
        let isImplied = namesake != nil && !slot.name.contains(".")
        let former = pair.property(to: slot)?.source
        if isImplied, former?.index == namesake?.index, expression(slot) != nil { return mapping }
        if isImplied, expression(slot) == nil { return nil }
        try mapping.setValueExpression(expression(slot))
        return mapping
    }

    private func relationship(_ slot: PropertySlot) throws -> MappingModel.PropertyMapping {
        var mapping = MappingModel.PropertyMapping(name: slot.name)
        try mapping.setValueExpression(expression(slot))
        return mapping
    }

    private func expression(_ slot: PropertySlot) -> String? {
        let owner = pair.destination?.owner(of: slot).name ?? ""
        return open.contains([owner, slot.name]) ? nil : expressions[slot.name]
    }
}
