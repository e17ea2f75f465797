import Foundation
import ModelFormat
import PropertyLists

/// Writes a model as a keyed archive with the classes and keys of Apple's.
///
/// Entities and properties are written in the order of their names. They refer to each other in cycles, so all of them
/// get their numbers first.
struct ModelWriter {
    let model: Model
    let form: ModelArchive.Form
    var builder = KeyedArchiveBuilder()
    /// The numbers of the entities by name.
    private(set) var entities: [String: ArchiveReference] = [:]
    /// The numbers of the properties that each entity lists, by name.
    private(set) var properties: [String: [String: ArchiveReference]] = [:]
    /// The user info of all entities that have none: one object, as in Apple's archives.
    private var emptyUserInfo: ArchiveReference?
    /// `SELF` in all predicates: one object, as in Apple's archives.
    var evaluatedObject: ArchiveReference?

    let lineage: EntityLineage
    private let root: ArchiveReference

    init(_ model: Model, _ form: ModelArchive.Form) throws {
        self.model = model
        self.form = form
        lineage = try EntityLineage(model)
        root = builder.reserve()
        for entity in lineage.sorted {
            entities[entity.name] = builder.reserve()
        }
        for entity in lineage.sorted {
            for name in listedProperties(of: entity).names {
                properties[entity.name, default: [:]][name] = builder.reserve()
            }
        }
    }

    /// The properties that an entity's archive lists.
    private func listedProperties(of entity: Model.Entity) -> EntityProperties {
        switch form {
        case .file: lineage.ownProperties(of: entity)
        case .modelCache: lineage.properties(of: entity)
        }
    }

    consuming func data() throws -> Data {
        for entity in lineage.sorted {
            try write(entity)
        }
        var fields: [String: PropertyListValue] = [
            "NSEntities": try entityDictionary().value,
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
    private mutating func entityDictionary() throws -> ArchiveReference {
        let entries = try lineage.sorted.map {
            (key: $0.name, value: try reference(toEntity: $0.name, from: "The model"))
        }
        return switch form {
        case .file: builder.dictionary(entries, .mutableDictionary)
        case .modelCache: builder.knownKeysDictionary(entries)
        }
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
        var fields: [String: PropertyListValue] = [
            "NSEntityName": builder.string(entity.name).value,
            "NSClassNameForEntity": builder.string(entity.representedClass?.spelling).value,
            "NSManagedObjectModel": root.value,
            "NSSuperentity": try parent(of: entity).value,
            "NSSubentities": try subentities(of: entity).value,
            "NSProperties": try writeProperties(of: entity).value,
            "NSRenamingIdentifier": builder.string(entity.renamingIdentifier ?? entity.name).value,
            "NSUserInfo": entityUserInfo(entity).value,
            "NSVersionHashModifier": builder.string(entity.versionHashModifier).value,
        ]
        if entity.isAbstract { fields["NSIsAbstract"] = .boolean(true) }
        if !entity.uniquenessConstraints.isEmpty {
            fields["NSUniqueTuples"] = tuples(entity.uniquenessConstraints).value
        }
        let listsIndexes = !entity.fetchIndexes.isEmpty || form == .modelCache && hasFetchIndexes
        if listsIndexes { fields["NSFetchIndexDescriptions"] = try fetchIndexes(of: entity).value }
        if listsIndexes || !entity.compoundIndexes.isEmpty {
            fields["NSCompoundIndexes"] = tuples(entity.compoundIndexes).value
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
        let children = try lineage.children(of: entity.name)
            .map { (key: $0.name, value: try reference(toEntity: $0.name, from: "The model")) }
        return builder.dictionary(children, .mutableDictionary)
    }

    private mutating func entityUserInfo(_ entity: Model.Entity) -> ArchiveReference {
        guard entity.userInfo?.entries.isEmpty ?? true else { return builder.userInfo(entity.userInfo) }
        let reference = emptyUserInfo ?? builder.dictionary([])
        emptyUserInfo = reference
        return reference
    }

    /// Whether any entity has fetch indexes: then every entity of a model cache has a list of them, be it empty.
    private var hasFetchIndexes: Bool {
        lineage.sorted.contains { !$0.fetchIndexes.isEmpty }
    }

    private mutating func writeProperties(of entity: Model.Entity) throws -> ArchiveReference {
        let properties = listedProperties(of: entity)
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
