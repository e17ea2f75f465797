import Foundation

/// What an app asks to be done for a store's file when it is opened for writing.
struct SQLiteMaintenance {
    private let vacuums: Bool
    private let analyzes: Bool

    /// - Parameter options: A store's options, `NSSQLiteManualVacuumOption` and `NSSQLiteAnalyzeOption` among them.
    init(options: [AnyHashable: Any]?) {
        func isSet(_ key: String) -> Bool { (options?[key] as? NSNumber)?.boolValue ?? options?[key] as? Bool ?? false }
        vacuums = isSet(NSSQLiteManualVacuumOption)
        analyzes = isSet(NSSQLiteAnalyzeOption)
    }

    /// - Throws: ``SQLiteError``, for instance where the disk has no room for a second copy of the file.
    func run(on connection: SQLiteConnection) throws {
        if vacuums { try connection.execute("VACUUM") }
        if analyzes { try connection.execute("ANALYZE") }
    }
}
