import CoreData

extension Resource {
    /// Sets what a client wrote. The rules of the model are checked by the save, all of them at once.
    ///
    /// - Throws: ``Problem`` 422 with an entry for each property that is unknown, or has a value of a wrong type.
    func apply(_ values: [String: JSON], to object: NSManagedObject) throws {
        var entries: [Problem.Entry] = []
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            do { try set(value, key, of: object) } catch let flaw as Flaw {
                entries.append(Problem.Entry(property: key, detail: flaw.sentence))
            }
        }
        guard !entries.isEmpty else { return }
        // The client reads everything at once.
        let named = Set(entries.map(\.property))
        throw Problem.invalid(entries + brokenRules(of: object).filter { !named.contains($0.property) })
    }

    private func brokenRules(of object: NSManagedObject) -> [Problem.Entry] {
        do {
            if object.isInserted { try object.validateForInsert() } else { try object.validateForUpdate() }
            return []
        } catch { return Problem.entries(error as NSError, for: object) }
    }

    /// What is wrong with a value, before it is one of the model's.
    private struct Flaw: Error {
        let sentence: String
        init(_ sentence: String) { self.sentence = sentence }
    }

    private func set(_ value: JSON, _ key: String, of object: NSManagedObject) throws {
        let properties = object.entity.propertiesByName
        guard writableKeys.contains(key), let property = properties[key] else {
            throw Flaw(
                key == "id" || key == "version" || members.contains(key)
                    ? "\(key) can't be set." : "A \(singular) has no \(key).")
        }
        if let attribute = property as? NSAttributeDescription {
            object.setValue(try Self.value(value, of: attribute), forKey: key)
        } else if let relationship = property as? NSRelationshipDescription, let context = object.managedObjectContext {
            object.setValue(try Self.destination(value, of: relationship, in: context), forKey: key)
        }
    }

    // MARK: Attributes

    private static func value(_ value: JSON, of attribute: NSAttributeDescription) throws -> Any? {
        if value == .null { return nil }
        switch (attribute.attributeType, value) {
        case (.stringAttributeType, .text(let text)):
            // PostgreSQL has no such texts.
            if text.contains("\0") { throw Flaw("\(attribute.name) has a character that can't be kept: U+0000.") }
            return text
        case (.decimalAttributeType, .number(let number)):
            return NSDecimalNumber(decimal: number)
        case (.integer16AttributeType, .number(let number)):
            let number = NSDecimalNumber(decimal: number)
            guard let integer = Int16(number.stringValue) else {
                throw Flaw("\(attribute.name) is a whole number from \(Int16.min) to \(Int16.max).")
            }
            return NSNumber(value: integer)
        case (.dateAttributeType, .text(let text)):
            guard let date = CalendarDay.date(text) else {
                throw Flaw("\(attribute.name) is a date like 2001-04-25.")
            }
            return date
        default:
            throw Flaw("\(attribute.name) is \(expected(attribute)), not \(value.kind).")
        }
    }

    private static func expected(_ attribute: NSAttributeDescription) -> String {
        switch attribute.attributeType {
        case .stringAttributeType: "a text"
        case .dateAttributeType: "a date like 2001-04-25"
        default: "a number"
        }
    }

    // MARK: Relationships

    /// The objects whose ids a client wrote.
    private static func destination(
        _ value: JSON, of relationship: NSRelationshipDescription, in context: NSManagedObjectContext
    ) throws -> Any? {
        guard let entity = relationship.destinationEntity?.name else { return nil }
        switch value {
        case .null where !relationship.isToMany:
            return nil
        case .text(let id) where !relationship.isToMany:
            return try objects([id], of: entity, in: context).first
        case .list(let elements) where relationship.isToMany:
            let ids = try elements.map { element in
                guard case .text(let id) = element else {
                    throw Flaw("\(relationship.name) is a list of ids, and has \(element.kind) in it.")
                }
                return id
            }
            return NSSet(array: try objects(ids, of: entity, in: context))
        default:
            throw Flaw(
                "\(relationship.name) is \(relationship.isToMany ? "a list of ids" : "an id"), not \(value.kind).")
        }
    }

    private static func objects(
        _ ids: [String], of entity: String, in context: NSManagedObjectContext
    ) throws -> [NSManagedObject] {
        let uuids = Set(ids.compactMap(UUID.init(uuidString:)))
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: "id IN %@", uuids.map { $0 as NSUUID })
        let found = try context.fetch(request)
        let known = Set(found.compactMap(\.publicID))
        if let unknown = ids.first(where: { id in UUID(uuidString: id).map { !known.contains($0) } ?? true }) {
            throw Flaw("There is no \(entity.lowercased()) with the id \(unknown.prefix(60)).")
        }
        return found
    }
}
