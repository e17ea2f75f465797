import CoreData

/// The names and types of tables in PostgreSQL: as the model spells them.
///
/// An attribute `lastName` of `Player` is the column `"lastName"` of the table `"Player"`; so is a to-one. The element
/// of a composite attribute has its path with dots, `"address.city"`. No property has a name with a dot in it, or with
/// an underscore at its start. So the names of all other columns have one.
///
/// The model's user info may give other names: ``NSPostgreSQLTableUserInfoKey``.
struct PostgreSQLNaming: SQLNamingStyle {
    /// What the columns are called that all tables of entities have.
    static let systemColumns = ["Z_PK": "_key", "Z_ENT": "_entity", "Z_OPT": "_version"]

    let names: PostgreSQLNames
    private let stamps: PostgreSQLStamps

    init(_ names: PostgreSQLNames = PostgreSQLNames(), stamps: PostgreSQLStamps = .none) {
        (self.names, self.stamps) = (names, stamps)
    }

    var reservedColumns: Set<String> { Set(Self.systemColumns.keys).union(Self.systemColumns.values) }

    func table(of entity: String) -> String { names.tables[entity] ?? entity }
    func column(of path: String, in entity: String) -> String { names.columns["\(entity).\(path)"] ?? path }
    func entityColumn(for column: String, number: Int64) -> String { column + "._entity" }
    func orderColumn(for column: String) -> String { column + "._order" }
    func stamp(of column: String, in table: String) -> SQLTableColumn? {
        stamps.stamp(of: column, in: table).map { SQLTableColumn(name: $0, type: PostgreSQLType.uuid.rawValue) }
    }
    func sourceColumn(of relationship: String, in entity: SQLNumberedEntity) -> String {
        let path = "\(entity.name).\(relationship)"
        return names.columns[path] ?? path
    }
    func joinTable(of relationship: String, in entity: SQLNumberedEntity) -> String {
        let path = "\(entity.name).\(relationship)"
        return names.tables[path] ?? path
    }
    func joinColumn(of relationship: String, in source: String, to entity: SQLNumberedEntity) -> String {
        names.columns["\(source).\(relationship)"] ?? relationship
    }

    func type(of kind: SlotKind) -> String { PostgreSQLType(kind).rawValue }

    var systemTypes: (key: String, entity: String, version: String) {
        (PostgreSQLType.bigint.rawValue, PostgreSQLType.integer.rawValue, PostgreSQLType.bigint.rawValue)
    }

    var sideTypes: (entity: String, order: String) {
        (PostgreSQLType.integer.rawValue, PostgreSQLType.bigint.rawValue)
    }
}

/// The types of columns, by the names that PostgreSQL has for them.
enum PostgreSQLType: String {
    case smallint
    case integer
    case bigint
    case boolean
    case double = "double precision"
    case numeric
    case text
    case timestamp = "timestamp with time zone"
    case uuid
    case bytes = "bytea"

    init(_ kind: SlotKind) {
        switch kind {
        case .int16: self = .smallint
        case .int32: self = .integer
        case .int64, .toOne: self = .bigint
        case .boolean: self = .boolean
        case .double, .float: self = .double
        case .decimal: self = .numeric
        case .string, .uri, .objectID: self = .text
        case .date: self = .timestamp
        case .uuid: self = .uuid
        case .binary, .transformable: self = .bytes
        case .undefined, .composite, .toMany, .orderedToMany, .fetched:
            defect("A \(kind) property has no column of its own.")
        }
    }
}
