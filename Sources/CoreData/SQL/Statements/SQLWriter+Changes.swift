extension SQLWriter {
    mutating func alter(_ table: String, _ change: SQLTableChange) {
        write("ALTER TABLE \(dialect.identifier(table)) ")
        switch change {
        case .renamed(let name): write("RENAME TO \(dialect.identifier(name))")
        case .columnAdded(let column):
            write("ADD COLUMN \(dialect.identifier(column.name)) \(dialect.name(of: column.type))")
        case .columnRenamed(let old, let new):
            write("RENAME COLUMN \(dialect.identifier(old)) TO \(dialect.identifier(new))")
        case .columnDropped(let name): write("DROP COLUMN \(dialect.identifier(name))")
        }
    }

    mutating func drop(_ removal: SQLRemoval) {
        switch removal {
        case .table(let name): write("DROP TABLE \(dialect.identifier(name))")
        case .index(let name): write("DROP INDEX \(dialect.identifier(name))")
        case .trigger(let name, let table): dialect.writeTriggerRemoval(name, on: table, to: &self)
        case .view(let name): write("DROP VIEW \(dialect.identifier(name))")
        }
    }

    /// The places are worked out for all rows at once: counting those before each row would take the square of the
    /// time.
    mutating func number(_ numbering: SQLNumbering) {
        let (table, owner) = (dialect.identifier(numbering.table), SQLExpression.own(numbering.owner))
        let column = SQLExpression.own(numbering.column)
        let place = SQLExpression.rowNumber(among: [owner], by: [column, .own("Z_PK")])
        write("UPDATE \(table) SET \(dialect.identifier(numbering.column)) = places.place FROM (SELECT ")
        expression(.own("Z_PK"))
        write(" AS member, ")
        expression(SQLNumbering.sortKey(place))
        write(" AS place FROM \(table) WHERE ")
        expression(.isNotNull(owner))
        write(") AS places WHERE places.member = \(table).\(dialect.identifier("Z_PK"))")
    }
}
