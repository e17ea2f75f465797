extension SQLDialect {
    /// The text of a statement that has no values, or whose values are bound later.
    package func text(of statement: SQLStatement) -> String {
        var writer = SQLWriter(dialect: self)
        writer.statement(statement)
        precondition(writer.bindings.isEmpty, "a statement that is prepared for later carries values: \(writer.text)")
        return writer.text
    }
}

extension SQLWriter {
    package mutating func statement(_ statement: SQLStatement) {
        switch statement {
        case .select(let select): self.select(select)
        case .lookUp(let lookup): dialect.writeLookup(lookup, to: &self)
        case .insert(let insert): dialect.writeInsert(insert, to: &self)
        case .update(let update): self.update(update)
        case .delete(let delete): self.delete(delete)
        case .createTable(let table): self.table(table)
        case .createSpatialTable(let table): dialect.writeSpatialTable(table, to: &self)
        case .createIndex(let index): self.index(index)
        case .createTrigger(let trigger): dialect.writeTrigger(trigger, to: &self)
        case .alterTable(let table, let change): alter(table, change)
        case .drop(let removal): drop(removal)
        case .number(let numbering): number(numbering)
        case .search(let search): dialect.writeSearch(search, to: &self)
        }
    }

    /// Writes names of columns between parentheses.
    package mutating func names(_ columns: [String]) {
        write("(")
        list(columns) { $0.write($0.dialect.identifier($1)) }
        write(")")
    }

    // MARK: Rows

    /// Writes `INTO table (columns) VALUES (values)`, or a select in the place of the values.
    package mutating func target(of insert: SQLInsert) {
        write("INTO \(dialect.identifier(insert.table)) ")
        names(insert.columns)
        switch insert.source {
        case .values(let values):
            write(" VALUES (")
            list(values) { $0.expression($1) }
            write(")")
        case .rows(let select):
            write(" ")
            self.select(select)
        }
    }

    private mutating func update(_ update: SQLUpdate) {
        write("UPDATE ")
        target(update.table, update.alias)
        write(" SET ")
        list(update.settings) { writer, setting in
            writer.write("\(writer.dialect.identifier(setting.column)) = ")
            writer.expression(setting.value)
        }
        conditions(update.conditions)
        returning(update.returning)
    }

    private mutating func delete(_ delete: SQLDelete) {
        write("DELETE FROM ")
        target(delete.table, delete.alias)
        conditions(delete.conditions)
        returning(delete.returning)
    }

    private mutating func target(_ table: String, _ alias: SQLAlias) {
        write(dialect.identifier(table))
        if alias.isNamed { write(" AS \(alias.name)") }
    }

    private mutating func returning(_ columns: [String]) {
        if columns.isEmpty { return }
        write(" RETURNING ")
        list(columns) { $0.write($0.dialect.identifier($1)) }
    }

    // MARK: Definitions

    private mutating func table(_ table: SQLTableDefinition) {
        let space = table.isOfEntities ? " " : ""
        write("CREATE TABLE \(dialect.identifier(table.name)) (\(space)")
        list(table.columns) { writer, column in
            writer.write("\(writer.dialect.identifier(column.name)) \(writer.dialect.name(of: column.type))")
        }
        if !table.primaryKey.isEmpty {
            write(", PRIMARY KEY ")
            names(table.primaryKey)
        }
        write("\(space))")
    }

    /// Writes when a trigger runs: `AFTER UPDATE OF column ON table FOR EACH ROW `.
    package mutating func occasion(of trigger: SQLTrigger) {
        write("AFTER ")
        switch trigger.event {
        case .insert: write("INSERT")
        case .delete: write("DELETE")
        case .update(let columns):
            write("UPDATE OF ")
            list(columns) { $0.write($0.dialect.identifier($1)) }
        }
        write(" ON \(dialect.identifier(trigger.table)) FOR EACH ROW ")
    }

    /// Writes what a trigger does, each action with a semicolon.
    ///
    /// - Parameter tell: Writes a note.
    package mutating func actions(of trigger: SQLTrigger, tell: (SQLTriggerNote, inout SQLWriter) -> Void) {
        list(trigger.actions, separator: " ") { writer, action in
            switch action {
            case .run(let statement): writer.statement(statement)
            case .tell(let note): tell(note, &writer)
            }
            writer.write(";")
        }
    }

    private mutating func index(_ index: SQLIndexDefinition) {
        write("CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(dialect.identifier(index.name)) ")
        write("ON \(dialect.identifier(index.table)) (")
        list(index.columns) { writer, column in writer.dialect.writeIndexColumn(column, to: &writer) }
        write(")")
        conditions([index.condition].compactMap { $0 })
    }
}
