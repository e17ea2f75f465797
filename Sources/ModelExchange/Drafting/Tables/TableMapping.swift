import CoreDataPostgreSQL
import ModelDocument

/// Maps a drafted model to the tables of a PostgreSQL database as they are: by user info, which a store reads.
struct TableMapping {
    /// The names that a column with the versions of rows is mostly called by.
    private static let versionColumns: Set<String> = ["version", "lock_version", "row_version", "opt_lock", "revision"]

    /// Why no attribute can read the column; nil where one can.
    func refusal(of column: ForeignTable.Column) -> String? {
        let readable: Set = [
            "int2", "int4", "int8", "bool", "float4", "float8", "numeric", "timestamptz", "timestamp", "date", "uuid",
            "bytea", "text", "varchar", "bpchar", "citext", "json", "jsonb",
        ]
        if !column.type.values.isEmpty || readable.contains(column.type.name) { return nil }
        return "is of the type \(column.type.name), which no attribute can be mapped to"
    }

    /// Why no relationship can be mapped to a reference; nil where one can.
    func refusal(
        of reference: ForeignTable.Reference, in table: ForeignTable, _ tables: [ForeignTable]
    ) -> String? {
        guard reference.columns.count == 1 else { return "refers to \(reference.target.text) with several columns" }
        guard let target = tables.first(where: { $0.name == reference.target }), let key = Self.key(of: target),
            reference.targetColumns.isEmpty || reference.targetColumns == [key]
        else { return "refers to other columns of \(reference.target.text) than its key" }
        guard let own = table.column(reference.columns[0])?.type, let other = target.column(key)?.type,
            own.isInteger && other.isInteger || own.name == other.name
        else { return "is of another type than the key of \(reference.target.text)" }
        return Self.key(of: table) == reference.columns[0] ? "is the table's key, too" : nil
    }

    /// Why no many-to-many can be mapped to a table; nil where one can.
    func refusal(ofJoin table: ForeignTable) -> String? {
        let columns = table.references.flatMap(\.columns)
        guard columns.allSatisfy({ table.column($0)?.type.isMappedKey == true }) else {
            return "relates rows by other keys than integers, UUIDs and texts"
        }
        let isUnique = ([table.primaryKey] + table.uniques).contains { Set($0) == Set(columns) }
        return isUnique ? nil : "has no unique index of \(columns.joined(separator: " and "))"
    }

    func name(_ attribute: inout Model.Attribute, _ column: ForeignTable.Column) {
        guard attribute.name != column.name else { return }
        attribute.userInfo.add(NSPostgreSQLColumnUserInfoKey, column.name)
    }

    func name(_ toOne: inout Model.Relationship, column: String) {
        guard toOne.name != column else { return }
        toOne.userInfo.add(NSPostgreSQLColumnUserInfoKey, column)
    }

    /// - Parameter column: The one with the keys of the relationship's targets.
    func name(_ toMany: inout Model.Relationship, table: ForeignTable, column: String) {
        toMany.userInfo.add(NSPostgreSQLTableUserInfoKey, table.name.text)
        toMany.userInfo.add(NSPostgreSQLColumnUserInfoKey, column)
    }

    /// Writes where the rows of an entity are.
    func write(_ plan: inout TablePlan, _ notes: inout [String]) {
        let (table, title) = (plan.table, plan.table.name.text)
        guard let key = Self.key(of: table) else {
            notes.append(
                "\(title) has no single key of integers, UUIDs or texts. A store can't be mapped to it: take \(plan.entity.name) out of the model."
            )
            return
        }
        plan.entity.userInfo.add(NSPostgreSQLTableUserInfoKey, title)
        plan.entity.userInfo.add(NSPostgreSQLKeyUserInfoKey, key)
        if [table.name.schema ?? "", table.name.table].contains(where: { $0.contains(".") }) {
            notes.append("\(title) has a dot in its name, which no mapping can tell from the one behind a schema.")
        }
        guard let version = Self.version(of: table, plan) else {
            notes.append(
                "\(title) has no column with versions: its objects can be read, and not be saved, until one is there and the user info names it as \(NSPostgreSQLVersionUserInfoKey)."
            )
            return
        }
        plan.entity.userInfo.add(NSPostgreSQLVersionUserInfoKey, version)
        if let name = plan.properties[version] { plan.entity[attribute: name] = nil }
        notes.append(
            "\(title).\(version) has the versions of the rows: every program adds 1 to it when it changes a row.")
    }

    private static func key(of table: ForeignTable) -> String? {
        guard table.primaryKey.count == 1, table.column(table.primaryKey[0])?.type.isMappedKey == true else {
            return nil
        }
        return table.primaryKey[0]
    }

    private static func version(of table: ForeignTable, _ plan: TablePlan) -> String? {
        table.columns.first { column in
            versionColumns.contains(column.name.lowercased()) && column.type.isInteger && !column.isNullable
                && plan.entity.attributes.contains { $0.name == plan.properties[column.name] }
                && !(table.uniques + table.indexes.map { $0.elements.map(\.column) }).joined().contains(column.name)
        }?.name
    }
}
