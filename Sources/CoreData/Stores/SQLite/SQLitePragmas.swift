import Foundation

/// The settings of a connection: those that every store gets, then those that the app asks for.
struct SQLitePragmas {
    /// Checked names and values, in the order in which they are set.
    private var settings: [(name: String, value: String)] = []

    /// - Parameter options: A store's options, with pragmas by name under `NSSQLitePragmasOption`.
    /// - Throws: 134080 where a pragma is none: names and values become SQL text, so anything but words and numbers is
    ///   refused.
    init(options: [AnyHashable: Any]?) throws {
        let asked = options?[NSSQLitePragmasOption] as? [AnyHashable: Any] ?? [:]
        for (key, value) in asked {
            let (name, text) = ("\(key)", "\(value)")
            guard Self.isWord(name), Self.isWord(text) else {
                throw NSError.cocoa(
                    NSPersistentStoreOpenError, "“\(name) = \(text)” is not a pragma.",
                    reason: "A pragma's name and value under NSSQLitePragmasOption are a word or a number each.")
            }
            settings.append((name.lowercased(), text))
        }
        settings.sort { $0.name < $1.name }
    }

    /// The app's value for a pragma.
    func value(of name: String) -> String? { settings.first { $0.name == name }?.value }

    /// What must be set before a new file's first page is written.
    func prepareNewFile(_ connection: SQLiteConnection) throws {
        try connection.execute("PRAGMA page_size = \(value(of: "page_size") ?? "4096")")
        try connection.execute("PRAGMA auto_vacuum = \(value(of: "auto_vacuum") ?? "2")")
    }

    /// Sets up a connection to a store that exists.
    func apply(to connection: SQLiteConnection, isReadOnly: Bool) throws {
        if !isReadOnly {
            // Another process may be at the same new store.
            let mode = value(of: "journal_mode") ?? "WAL"
            if mode.uppercased() == "WAL" {
                try connection.repeatingWhileLocked { try set("journal_mode", mode, connection) }
            } else {
                try set("journal_mode", mode, connection)
            }
            try set("synchronous", value(of: "synchronous") ?? "NORMAL", connection)
        }
        let done: Set = ["journal_mode", "synchronous", "page_size", "auto_vacuum"]
        for (name, value) in settings where !done.contains(name) { try set(name, value, connection) }
    }

    /// Sets up a connection that reads beside the one that writes: with what concerns a connection and not the file.
    ///
    /// Rows are looked up in the file as the system has it in memory, up to 1 GB of it, unless the app says otherwise:
    /// the pages that rows lie on are copied neither from there nor, after every save, anew. No more is mapped than the
    /// file is long, and no more counted as the app's memory than it looks at. A walk through a table needs each page
    /// once, and would have all of the file counted.
    func apply(toReader connection: SQLiteConnection, for purpose: ReadPurpose) throws {
        if purpose == .lookup, value(of: "mmap_size") == nil { try set("mmap_size", "\(1 << 30)", connection) }
        for (name, value) in settings where Self.ofConnections.contains(name) { try set(name, value, connection) }
    }

    private static let ofConnections: Set = [
        "automatic_index", "busy_timeout", "cache_size", "case_sensitive_like", "cell_size_check", "mmap_size",
        "reverse_unordered_selects", "temp_store", "threads", "trusted_schema",
    ]

    private func set(_ name: String, _ value: String, _ connection: SQLiteConnection) throws {
        // A pragma may answer with a row, which `execute` ignores.
        try connection.execute("PRAGMA \(name) = \(value)")
    }

    private static func isWord(_ text: String) -> Bool {
        let body = text.hasPrefix("-") ? text.dropFirst() : Substring(text)
        return !body.isEmpty
            && body.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}
