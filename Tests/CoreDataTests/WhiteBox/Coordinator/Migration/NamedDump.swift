import Foundation

@testable import CoreData

/// All objects of a store as values, by names.
struct NamedDump {
    struct Object {
        let entity: String
        var values: [String: NSObject] = [:]
        var members: [String: [String]] = [:]
    }

    /// By entity tree and key. An object keeps its key, and its entity may be in another tree.
    private(set) var objects: [String: Object] = [:]

    init(_ context: NSManagedObjectContext, _ model: NSManagedObjectModel) throws {
        for entity in model.entities where !entity.isAbstract {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            request.includesSubentities = false
            for object in try context.fetch(request) {
                var dumped = Object(entity: entity.name ?? "")
                for (name, attribute) in entity.attributesByName where !attribute.isTransient {
                    dumped.values[name] = object.value(forKey: name).map { $0 as AnyObject } as? NSObject
                }
                for (name, relationship) in entity.relationshipsByName where !relationship.isTransient {
                    let value = object.value(forKey: name)
                    let members = (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects ?? [value as Any]
                    let keys = members.compactMap { ($0 as? NSManagedObject).map(Self.key) }
                    dumped.members[name] = relationship.isOrdered ? keys : keys.sorted()
                }
                objects[Self.key(object)] = dumped
            }
        }
    }

    private static func key(_ object: NSManagedObject) -> String {
        "\(object.entity.name ?? "")/\(object.objectID.uriRepresentation().lastPathComponent)"
    }

    /// All of it, in a text that is the same for equal stores.
    var text: String {
        objects.sorted { $0.key < $1.key }.map { key, object in
            let values = object.values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            let members = object.members.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            return "\(key): \(values) \(members)"
        }.joined(separator: "\n")
    }

    // MARK: What both versions have

    /// What an old object has, and the new one of both versions' properties has not.
    func lost(in after: NamedDump, _ old: NSManagedObjectModel, _ new: NSManagedObjectModel) -> [String] {
        var lost: [String] = []
        var heirs: [String: NSEntityDescription] = [:]
        for entity in new.entities {
            if let former = Self.former(
                entity.name ?? "", entity.renamingIdentifier,
                old.entities.map { ($0.name ?? "", $0.renamingIdentifier) })
            {
                heirs[former] = entity
            }
        }
        func key(_ key: String) -> String? {
            let parts = key.split(separator: "/").map(String.init)
            return heirs[parts[0]].map { "\($0.name ?? "")/\(parts[1])" }
        }
        for (oldKey, object) in objects {
            guard let newKey = key(oldKey), let heir = heirs[object.entity] else { continue }
            guard let found = after.objects[newKey], let former = old.entitiesByName[object.entity] else {
                lost.append(oldKey)
                continue
            }
            lost += Self.lost(object, former, found, heir, key).map { "\(newKey).\($0)" }
        }
        let expected = objects.keys.compactMap(key).count
        if after.objects.count != expected { lost.append("\(after.objects.count) objects, not \(expected)") }
        return lost
    }

    private static func lost(
        _ object: Object, _ former: NSEntityDescription, _ found: Object, _ heir: NSEntityDescription,
        _ key: (String) -> String?
    ) -> [String] {
        var lost: [String] = []
        for (name, attribute) in heir.attributesByName where !attribute.isTransient {
            if attribute is NSDerivedAttributeDescription { continue }
            let source = Self.former(
                name, attribute.renamingIdentifier, former.attributesByName.map { ($0, $1.renamingIdentifier) })
            let isOld = source.map { former.attributesByName[$0]?.isTransient == false } ?? false
            let value = isOld ? source.flatMap { object.values[$0] } : attribute.defaultValue as? NSObject
            if value != found.values[name] {
                lost.append("\(name): \(String(describing: found.values[name])), not \(String(describing: value))")
            }
        }
        for (name, relationship) in heir.relationshipsByName where !relationship.isTransient {
            let source = Self.former(
                name, relationship.renamingIdentifier, former.relationshipsByName.map { ($0, $1.renamingIdentifier) })
            guard let source, former.relationshipsByName[source]?.isTransient == false else { continue }
            var expected = (object.members[source] ?? []).compactMap(key)
            if !(relationship.isOrdered && former.relationshipsByName[source]?.isOrdered == true) { expected.sort() }
            let members =
                relationship.isOrdered && former.relationshipsByName[source]?.isOrdered == true
                ? found.members[name] ?? [] : (found.members[name] ?? []).sorted()
            if expected != members { lost.append("\(name): \(members), not \(expected)") }
        }
        return lost
    }

    /// What an element was called: what its identifier says, or what it is called now.
    private static func former(_ name: String, _ identifier: String?, _ old: [(String, String?)]) -> String? {
        old.first { $0.0 == name && $0.1 == identifier }?.0
            ?? old.first { $0.0 == identifier || $0.1 == identifier }?.0 ?? old.first { $0.0 == name }?.0
    }
}
