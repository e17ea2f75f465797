import CoreData
import Foundation
import RandomSeeds

/// All objects of a store as values, by the numbers that a sketch of its model has.
struct StoreDump: Equatable {
    struct Object: Equatable {
        let entity: Int
        /// By attribute.
        var values: [Int: NSObject] = [:]
        /// The other objects' keys, by relationship; in their order where it is ordered, else sorted.
        var members: [Int: [String]] = [:]
    }

    private(set) var objects: [String: Object] = [:]

    /// Reads all objects.
    init(_ context: NSManagedObjectContext, _ sketch: ModelSketch) throws {
        let ids = Dictionary(uniqueKeysWithValues: sketch.entities.map { ($0.name, $0.id) })
        func key(_ object: Any?) -> String? {
            guard let object = object as? NSManagedObject, let id = ids[object.entity.name ?? ""] else { return nil }
            return "\(id)\(object.objectID.uriRepresentation().lastPathComponent)"
        }
        for entity in sketch.entities where !entity.isAbstract {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name)
            request.includesSubentities = false
            for object in try context.fetch(request) {
                var dumped = Object(entity: entity.id)
                for attribute in sketch.attributes(entity.id) {
                    dumped.values[attribute.id] =
                        object.value(forKey: attribute.name).map { $0 as AnyObject } as? NSObject
                }
                for relationship in sketch.relationships(entity.id) {
                    let value = object.value(forKey: relationship.name)
                    let members =
                        (value as? NSOrderedSet)?.compactMap(key) ?? (value as? NSSet)?.compactMap(key).sorted()
                        ?? key(value).map { [$0] } ?? []
                    dumped.members[relationship.id] = members
                }
                objects[key(object) ?? ""] = dumped
            }
        }
    }

    /// What a store should hold after a migration.
    init(_ old: StoreDump, from former: ModelSketch, to sketch: ModelSketch) {
        for (key, object) in old.objects where sketch.has(object.entity) {
            var new = Object(entity: object.entity)
            for attribute in sketch.attributes(object.entity) {
                let known = former.attributes(object.entity).first { $0.id == attribute.id }
                var value = object.values[attribute.id]
                let wantsDefault = known.map { $0.isOptional && !attribute.isOptional } ?? true
                if value == nil, attribute.hasDefault, wantsDefault { value = attribute.defaultValue }
                new.values[attribute.id] = value
            }
            for relationship in sketch.relationships(object.entity) {
                new.members[relationship.id] = Self.members(key, object, relationship, old, former, sketch)
            }
            objects[key] = new
        }
    }

    private static func members(
        _ key: String, _ object: Object, _ relationship: ModelSketch.Relationship, _ old: StoreDump,
        _ former: ModelSketch, _ sketch: ModelSketch
    ) -> [String] {
        var found = object.members[relationship.id] ?? []
        if former.relationship(relationship.id) == nil, let inverse = relationship.inverse {
            // It is new: what led here by the other one is what it leads to.
            found = old.objects.filter { $0.value.members[inverse]?.contains(key) ?? false }.keys.sorted()
            if !relationship.isToMany { found = Array(found.prefix(1)) }
        }
        found = found.filter { member in
            guard let entity = old.objects[member]?.entity else { return false }
            return sketch.has(entity) && sketch.isKind(entity, of: relationship.destination)
        }
        let keepsOrder = relationship.isOrdered && (former.relationship(relationship.id)?.isOrdered ?? false)
        return keepsOrder ? found : found.sorted()
    }

    /// What differs, in a line for each value.
    ///
    /// - Parameter isOrdered: Whether the order of a relationship's members counts.
    func differences(from other: StoreDump, _ isOrdered: @escaping (Int) -> Bool) -> [String] {
        var lines: [String] = []
        for key in Set(objects.keys).union(other.objects.keys).sorted() {
            guard let mine = objects[key], let theirs = other.objects[key] else {
                lines.append("\(key) is only in \(objects[key] == nil ? "the other" : "this")")
                continue
            }
            for id in Set(mine.values.keys).union(theirs.values.keys) where mine.values[id] != theirs.values[id] {
                lines.append(
                    "\(key) attribute \(id): \(Self.word(mine.values[id])), not \(Self.word(theirs.values[id]))")
            }
            for id in Set(mine.members.keys).union(theirs.members.keys) {
                let sort = { (keys: [String]?) in isOrdered(id) ? keys ?? [] : (keys ?? []).sorted() }
                let (a, b) = (sort(mine.members[id]), sort(theirs.members[id]))
                if a != b { lines.append("\(key) relationship \(id): \(a), not \(b)") }
            }
        }
        return lines
    }

    private static func word(_ value: NSObject?) -> String { "\(value?.description ?? "nil")".prefix(40).description }
}

extension ModelSketch {
    /// Fills a store with objects of all entities, related at random.
    func fill(_ context: NSManagedObjectContext, using random: inout SeededGenerator) throws {
        var objects: [Int: [NSManagedObject]] = [:]
        for entity in entities where !entity.isAbstract {
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let object = NSEntityDescription.insertNewObject(forEntityName: entity.name, into: context)
                for attribute in attributes(entity.id) {
                    object.setValue(attribute.randomValue(using: &random), forKey: attribute.name)
                }
                objects[entity.id, default: []].append(object)
            }
        }
        for relationship in entities.flatMap(\.relationships) {
            let owner = owner(ofRelationship: relationship.id)!
            let sources = concrete(below: owner).flatMap { objects[$0] ?? [] }
            var targets = concrete(below: relationship.destination).flatMap { objects[$0] ?? [] }
            for source in sources where random.chance(70) {
                relate(source, relationship, &targets, &random)
            }
        }
        try context.save()
    }

    private func relate(
        _ source: NSManagedObject, _ relationship: Relationship, _ targets: inout [NSManagedObject],
        _ random: inout SeededGenerator
    ) {
        guard relationship.isToMany else {
            return source.setValue(targets.randomElement(using: &random), forKey: relationship.name)
        }
        let members = Array(targets.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random)))
        // Without inverse an object is a member once only.
        if relationship.inverse == nil { targets.removeAll { members.contains($0) } }
        source.setValue(
            relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members), forKey: relationship.name)
    }
}
