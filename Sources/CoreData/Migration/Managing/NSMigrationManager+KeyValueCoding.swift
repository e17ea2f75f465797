import FoundationGaps

// What expressions may ask of the objects behind `$manager`, `$entityMapping` and `$propertyMapping`.

extension NSMigrationManager: KeyValueCoding {
    static let keys = [
        "sourceContext", "destinationContext", "sourceModel", "destinationModel", "mappingModel",
        "currentEntityMapping", "migrationProgress", "userInfo",
    ]

    /// The value of one of the manager's properties. Traps for another key.
    public func value(forKey key: String) -> Any? {
        switch key {
        case "sourceContext": sourceContext
        case "destinationContext": destinationContext
        case "sourceModel": sourceModel
        case "destinationModel": destinationModel
        case "mappingModel": mappingModel
        case "currentEntityMapping": currentEntityMapping
        case "migrationProgress": NSNumber(value: migrationProgress)
        case "userInfo": userInfo
        default: value(forUndefinedKey: key)
        }
    }

    /// Sets `userInfo`. Traps for another key.
    public func setValue(_ value: Any?, forKey key: String) {
        guard key == "userInfo" else { return setValue(value, forUndefinedKey: key) }
        userInfo = value as? [AnyHashable: Any]
    }
}

extension NSEntityMapping: KeyValueCoding {
    static let keys = ["name", "sourceEntityName", "destinationEntityName", "userInfo"]

    /// The value of `name`, `sourceEntityName`, `destinationEntityName` or `userInfo`. Traps for another key.
    public func value(forKey key: String) -> Any? {
        switch key {
        case "name": name
        case "sourceEntityName": sourceEntityName
        case "destinationEntityName": destinationEntityName
        case "userInfo": userInfo
        default: value(forUndefinedKey: key)
        }
    }

    /// Traps: set the properties.
    public func setValue(_ value: Any?, forKey key: String) { setValue(value, forUndefinedKey: key) }
}

extension NSPropertyMapping: KeyValueCoding {
    static let keys = ["name", "userInfo"]

    /// The value of `name` or `userInfo`. Traps for another key.
    public func value(forKey key: String) -> Any? {
        switch key {
        case "name": name
        case "userInfo": userInfo
        default: value(forUndefinedKey: key)
        }
    }

    /// Traps: set the properties.
    public func setValue(_ value: Any?, forKey key: String) { setValue(value, forUndefinedKey: key) }
}
