import CoreData

/// What stands beside a store's tables: constraints, indexes, and the triggers that keep derived attributes.
struct PostgreSQLParts {
    /// In the order in which they are made.
    let all: [Part]

    struct Part: Hashable {
        enum Kind { case foreignKey, constraint, index, trigger }

        let kind: Kind
        let name: String
        /// The tables that it is about; the first one has it.
        let tables: [String]
        /// The statement that makes it.
        let text: String

        /// The statement that removes it, if it is there.
        var removal: String {
            let dialect = PostgreSQLDialect()
            switch kind {
            case .foreignKey, .constraint:
                return """
                    ALTER TABLE \(dialect.identifier(tables[0])) DROP CONSTRAINT IF EXISTS \(dialect.identifier(name))
                    """
            case .index: return "DROP INDEX IF EXISTS \(dialect.identifier(name))"
            case .trigger: return "DROP FUNCTION IF EXISTS \(dialect.identifier(name))() CASCADE"
            }
        }
    }

    /// - Parameter canFail: Whether derived attributes that can't be kept are left out: the store has no triggers for
    ///   them.
    /// - Throws: 134020 for a derived attribute that no store can keep; 134091 for one that PostgreSQL can't compute.
    init(_ schema: SQLSchema, canFail: Bool = false) throws {
        let maker = Maker(schema)
        let triggers = canFail ? (try? maker.triggers) ?? [] : try maker.triggers
        all =
            maker.foreignKeys + maker.constraints + maker.indexes + triggers
            + PostgreSQLLargeValues(schema).places.compactMap(\.trigger)
    }

    /// The parts that others have as well, over tables that stay as they are.
    func kept(in others: PostgreSQLParts, _ isSteady: (String) -> Bool) -> Set<Part> {
        Set(all).intersection(others.all).filter { $0.kind != .trigger && $0.tables.allSatisfy(isSteady) }
    }
}

/// Makes the parts of a schema.
private struct Maker {
    private let schema: SQLSchema
    private let distribution: PostgreSQLDistribution
    private let dialect = PostgreSQLDialect()

    init(_ schema: SQLSchema) { (self.schema, distribution) = (schema, PostgreSQLDistribution(schema)) }

    // MARK: Constraints

    /// To-ones with an inverse lead to rows that are there. The order in which a save writes its rows does not matter:
    /// the database looks at the end of the transaction.
    ///
    /// A to-one without an inverse may lead to a row that is gone, as everywhere in the framework. So may one whose
    /// inverse has the delete rule "no action".
    var foreignKeys: [PostgreSQLParts.Part] {
        var known: Set<String> = []
        return schema.layouts.layouts.filter { schema.contains($0) }.flatMap { layout in
            layout.slots.compactMap { slot -> PostgreSQLParts.Part? in
                let destination = schema.layouts[max(slot.destination, 1)]
                guard slot.kind == .toOne, slot.isStoredInRow, slot.inverse >= 0, schema.contains(destination),
                    destination.slots[slot.inverse].relationship?.deleteRule != .noActionDeleteRule,
                    let column = schema.column(of: layout, slot: slot.index)
                else { return nil }
                let table = schema.table(of: layout).name
                guard known.insert("\(table).\(column.name)").inserted else { return nil }
                return foreignKey(table, column.name, to: schema.table(of: destination).name)
            }
        } + pairKeys
    }

    /// Pairs of rows that are spread lead to rows on the same node.
    private var pairKeys: [PostgreSQLParts.Part] {
        schema.joinTables.flatMap { table in
            distribution.ends(of: table.name).map { foreignKey(table.name, $0.column, to: $0.table) }
        }
    }

    private func foreignKey(_ table: String, _ column: String, to target: String) -> PostgreSQLParts.Part {
        let name = "\(table).\(column)._exists"
        var (own, theirs) = ([column], ["Z_PK"])
        if let spread = distribution.column(of: table), let wanted = distribution.column(of: target) {
            own.append(spread)
            theirs.append(wanted)
        }
        func list(_ columns: [String]) -> String { columns.map(dialect.identifier).joined(separator: ", ") }
        return PostgreSQLParts.Part(
            kind: .foreignKey, name: name, tables: [table, target],
            text: """
                ALTER TABLE \(dialect.identifier(table)) ADD CONSTRAINT \(dialect.identifier(name)) \
                FOREIGN KEY (\(list(own))) REFERENCES \(dialect.identifier(target)) (\(list(theirs))) \
                DEFERRABLE INITIALLY DEFERRED
                """)
    }

    /// Uniqueness is looked at when a save has written all its rows: two rows may swap their values.
    var constraints: [PostgreSQLParts.Part] {
        schema.uniqueness().map { layout, _, index in
            let columns = index.columns.compactMap { column in
                if case .binary(let name, _) = column { dialect.identifier(name) } else { nil }
            }
            return PostgreSQLParts.Part(
                kind: .constraint, name: index.name, tables: [index.table],
                text: """
                    ALTER TABLE \(dialect.identifier(index.table)) ADD CONSTRAINT \(dialect.identifier(index.name)) \
                    UNIQUE (\(columns.joined(separator: ", "))) DEFERRABLE INITIALLY DEFERRED
                    """)
        }
    }

    // MARK: Indexes

    /// An index of an expression that PostgreSQL has not is left out, with a warning. Fetches find the same without it.
    var indexes: [PostgreSQLParts.Part] {
        let typing = PostgreSQLTyping(schema)
        return schema.allIndexes(dialect).filter { !$0.isUnique }.compactMap { index in
            do {
                let text = dialect.text(of: .createIndex(try typing.typed(index)))
                return PostgreSQLParts.Part(kind: .index, name: index.name, tables: [index.table], text: text)
            } catch {
                NSManagedObjectModel.warn(
                    "The index \(index.name) is not made in PostgreSQL: \((error as NSError).localizedDescription)")
                return nil
            }
        }
    }

    // MARK: Derived attributes

    /// Triggers keep derived attributes, also when other programs write the rows.
    var triggers: [PostgreSQLParts.Part] {
        get throws {
            let typing = PostgreSQLTyping(schema)
            return try schema.derivations().flatMap { $0.triggers(in: schema) }.distinctlyNamed.map { trigger in
                PostgreSQLParts.Part(
                    kind: .trigger, name: trigger.name, tables: [trigger.table],
                    text: dialect.text(of: .createTrigger(try typing.typed(trigger))))
            }
        }
    }
}
