/// What a database has, beside the columns of its tables.
package struct SQLStoreCatalogue: Sendable {
    struct Index: Sendable {
        let name: String
        let table: String
        let text: String
    }

    struct Trigger: Sendable {
        let name: String
        let table: String
        let text: String
        /// Whether it keeps a spatial index that neither model knows.
        var isForeign = false
    }

    struct View: Sendable {
        let name: String
        let text: String
    }

    /// The columns of all tables, by table name.
    var columns: [String: [SQLTableColumn]]
    /// The statements that made the tables, by name.
    var tableTexts: [String: String]
    /// The indexes that statements made.
    var indexes: [Index]
    var triggers: [Trigger]
    var views: [View] = []
    /// The statements that made the virtual tables, by name.
    var virtualTableTexts: [String: String] = [:]
    /// The highest keys that were handed out, by `Z_ENT`.
    var highestKeys: [Int64: Int64]
    /// The tables of spatial indexes, of Apple's framework and ours.
    var spatialTables: [String] = []
    /// The tables of full-text search.
    var searchTables: [String] { virtualTableTexts.keys.filter { $0.hasPrefix(SQLSearchTable.prefix) }.sorted() }

    init(
        columns: [String: [SQLTableColumn]], tableTexts: [String: String], indexes: [Index], triggers: [Trigger],
        highestKeys: [Int64: Int64]
    ) {
        (self.columns, self.tableTexts, self.indexes) = (columns, tableTexts, indexes)
        (self.triggers, self.highestKeys) = (triggers, highestKeys)
    }

    /// What a database has that gives other parts of tables new names by itself.
    package init(columns: [String: [SQLTableColumn]]) {
        self.init(columns: columns, tableTexts: [:], indexes: [], triggers: [], highestKeys: [:])
    }

    /// Those that neither model knows. They stay, with their triggers.
    private(set) var foreignSpatialTables: Set<String> = []

    /// Notes which spatial indexes are known to the models. Of the others those are foreign whose rows stay.
    ///
    /// - Parameter tables: The tables with rows that stay.
    mutating func noteForeignParts(knowing known: Set<String>, staying tables: Set<String>) {
        for spatial in spatialTables where !known.contains(spatial) {
            let own = triggers.indices.filter { triggers[$0].name.hasPrefix(spatial + "_") }
            guard !own.isEmpty, own.allSatisfy({ tables.contains(triggers[$0].table) }) else { continue }
            foreignSpatialTables.insert(spatial)
            for place in own { triggers[place].isForeign = true }
        }
    }
}

extension SQLStoreCatalogue.Index {
    /// Whether an app made the index by itself: those of the framework are called `Z_Entity_name`,
    /// `ZTABLE_ZCOLUMN_INDEX` or `ZTABLE_ZCOLUMN_ZCOLUMN`.
    var isAdded: Bool {
        if name.hasPrefix("Z_") { return false }
        return !(name.hasPrefix("Z") && name == name.uppercased() && (name.contains("_Z") || name.hasSuffix("_INDEX")))
    }
}

extension SQLStoreCatalogue.Trigger {
    /// Whether an app made the trigger by itself, or a framework for what the models do not know.
    var isAdded: Bool { isForeign || !name.hasPrefix("Z_") }
}
