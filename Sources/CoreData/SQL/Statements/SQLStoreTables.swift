/// The tables that each store has beside those of its entities: entities with their highest keys, metadata, the model.
enum SQLStoreTables {
    /// The definitions, in Apple's order.
    static let all = [primaryKeys, metadata, modelCache].map { table in
        var table = table
        table.isOfEntities = false
        return table
    }

    private static let primaryKeys = SQLTableDefinition(
        name: "Z_PRIMARYKEY",
        columns: [
            .init(name: "Z_ENT", type: .key), .init(name: "Z_NAME", type: .text),
            .init(name: "Z_SUPER", type: .integer), .init(name: "Z_MAX", type: .integer),
        ])
    private static let metadata = SQLTableDefinition(
        name: "Z_METADATA",
        columns: [
            .init(name: "Z_VERSION", type: .key), .init(name: "Z_UUID", type: .shortText),
            .init(name: "Z_PLIST", type: .bytes),
        ])
    private static let modelCache = SQLTableDefinition(
        name: "Z_MODELCACHE", columns: [.init(name: "Z_CONTENT", type: .bytes)])

    // MARK: Entities and keys

    /// Enters an entity. Parameters: its number, its name, its parent's number or 0.
    static let entityInsertion = SQLStatement.insert(
        SQLInsert(
            table: primaryKeys.name, columns: ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"],
            values: [.parameter(1), .parameter(2), .parameter(3), .integer(0)]))

    /// A row of the table of entities.
    struct EntityRow {
        let number: Int64
        let name: String
        /// The parent's number, or 0.
        let parent: Int64
        let highestKey: Int64
    }

    /// Puts other entities in the place of those that there are. Those of persistent history, above 16000, stay.
    static func entityChange(_ entities: [EntityRow]) -> [SQLStatement] {
        let removal = SQLDelete(
            table: primaryKeys.name, conditions: [.compare(.less, .own("Z_ENT"), .integer(16_000))])
        return [.delete(removal)]
            + entities.map { entity in
                .insert(
                    SQLInsert(
                        table: primaryKeys.name, columns: ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"],
                        values: [
                            .integer(Int(entity.number)), .constant(.text(entity.name)), .integer(Int(entity.parent)),
                            .integer(Int(entity.highestKey)),
                        ]))
            }
    }

    /// The highest keys of all entities.
    static let highestKeys = selection(["Z_ENT", "Z_MAX"], from: primaryKeys)

    /// The names and numbers of all entities.
    static let entities = selection(["Z_NAME", "Z_ENT"], from: primaryKeys)

    /// The highest key of an entity tree. Parameter: the root's number.
    static let highestKey = selection(["Z_MAX"], from: primaryKeys, where: [.equal(.own("Z_ENT"), .parameter(1))])

    /// Moves the highest key of an entity tree on. Parameters: by how much, the root's number.
    ///
    /// - Parameter table: The tree's table. Real stores have rows above `Z_MAX`.
    static func keyReservation(in table: String) -> SQLStatement {
        var highest = SQLSelect(from: .table(table, .only))
        highest.columns = [.ifNull(.aggregate(.maximum, .own("Z_PK"), distinct: false), .integer(0))]
        let last = SQLExpression.greater(.ifNull(.own("Z_MAX"), .integer(0)), .scalar(highest))
        return .update(
            SQLUpdate(
                table: primaryKeys.name,
                settings: [SQLSetting(column: "Z_MAX", value: .arithmetic(.add, last, .parameter(1)))],
                conditions: [.equal(.own("Z_ENT"), .parameter(2))]))
    }

    /// Gives reserved keys back. Parameters: the highest key from now on, the root's number, the highest key until now.
    static let keyReturn = SQLStatement.update(
        SQLUpdate(
            table: primaryKeys.name, settings: [SQLSetting(column: "Z_MAX", value: .parameter(1))],
            conditions: [.equal(.own("Z_ENT"), .parameter(2)), .equal(.own("Z_MAX"), .parameter(3))]))

    // MARK: Metadata and the model

    /// The UUID and the property list.
    static let metadataSelection = selection(["Z_UUID", "Z_PLIST"], from: metadata)

    /// Writes the row of metadata. Parameters: the UUID, the property list.
    static let metadataWriting: SQLStatement = {
        var version = SQLSelect(from: .table(metadata.name, .only))
        version.columns = [.aggregate(.minimum, .own("Z_VERSION"), distinct: false)]
        return .insert(
            SQLInsert(
                table: metadata.name, columns: ["Z_VERSION", "Z_UUID", "Z_PLIST"],
                values: [.ifNull(.scalar(version), .integer(1)), .parameter(1), .parameter(2)],
                conflict: .replacesTheOldRow(key: "Z_VERSION")))
    }()

    /// The packed archive of the model that made the store.
    static let modelSelection = selection(["Z_CONTENT"], from: modelCache)

    /// Writes the model. Parameter: the packed archive.
    static let modelInsertion = SQLStatement.insert(
        SQLInsert(table: modelCache.name, columns: ["Z_CONTENT"], values: [.parameter(1)]))

    /// Removes the model.
    static let modelRemoval = SQLStatement.delete(SQLDelete(table: modelCache.name, conditions: []))

    private static func selection(
        _ columns: [String], from table: SQLTableDefinition, where conditions: [SQLExpression] = []
    ) -> SQLStatement {
        var select = SQLSelect(from: .table(table.name, .only))
        select.columns = columns.map { .own($0) }
        select.conditions = conditions
        return .select(select)
    }
}
