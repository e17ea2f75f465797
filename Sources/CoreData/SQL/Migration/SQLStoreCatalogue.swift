/// What a database has, beside the columns of its tables.
struct SQLStoreCatalogue: Sendable {
    struct Index: Sendable {
        let name: String
        let table: String
        let text: String
    }

    struct Trigger: Sendable {
        let name: String
        let table: String
        let text: String
    }

    /// The columns of all tables, by table name.
    var columns: [String: [SQLTableColumn]]
    /// The statements that made the tables, by name.
    var tableTexts: [String: String]
    /// The indexes that statements made.
    var indexes: [Index]
    var triggers: [Trigger]
    /// The highest keys that were handed out, by `Z_ENT`.
    var highestKeys: [Int64: Int64]
    /// The tables of spatial indexes, of Apple's framework and ours.
    var spatialTables: [String] = []
}
