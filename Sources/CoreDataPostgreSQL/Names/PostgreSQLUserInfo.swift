import CoreData

/// What the user info of an entity or a property says to this kind of store.
struct PostgreSQLUserInfo {
    /// What has the user info: "Player", or "Player.lastName".
    let path: String
    private let values: [AnyHashable: Any]

    init(_ layout: EntityLayout) { (path, values) = (layout.name, layout.entity.userInfo ?? [:]) }

    init(_ slot: PropertySlot, of layout: EntityLayout) {
        (path, values) = ("\(layout.name).\(slot.name)", slot.property.userInfo ?? [:])
    }

    /// A name of a table or a column; nil where there is none.
    ///
    /// - Throws: 134020 for one that PostgreSQL would not keep as it is, or that the framework needs.
    func name(_ key: String) throws -> String? {
        guard let value = values[key] else { return nil }
        guard let name = value as? String, !name.isEmpty, name.utf8.count <= 63, !name.contains("\0"),
            !name.hasPrefix("_coredata")
        else {
            throw PostgreSQLNames.refusal(
                "The user info of \(path) has “\(value)” for \(key). A name has 1 to 63 bytes, and does not begin with _coredata."
            )
        }
        return name
    }

    /// A flag, as Xcode writes it; nil where there is none.
    ///
    /// - Throws: 134020 for what is neither `YES` nor `NO`.
    func flag(_ key: String) throws -> Bool? {
        guard let value = values[key] else { return nil }
        if let number = value as? NSNumber { return number.boolValue }
        switch (value as? String)?.uppercased() {
        case "YES": return true
        case "NO": return false
        default:
            throw PostgreSQLNames.refusal("The user info of \(path) has “\(value)” for \(key), not YES or NO.")
        }
    }
}
