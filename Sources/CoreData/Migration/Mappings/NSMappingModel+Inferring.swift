import FoundationGaps

extension NSMappingModel {
    convenience init(inferredFrom source: NSManagedObjectModel, to destination: NSManagedObjectModel) throws {
        self.init(try InferredMapping.unconditional(from: source, to: destination))
    }

    package convenience init(_ mapping: InferredMapping) {
        self.init()
        entityMappings = mapping.entities.filter(\.hasObjects).map { NSEntityMapping($0) }
    }
}

extension InferredEntity {
    /// Whether there are objects of the entity, and not of its subentities alone.
    fileprivate var hasObjects: Bool { !(destination?.isAbstract ?? false) }
}

extension NSEntityMapping {
    fileprivate convenience init(_ inferred: InferredEntity) {
        self.init()
        // What FETCH(…) in a format stands for.
        _ = NSFetchRequestExpression.isRegistered
        name = inferred.mappingName
        mappingType = NSEntityMappingType(inferred.kind)
        sourceEntityName = inferred.source?.name
        sourceEntityVersionHash = inferred.source?.entity.versionHash
        destinationEntityName = inferred.destination?.name
        destinationEntityVersionHash = inferred.destination?.entity.versionHash
        sourceExpression = inferred.source.map { NSExpression(fetching: $0.name) }
        attributeMappings = inferred.properties.compactMap { property in
            property.attributeExpression.map { NSPropertyMapping(property.destination.name, $0) }
        }
        relationshipMappings = inferred.properties.compactMap { property in
            property.relationshipExpression.map { NSPropertyMapping(property.destination.name, $0) }
        }
    }
}

extension InferredEntity {
    /// As Apple's framework names inferred mappings.
    fileprivate var mappingName: String {
        switch kind {
        case .added: "IEM_Add_\(destination?.name ?? "")"
        case .removed: "IEM_Remove_\(source?.name ?? "")"
        case .copied: "IEM_Copy_\(source?.name ?? "")"
        case .transformed: "IEM_Transform_\(source?.name ?? "")"
        }
    }
}

extension NSEntityMappingType {
    fileprivate init(_ kind: InferredEntity.Kind) {
        switch kind {
        case .added: self = .addEntityMappingType
        case .removed: self = .removeEntityMappingType
        case .copied: self = .copyEntityMappingType
        case .transformed: self = .transformEntityMappingType
        }
    }
}

extension InferredProperty {
    fileprivate var attributeExpression: NSExpression? {
        guard destination.kind.isAttribute, let source, value == .copied || value == .copiedOrDefault else {
            return nil
        }
        return NSExpression(forSourceKey: source.name)
    }

    /// What the destinations of the former relationship have become, by whatever mapping.
    fileprivate var relationshipExpression: NSExpression? {
        guard destination.kind.isRelationship, let source else { return nil }
        return NSExpression(
            forFunction: NSExpression(forVariable: NSMigrationManagerKey),
            selectorName: MigrationFunctions.byRelationship,
            arguments: [source.name, NSExpression(forSourceKey: source.name)])
    }
}

extension NSPropertyMapping {
    fileprivate convenience init(_ name: String, _ expression: NSExpression) {
        self.init()
        self.name = name
        valueExpression = expression
    }
}

extension NSExpression {
    /// `$source.key`
    fileprivate convenience init(forSourceKey key: String) {
        self.init(
            node: .keyPath(
                operand: NSExpression(forVariable: NSMigrationSourceObjectKey), path: PredicateKeyPath(key)))
    }

    /// The objects of an entity of the source model, as compiled mapping models fetch them.
    fileprivate convenience init(fetching entity: String) {
        let manager = NSExpression(forVariable: NSMigrationManagerKey)
        let request = NSExpression(
            forFunction: manager, selectorName: MigrationFunctions.request, arguments: [entity, "TRUEPREDICATE"])
        let context = NSExpression(node: .keyPath(operand: manager, path: PredicateKeyPath("sourceContext")))
        self.init(node: .fetch(request: request, context: context, countOnly: false))
    }
}
