import CoreData
import Foundation

/// Finds the rows of an import that the entity's uniqueness constraints forbid.
struct ImportConstraints {
    /// By the numbers of the rows.
    private var problems: [Int: ImportProblem] = [:]

    /// - Parameters:
    ///   - known: The objects that are there already.
    ///   - entity: The entity of the objects that are made.
    init(
        _ rows: [ImportedRow], _ known: KnownObjects, _ columns: [ImportedColumn], _ entity: NSEntityDescription,
        _ changes: StagedChanges
    ) throws {
        for constraint in ImportConstraint.all(of: entity) {
            guard let column = columns.first(where: { constraint.names.contains($0.path) }) else { continue }
            let objects = ImportedObject.all(rows, known, constraint)
            for (number, other) in try constraint.violations(of: objects, in: changes.context) {
                problems[number] = column.problem(
                    "The value of \(constraint.names.joined(separator: ", ")) has to be unique. \(other) has it already."
                )
            }
        }
    }

    /// Why a row can't be imported.
    func problem(_ row: ImportedRow) -> ImportProblem? { problems[row.number] }
}

/// An object of an import, with the values that a constraint is about.
private struct ImportedObject {
    /// The row that was the last one to set a value.
    var row: ImportedRow
    /// The object, if it is there already.
    var object: NSManagedObject?
    /// The values that the file sets.
    var values: [String: Any?] = [:]

    /// The objects for which the file sets a value of a constraint. Rows with the same key are one object.
    static func all(_ rows: [ImportedRow], _ known: KnownObjects, _ constraint: ImportConstraint) -> [ImportedObject] {
        var objects: [ImportedObject] = []
        var places: [NSObject: Int] = [:]
        for row in rows {
            let values = row.values.filter { constraint.names.contains($0.path) }
            if values.isEmpty { continue }
            let key = row.key?.value
            let place = key.flatMap { places[$0] } ?? objects.count
            if let key { places[key] = place }
            if place == objects.count {
                objects.append(ImportedObject(row: row, object: key.flatMap { known.objects[$0] }))
            }
            objects[place].row = row
            for (path, value) in values { objects[place].values[path] = .some(value) }
        }
        return objects
    }
}

/// Properties whose values only one object of an entity has together.
private struct ImportConstraint {
    /// The entity that demands it, of itself and its subentities.
    let entity: String
    let names: [String]
    /// The values that new objects have.
    private let defaults: [String: Any]

    /// The constraints of an entity, inherited ones included.
    static func all(of entity: NSEntityDescription) -> [ImportConstraint] {
        sequence(first: entity, next: \.superentity).flatMap { declaring in
            declaring.uniquenessConstraints.compactMap { list in
                let names = list.compactMap { $0 as? String ?? ($0 as? NSPropertyDescription)?.name }
                return ImportConstraint(names, declaring.name ?? "", of: entity)
            }
        }
    }

    /// - Returns: Nil where something else than attributes and to-one relationships makes it one without effect.
    private init?(_ names: [String], _ declaring: String, of entity: NSEntityDescription) {
        let isPlain = names.allSatisfy { name in
            entity.attributesByName[name] != nil || entity.relationshipsByName[name]?.isToMany == false
        }
        guard isPlain, !names.isEmpty else { return nil }
        (self.entity, self.names) = (declaring, names)
        defaults = entity.attributesByName.compactMapValues(\.defaultValue)
    }

    /// The numbers of rows whose objects have the values of another one, and what the other one is called.
    func violations(
        of objects: [ImportedObject], in context: NSManagedObjectContext
    ) throws -> [(number: Int, other: String)] {
        var found: [(number: Int, other: String)] = []
        var wanted: [[NSObject]: ImportedObject] = [:]
        for object in objects {
            guard let values = values(of: object) else { continue }
            if let other = wanted[values] {
                found.append((object.row.number, "Line \(other.row.line)"))
            } else {
                wanted[values] = object
            }
        }
        // What the file gives another value to is compared with that one.
        let imported = Set(objects.compactMap(\.object))
        for stored in try stored(wanted.values.compactMap { value(of: $0, names[0]) }, context)
        where !imported.contains(stored) {
            guard let values = tuple({ stored.value(forKey: $0) }), let object = wanted[values] else { continue }
            found.append((object.row.number, stored.objectID.shortIdentifier))
        }
        return found
    }

    private func stored(_ values: [Any], _ context: NSManagedObjectContext) throws -> [NSManagedObject] {
        try stride(from: 0, to: values.count, by: 500).flatMap { start in
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.predicate = NSPredicate(
                format: "%K IN %@", argumentArray: [names[0], Array(values[start..<min(start + 500, values.count)])])
            return try context.fetch(request)
        }
    }

    private func value(of object: ImportedObject, _ name: String) -> Any? {
        if let value = object.values[name] { return value }
        return object.object.map { $0.value(forKey: name) } ?? defaults[name]
    }

    private func values(of object: ImportedObject) -> [NSObject]? { tuple { value(of: object, $0) } }

    /// The values that are compared; nil where one is missing, for no value is as unique as any other.
    private func tuple(_ value: (String) -> Any?) -> [NSObject]? {
        let all = names.compactMap { name -> NSObject? in
            let value = value(name)
            // Texts are the same if their bytes are.
            if let text = value as? String { return Data(text.utf8) as NSData }
            return value is NSNull ? nil : value as? NSObject ?? (value as AnyObject?) as? NSObject
        }
        return all.count == names.count ? all : nil
    }
}
