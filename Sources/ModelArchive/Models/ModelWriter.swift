import Foundation
import ModelDocument

/// Writes a model as a keyed archive with the classes and keys of Apple's.
///
/// Entities and properties are written in the order of their names. They refer to each other in cycles, so all of them
/// get their numbers first.
struct ModelWriter {
    let model: Model
    var builder = KeyedArchiveBuilder()
    /// The numbers of the entities by name.
    private(set) var entities: [String: ArchiveReference] = [:]
    /// The numbers of each entity's properties, inherited ones included, by name.
    private(set) var properties: [String: [String: ArchiveReference]] = [:]

    private let lineage: EntityLineage
    private let root: ArchiveReference

    init(_ model: Model) throws {
        self.model = model
        lineage = try EntityLineage(model)
        root = builder.reserve()
        for entity in lineage.sorted {
            entities[entity.name] = builder.reserve()
        }
        for entity in lineage.sorted {
            for name in lineage.properties(of: entity).names {
                properties[entity.name, default: [:]][name] = builder.reserve()
            }
        }
    }

    consuming func data() throws -> Data {
        for entity in lineage.sorted {
            try write(entity)
        }
        var fields: [String: PropertyListValue] = [
            "NSEntities": builder.dictionary(try entityEntries(), .mutableDictionary).value,
            "NSVersionIdentifiers": versionIdentifiers().value,
            "NSFetchRequestTemplates": try templates().value,
        ]
        if !model.configurations.isEmpty { fields["NSConfigurations"] = try configurations().value }
        if let texts = model.localizationDictionary {
            let entries = texts.sorted { $0.key < $1.key }.map {
                ($0.key, builder.string($0.value) as ArchiveReference)
            }
            fields[ArchiveKey.localizationDictionary] = builder.dictionary(entries).value
        }
        builder.fill(root, .model, fields)
        return builder.data(root: root)
    }

    /// The number of an entity that something refers to.
    func reference(toEntity name: String, from place: String) throws -> ArchiveReference {
        guard let reference = entities[name] else {
            throw unwritableValue("\(place) refers to the entity “\(name)”, which the model lacks.")
        }
        return reference
    }
}

// MARK: - The model's own parts

extension ModelWriter {
    private func entityEntries() throws -> [(key: String, value: ArchiveReference)] {
        try lineage.sorted.map { ($0.name, try reference(toEntity: $0.name, from: "The model")) }
    }

    private mutating func versionIdentifiers() -> ArchiveReference {
        let identifiers = Set(model.versionIdentifiers).sorted().map { builder.string($0) as ArchiveReference }
        return builder.array(identifiers, .set)
    }

    private mutating func templates() throws -> ArchiveReference {
        guard !model.fetchRequests.isEmpty else { return .null }
        try checkNames(model.fetchRequests.map(\.name), "fetch request templates")
        var entries: [(key: String, value: ArchiveReference)] = []
        for request in model.fetchRequests.sorted(by: { $0.name < $1.name }) {
            entries.append((request.name, try fetchRequest(request, place: "The template “\(request.name)”")))
        }
        return builder.dictionary(entries, .mutableDictionary)
    }

    private mutating func configurations() throws -> ArchiveReference {
        try checkNames(model.configurations.map(\.name), "configurations")
        var entries: [(key: String, value: ArchiveReference)] = []
        for configuration in model.configurations.sorted(by: { $0.name < $1.name }) {
            let members = try Set(configuration.entityNames).sorted().map {
                try reference(toEntity: $0, from: "The configuration “\(configuration.name)”")
            }
            entries.append((configuration.name, builder.array(members, .set)))
        }
        return builder.dictionary(entries, .mutableDictionary)
    }

    private func checkNames(_ names: [String], _ kind: String) throws {
        guard Set(names).count == names.count else {
            throw unwritableValue("The model has two \(kind) of one name.")
        }
    }
}

// MARK: - Entities

extension ModelWriter {
    private mutating func write(_ entity: Model.Entity) throws {
        let properties = lineage.properties(of: entity)
        var fields: [String: PropertyListValue] = [
            "NSEntityName": builder.string(entity.name).value,
            "NSClassNameForEntity": builder.string(entity.representedClass?.spelling).value,
            "NSManagedObjectModel": root.value,
            "NSSuperentity": try parent(of: entity).value,
            "NSSubentities": try subentities(of: entity).value,
            "NSProperties": try write(properties, of: entity).value,
            "NSRenamingIdentifier": builder.string(entity.renamingIdentifier ?? entity.name).value,
            "NSUserInfo": userInfo(entity.userInfo).value,
            "NSVersionHashModifier": builder.string(entity.versionHashModifier).value,
        ]
        if entity.isAbstract { fields["NSIsAbstract"] = .boolean(true) }
        if !entity.uniquenessConstraints.isEmpty {
            fields["NSUniqueTuples"] = tuples(entity.uniquenessConstraints).value
        }
        if !entity.compoundIndexes.isEmpty || !entity.fetchIndexes.isEmpty {
            fields["NSCompoundIndexes"] = tuples(entity.compoundIndexes).value
        }
        if !entity.fetchIndexes.isEmpty {
            fields["NSFetchIndexDescriptions"] = try fetchIndexes(of: entity).value
        }
        if let format = entity.spotlightDisplayNameExpression {
            fields[ArchiveKey.spotlightName] = try expression(
                format, place: "The Spotlight name of “\(entity.name)”"
            ).value
        }
        builder.fill(try reference(toEntity: entity.name, from: "The model"), .entity, fields)
    }

    private func parent(of entity: Model.Entity) throws -> ArchiveReference {
        guard let name = entity.parentName else { return .null }
        return try reference(toEntity: name, from: "The entity “\(entity.name)”")
    }

    private mutating func subentities(of entity: Model.Entity) throws -> ArchiveReference {
        let children = try lineage.sorted.filter { $0.parentName == entity.name }
            .map { (key: $0.name, value: try reference(toEntity: $0.name, from: "The model")) }
        return builder.dictionary(children, .mutableDictionary)
    }

    /// Writes own and inherited properties, as a store's model cache lists them.
    private mutating func write(_ properties: EntityProperties, of entity: Model.Entity) throws -> ArchiveReference {
        let references = self.properties[entity.name] ?? [:]
        for (name, attribute) in properties.attributes {
            guard let reference = references[name] else { continue }
            try write(attribute, of: entity.name, as: reference)
        }
        for (name, relationship) in properties.relationships {
            guard let reference = references[name] else { continue }
            try write(relationship, of: entity.name, as: reference)
        }
        for (name, property) in properties.fetchedProperties {
            guard let reference = references[name] else { continue }
            try write(property, of: entity.name, as: reference)
        }
        let entries = references.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return builder.dictionary(entries, .mutableDictionary)
    }

    private mutating func tuples(_ tuples: [Model.NameTuple]) -> ArchiveReference {
        let lists = tuples.map { tuple in
            builder.array(tuple.names.map { builder.string($0) as ArchiveReference }, .mutableArray)
        }
        return builder.array(lists, .mutableArray)
    }

    private mutating func fetchIndexes(of entity: Model.Entity) throws -> ArchiveReference {
        var references: [ArchiveReference] = []
        for index in entity.fetchIndexes {
            references.append(try fetchIndex(index, of: entity.name))
        }
        return builder.array(references, .mutableArray)
    }
}
