import FoundationGaps

extension NSManagedObject: KeyValueCoding {
    /// See ``mutableSetValue(forKey:)``.
    func mutableMembers(_ key: String) -> NSMutableSet {
        let slot = declaredSlot(key)
        require(
            slot.kind == .toMany,
            "\"\(key)\" of \(layout.name) is no unordered to-many relationship; use mutableOrderedSetValue(forKey:) for an ordered one."
        )
        return RelationshipMutableSet(self, slot)
    }

    /// See ``mutableOrderedSetValue(forKey:)``.
    func mutableOrderedMembers(_ key: String) -> NSMutableOrderedSet {
        let slot = declaredSlot(key)
        require(
            slot.kind == .orderedToMany,
            "\"\(key)\" of \(layout.name) is no ordered to-many relationship; use mutableSetValue(forKey:) for an unordered one."
        )
        return proxy(slot)
    }

    /// See ``setValue(_:forKeyPath:)``.
    func set(_ value: Any?, atKeyPath keyPath: String) {
        if layout.slot(named: keyPath) != nil { return setValue(value, forKey: keyPath) }
        if let dot = keyPath.firstIndex(of: "."),
            let owner = self.value(forKey: String(keyPath[..<dot])) as? NSManagedObject
        {
            return owner.setValue(value, forKeyPath: String(keyPath[keyPath.index(after: dot)...]))
        }
        FoundationGaps.setValue(value, of: self, forKeyPath: keyPath)
    }

    /// See ``validateValue(_:forKeyPath:)``.
    func validate(_ ioValue: AutoreleasingUnsafeMutablePointer<AnyObject?>, atKeyPath keyPath: String) throws {
        let keys = keyPath.split(separator: ".").map(String.init)
        guard let key = keys.last else { return }
        var owner: NSManagedObject? = self
        for step in keys.dropLast() { owner = owner?.value(forKey: step) as? NSManagedObject }
        try owner?.validateValue(ioValue, forKey: key)
    }

    /// The value of a property by its name; setting it sets the property.
    ///
    /// ```swift
    /// player["lastName"] = "Bird"
    /// let name = player["lastName"] as? String
    /// ```
    ///
    /// It calls ``value(forKey:)`` and ``setValue(_:forKey:)``, and traps as they do. Apple's framework has no such
    /// subscript.
    public subscript(key: String) -> Any? {
        get { value(forKey: key) }
        set { setValue(newValue, forKey: key) }
    }

    /// What a key that the model does not know means: the pseudo-keys of predicates, else the class's own affair.
    func undeclaredValue(forKey key: String) -> Any? {
        switch key {
        case _ where isProbe: sample(forKey: key)
        case _ where layout.members?.properties[key] != nil: layout.members?.properties[key]?.get(self)
        default: commonValue(forKey: key)
        }
    }

    /// The value of what every managed object has.
    private func commonValue(forKey key: String) -> Any? {
        switch key {
        case "self": self
        case "objectID": objectID
        case "entity": entity
        case "managedObjectContext": managedObjectContext
        case "isInserted", "inserted": NSNumber(value: isInserted)
        case "isUpdated", "updated": NSNumber(value: isUpdated)
        case "isDeleted", "deleted": NSNumber(value: isDeleted)
        case "isFault", "fault": NSNumber(value: isFault)
        case "hasChanges": NSNumber(value: hasChanges)
        case "hasPersistentChangedValues": NSNumber(value: hasPersistentChangedValues)
        case "faultingState": NSNumber(value: faultingState)
        case "changedValues": changedValues()
        case "description": description
        case "debugDescription": debugDescription
        case "hash": NSNumber(value: hash)
        default: value(forUndefinedKey: key)
        }
    }

    /// Sets a property of the class that the model does not know; else it is the class's own affair.
    func setUndeclaredValue(_ value: Any?, forKey key: String) {
        guard let set = layout.members?.properties[key]?.set else { return setValue(value, forUndefinedKey: key) }
        set(self, value)
    }

    /// The class's own property that stands in for a modelled one, as Objective-C would find it.
    func customProperty(_ key: String) -> MemberTable.Property? {
        guard let property = layout.members?.properties[key], property.isObjC else { return nil }
        return property
    }
}
