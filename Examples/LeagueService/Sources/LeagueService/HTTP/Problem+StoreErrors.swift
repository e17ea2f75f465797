import CoreData

extension Problem {
    /// What a client is told about an error of the store.
    ///
    /// - Parameter object: The object that the request was about. Entries for other objects say which ones.
    /// - Returns: nil for an error that is none of the client's: the store can't be reached, or the service is wrong.
    init?(_ error: NSError, savingFor object: NSManagedObject?) {
        guard error.domain == NSCocoaErrorDomain else { return nil }
        let details = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
        switch error.code {
        case NSManagedObjectConstraintMergeError:
            self.init(
                type: "taken", status: .conflict, detail: "Another object has a value that is unique.",
                errors: Self.constraintEntries(error))
        case NSManagedObjectReferentialIntegrityError:
            self.init(
                type: "changed", status: .conflict, detail: "An object that yours leads to was deleted just now.")
        case NSManagedObjectValidationError...NSValidationInvalidURIError:
            let entries = Self.entries(details, of: object)
            if details.contains(where: { $0.code == NSValidationRelationshipDeniedDeleteError }) {
                self.init(
                    type: "denied", status: .conflict, detail: "The object can't be deleted while it has members.",
                    errors: entries)
            } else {
                self = .invalid(entries)
            }
        default:
            return nil
        }
    }

    /// What else the model's rules refuse of an object that has values of wrong types.
    static func entries(_ error: NSError, for object: NSManagedObject) -> [Entry] {
        entries(error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error], of: object)
    }

    /// One entry for each property, in the order of the errors.
    private static func entries(_ errors: [NSError], of object: NSManagedObject?) -> [Entry] {
        var entries: [Entry] = []
        for error in errors {
            let entry = entry(error, of: object)
            if let index = entries.firstIndex(where: { $0.property == entry.property && $0.href == entry.href }) {
                entries[index].detail += " \(entry.detail)"
            } else {
                entries.append(entry)
            }
        }
        return entries
    }

    private static func entry(_ error: NSError, of object: NSManagedObject?) -> Entry {
        let key = error.userInfo[NSValidationKeyErrorKey] as? String ?? ""
        var entry = Entry(property: key, detail: error.localizedDescription, code: error.code)
        guard let other = error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject, let object, other !== object
        else { return entry }
        // A team that is full is an error of the player's team.
        let inverse = object.entity.relationshipsByName.values.first { relationship in
            relationship.inverseRelationship?.name == key && !relationship.isToMany
                && object.value(forKey: relationship.name) as? NSManagedObject === other
        }
        if let inverse { return Entry(property: inverse.name, detail: entry.detail, code: entry.code) }
        if let id = other.publicID { entry.href = Resource.named(other.entity.name)?.path(id) }
        return entry
    }

    private static func constraintEntries(_ error: NSError) -> [Entry] {
        let conflicts = error.userInfo["conflictList"] as? [Any] ?? []
        return conflicts.compactMap { $0 as? NSConstraintConflict }.flatMap { conflict in
            conflict.constraint.map { key in
                Entry(
                    property: key,
                    detail: "There is already another \(conflict.entityWord) with this \(key).", code: error.code)
            }
        }
    }
}

extension NSConstraintConflict {
    fileprivate var entityWord: String {
        (conflictingObjects.first?.entity.name ?? "object").lowercased()
    }
}
