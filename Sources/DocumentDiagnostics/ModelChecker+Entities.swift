extension ModelChecker {
    mutating func checkEntities() {
        let parents = Set(model.entities.compactMap(\.parentName))
        let places = model.entities.enumerated().map { Place(path: .model.child("entity", $0), entity: $1.name) }
        checkNames(places, .duplicateEntity, "entity")
        checkClasses()
        for (index, entity) in model.entities.enumerated() {
            let place = places[index]
            checkParent(of: entity, place)
            if entity.isAbstract, !parents.contains(entity.name) {
                report(
                    .abstractWithoutSubentities,
                    "\(entity.name) is abstract and has no subentities: there can be no object of it", place)
            }
            checkPropertyNames(of: entity, at: index, place)
            for (index, attribute) in entity.attributes.enumerated() {
                checkAttribute(attribute, place.property("attribute", index, attribute.name))
            }
            for (index, relationship) in entity.relationships.enumerated() {
                checkRelationship(relationship, of: entity, place.property("relationship", index, relationship.name))
            }
            for (index, property) in entity.fetchedProperties.enumerated() {
                checkFetchedProperty(property, place.property("fetchedProperty", index, property.name))
            }
            checkConstraints(of: entity, place)
            checkIndexes(of: entity, place)
        }
    }

    /// Names that can't be, and those that are there twice.
    mutating func checkNames(_ places: [Place], _ code: Model.DiagnosticCode, _ kind: String) {
        var known: Set<String> = []
        for place in places {
            let (name, title) = (place.property ?? place.entity ?? "", place.title)
            if !known.insert(name).inserted { report(code, "There is another \(kind) \(title)", place) }
            guard code != .duplicateElement, !Self.isIdentifier(name) else { continue }
            report(
                .invalidName,
                name.isEmpty
                    ? "An \(kind) of \(place.entity ?? "the model") has no name"
                    : "\(title) can't be the name of an \(kind): it is to begin with a letter or an underscore, and to go on with letters, digits and underscores",
                place)
        }
    }

    private static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, first == "_" || first.properties.isXIDStart else { return false }
        return name.unicodeScalars.allSatisfy { $0.properties.isXIDContinue }
    }

    // MARK: - Inheritance

    private mutating func checkParent(of entity: Model.Entity, _ place: Place) {
        guard let parent = entity.parentName else { return }
        guard entities[parent] != nil else {
            return report(
                .unknownParent, "The parent of \(entity.name), \(parent), is not in the model", place)
        }
        if inheritance.circular.contains(entity.name) {
            report(.parentCycle, "\(entity.name) inherits from itself", place)
        }
    }

    // MARK: - Classes

    /// Entities that share a class, and those that are to get one without a name.
    private mutating func checkClasses() {
        var owners: [String: String] = [:]
        var generated: Set<String> = []
        for (index, entity) in model.entities.enumerated() {
            let place = Place(path: .model.child("entity", index), entity: entity.name)
            guard let name = entity.ownClassName else {
                if entity.codeGeneration != .manual {
                    report(
                        .missingClass,
                        "\(entity.name) asks for generated code but names no class: it stays an NSManagedObject", place)
                }
                continue
            }
            let isGenerated = entity.codeGeneration != .manual
            defer { if isGenerated { generated.insert(name) } }
            guard let owner = owners[name] else {
                owners[name] = entity.name
                continue
            }
            guard owner != entity.name else { continue }
            if isGenerated || generated.contains(name) {
                report(
                    .duplicateGeneratedClass,
                    "\(entity.name) and \(owner) ask for one class \(name), which is to be generated: give each its own",
                    place)
            } else {
                report(
                    .duplicateClass,
                    "\(entity.name) and \(owner) have one class \(name): \(name).entity() and \(name).fetchRequest() can't tell which is meant",
                    place)
            }
        }
    }

    // MARK: - Names of properties

    private mutating func checkPropertyNames(of entity: Model.Entity, at index: Int, _ entityPlace: Place) {
        let places =
            entity.attributes.enumerated().map { entityPlace.property("attribute", $0, $1.name) }
            + entity.relationships.enumerated().map { entityPlace.property("relationship", $0, $1.name) }
            + entity.fetchedProperties.enumerated().map { entityPlace.property("fetchedProperty", $0, $1.name) }
        checkNames(places, .duplicateProperty, "attribute or relationship")
        var folded: [String: String] = [:]
        for place in places {
            let name = place.property ?? ""
            checkReserved(name, in: entity, place)
            if let owner = inheritance.owner(of: name, above: index).map({ model.entities[$0.entity].name }) {
                report(.inheritedName, "\(place.title) is inherited from \(owner) already", place)
            } else if let other = folded[name.lowercased()] ?? inheritance.owner(ofNameLike: name, above: index)?.name,
                other != name
            {
                report(
                    .caseClash,
                    "\(place.title) differs from \(other) in case alone: columns and setters don't tell them apart",
                    place)
            }
            folded[name.lowercased()] = name
        }
    }

    private mutating func checkReserved(_ name: String, in entity: Model.Entity, _ place: Place) {
        if ReservedNames.ofManagedObjects.contains(name) {
            report(
                .reservedName, "\(place.title) is named like a member that every managed object has; rename it", place)
        } else if ReservedNames.ofSwift.contains(name), entity.codeGeneration != .manual, entity.ownClassName != nil {
            report(
                .reservedName, "\(place.title): Swift has no property of that name, not even between backticks", place)
        }
    }
}

extension Model.Entity {
    /// The class that represents the entity, without its module, unless that is `NSManagedObject` itself.
    var ownClassName: String? {
        guard let name = representedClass?.className, !["", "NSManagedObject"].contains(name) else { return nil }
        return name
    }
}

/// Names that a property can't have.
enum ReservedNames {
    /// Methods without parameters that every managed object has. Core Data would call the property's accessor in their
    /// place, or them in its.
    static let ofManagedObjects: Set<String> = [
        "attributeKeys", "autoContentAccessingProxy", "autorelease", "awakeFromFetch", "awakeFromInsert",
        "awakeFromNib", "changedValues", "changedValuesForCurrentEvent", "class", "classCode", "classDescription",
        "classForArchiver", "classForCoder", "classForKeyedArchiver", "classForPortCoder", "className", "copy",
        "dealloc", "debugDescription", "description", "didSave", "didTurnIntoFault", "entity", "exposedBindings",
        "faultingState", "finalize", "hasChanges", "hasPersistentChangedValues", "hash", "hashValue", "init",
        "isDeleted", "isFault", "isInserted", "isProxy", "isUpdated", "managedObjectContext", "mutableCopy",
        "objectID", "objectSpecifier", "objectWillChange", "observationInfo", "prepareForDeletion", "release",
        "retain", "retainCount", "scriptingProperties", "self", "superclass", "toManyRelationshipKeys",
        "toOneRelationshipKeys", "willSave", "willTurnIntoFault", "zone",
    ]

    /// What Swift reads as something else after a dot.
    static let ofSwift: Set<String> = ["Protocol", "Type"]
}
