import Foundation
import ModelFormat

/// Computes the hashes of a model's entities, parents first.
struct EntityHasher {
    private let model: Model
    private let entities: [String: Model.Entity]
    private let propertyHasher: PropertyHasher
    private var done: [String: Inheritance] = [:]

    /// What a subentity's hash needs to know of its parent.
    private struct Inheritance {
        var hash: [UInt8]
        /// The hashes of own and inherited properties by name.
        var properties: [String: [UInt8]]
    }

    init(_ model: Model) throws {
        self.model = model
        entities = try Dictionary(model.entities.map { ($0.name, $0) }) { entity, _ in
            throw corruptArchive("The model has two entities named “\(entity.name)”.")
        }
        propertyHasher = try PropertyHasher(model)
    }

    consuming func hashes() throws -> [String: Data] {
        for entity in model.entities {
            try visit(entity)
        }
        return done.mapValues { Data($0.hash) }
    }

    /// Computes the hashes of an entity and of the parents that it still lacks, the outermost first.
    private mutating func visit(_ entity: Model.Entity) throws {
        var line: [Model.Entity] = []
        var next: Model.Entity? = entity
        while let current = next, done[current.name] == nil {
            guard line.count < entities.count else {
                throw corruptArchive("The entity “\(entity.name)” is its own ancestor.")
            }
            line.append(current)
            next = try current.parentName.map { try parent($0, of: current) }
        }
        for entity in line.reversed() {
            done[entity.name] = try inheritance(entity)
        }
    }

    private func parent(_ name: String, of entity: Model.Entity) throws -> Model.Entity {
        guard let parent = entities[name] else {
            throw corruptArchive("The entity “\(entity.name)” inherits from “\(name)”, which the model lacks.")
        }
        return parent
    }

    private func inheritance(_ entity: Model.Entity) throws -> Inheritance {
        let parent = entity.parentName.flatMap { done[$0] }
        var properties = parent?.properties ?? [:]
        for attribute in entity.attributes where !attribute.isTransient {
            properties[attribute.name] = try propertyHasher.hash(attribute)
        }
        for relationship in entity.relationships where !relationship.isTransient {
            properties[relationship.name] = propertyHasher.hash(relationship, owner: entity.name)
        }
        var message = HashMessage()
        message.append(entity.name)
        message.append([entity.isAbstract ? 1 : 0])
        message.append(parent?.hash ?? [])
        for (_, hash) in properties.sorted(by: { precedes($0.key, $1.key) }) {
            message.append(hash)
        }
        message.append(entity.versionHashModifier)
        for names in entity.uniquenessConstraints.map({ $0.names.joined(separator: ".") }).sorted(by: precedes) {
            message.append(names)
        }
        return Inheritance(hash: message.hash, properties: properties)
    }
}

/// The bytes that a hash is made of: strings are UTF-8 with neither length nor end, nil is nothing, integers are
/// little-endian.
struct HashMessage {
    private var bytes: [UInt8] = []

    mutating func append(_ text: String?) {
        bytes += Array((text ?? "").utf8)
    }

    mutating func append(_ integer: some FixedWidthInteger & BitwiseCopyable) {
        bytes += integer.littleEndianBytes
    }

    mutating func append(_ other: [UInt8]) {
        bytes += other
    }

    var hash: [UInt8] { Digest.sha256(bytes) }
}
