import CoreData

/// The view of an entity over a table of another program, and what writes through it.
struct PostgreSQLMappedView {
    private let table: PostgreSQLMappedTable
    private let values: [Value]
    /// The numbers of the rows; nil where their keys are integers.
    private let book: PostgreSQLKeyBook?
    private let dialect = PostgreSQLDialect()

    /// A column of the view.
    private struct Value {
        let name: String
        let source: String
        /// What the view shows.
        let reading: String
        /// What is written for the column's new value; nil where the database computes it.
        let writing: String?
        /// Gives the number of the row that a to-one leads to.
        var join: String?
    }

    /// - Parameter books: Those of the entities whose keys are no integers.
    /// - Throws: 134020 for a table or a column that is not there, or has values that the attribute can't have.
    init(
        _ table: PostgreSQLMappedTable, _ catalogue: PostgreSQLCatalogue, _ books: [String: PostgreSQLKeyBook]
    ) throws {
        (self.table, book) = (table, books[table.entity])
        let dialect = PostgreSQLDialect()
        let found = try catalogue.columns(of: table.identifier, for: table.entity)
        if let version = table.version, found[version]?.isInteger != true {
            throw PostgreSQLNames.refusal(
                "\(table.entity): the table \(table.identifier) has no column “\(version)” with integers.")
        }
        values = try table.columns.enumerated().map { place, column in
            guard let source = found[column.source] else {
                throw PostgreSQLNames.refusal(
                    "\(column.property): the table \(table.identifier) has no column “\(column.source)”.")
            }
            let name = "\"t\".\(dialect.identifier(column.source))"
            let new = "NEW.\(dialect.identifier(column.name))"
            if let target = column.destination.flatMap({ books[$0] }) {
                guard source.leads(to: target) else {
                    throw PostgreSQLNames.refusal(
                        "\(column.property): the column “\(column.source)” of \(table.identifier) is of type \(source.typeName), and the keys that it leads to are of type \(target.type)."
                    )
                }
                return Value(
                    name: dialect.identifier(column.name), source: dialect.identifier(column.source),
                    reading: "\"k\(place)\".\"row\"", writing: target.key(new),
                    join: target.join("k\(place)", on: name, isOuter: true))
            }
            guard let conversion = PostgreSQLConversion(of: source, to: column.type) else {
                throw PostgreSQLNames.refusal(
                    "\(column.property): the column “\(column.source)” of \(table.identifier) is of type \(source.typeName), of which no \(column.type.rawValue) can be made."
                )
            }
            return Value(
                name: dialect.identifier(column.name), source: dialect.identifier(column.source),
                reading: conversion.reading(name),
                writing: source.isGenerated ? nil : conversion.writing(new))
        }
    }

    var creation: [String] { [view] + (table.version == nil ? refusals : [insertion, update, deletion]) }

    private var key: String { dialect.identifier(table.key) }
    private var own: String { dialect.identifier(table.entity) }

    /// A table without versions has those of its rows: their last transactions.
    private var view: String {
        let version = table.version.map { "\"t\".\(dialect.identifier($0))" } ?? "\"t\".xmin::text::bigint"
        let number = book == nil ? "\"t\".\(key)" : "\"k\".\"row\""
        let columns =
            [
                "\(number) AS \(dialect.identifier("Z_PK"))", "\(table.number) AS \(dialect.identifier("Z_ENT"))",
                "\(version) AS \(dialect.identifier("Z_OPT"))",
            ] + values.map { "\($0.reading) AS \($0.name)" }
        let joins = [book?.join("k", on: "\"t\".\(key)")].compactMap { $0 } + values.compactMap(\.join)
        let from = (["\(table.identifier) AS \"t\""] + joins).joined(separator: " ")
        return "CREATE VIEW \(own) AS SELECT \(columns.joined(separator: ", ")) FROM \(from)"
    }

    // MARK: Writing

    private var written: [(source: String, value: String)] {
        values.compactMap { value in value.writing.map { (value.source, $0) } }
    }

    private var newNumber: String { "NEW.\(dialect.identifier("Z_PK"))" }
    private var oldNumber: String { "OLD.\(dialect.identifier("Z_PK"))" }

    /// Keys that a table gives "always" can be given by the framework, too: it takes them from the table's sequence.
    private var insertion: String {
        // An attribute may have the key, which is written once.
        let given = written.first { $0.source == key }?.value
        let own = book.map { ("own", $0.new(given)) }
        let columns =
            [(key, own == nil ? newNumber : "own"), (versionColumn, "NEW.\(dialect.identifier("Z_OPT"))")]
            + written.filter { $0.source != key }
        return trigger(
            "INSERT", declaring: own,
            """
            \(book?.note(newNumber, "own") ?? "") INSERT INTO \(table.identifier) (\(columns.map(\.0).joined(separator: ", "))) OVERRIDING SYSTEM VALUE \
            VALUES (\(columns.map(\.1).joined(separator: ", "))); \(note("NEW")) RETURN NEW;
            """)
    }

    /// The version is looked at again: another transaction may have changed the row since the view was read.
    private var update: String {
        // The number of a row is its key, where that is an integer.
        let settings =
            [(versionColumn, "NEW.\(dialect.identifier("Z_OPT"))")] + written.filter { book != nil || $0.source != key }
        return trigger(
            "UPDATE",
            """
            UPDATE \(table.identifier) SET \(settings.map { "\($0.0) = \($0.1)" }.joined(separator: ", ")) \
            WHERE \(isOld); IF NOT FOUND THEN RETURN NULL; END IF; \(note("NEW")) RETURN NEW;
            """)
    }

    private var deletion: String {
        trigger(
            "DELETE",
            "DELETE FROM \(table.identifier) WHERE \(isOld); IF NOT FOUND THEN RETURN NULL; END IF; RETURN OLD;")
    }

    private var versionColumn: String { table.version.map { dialect.identifier($0) } ?? "" }

    private var isOld: String {
        "\(key) = \(book?.key(oldNumber) ?? oldNumber) AND \(versionColumn) = OLD.\(dialect.identifier("Z_OPT"))"
    }

    /// Has the save read the row again: the table may have triggers and generated columns.
    private func note(_ row: String) -> String {
        """
        INSERT INTO "_coredata_trigger_notes" ("transaction", "table", "row") \
        VALUES (pg_current_xact_id(), \(dialect.literal(.text(table.entity))), \(row).\(dialect.identifier("Z_PK")));
        """
    }

    private func trigger(_ event: String, declaring own: (String, String)? = nil, _ body: String) -> String {
        let declaration = own.flatMap { name, value in
            book.map { "DECLARE \(name) \($0.identifier).\"key\"%TYPE := \(value); " }
        }
        return Self.trigger(event, of: table.entity, declaration: declaration ?? "", body)
    }

    /// A trigger of a view, with its function.
    static func trigger(_ event: String, of view: String, declaration: String = "", _ body: String) -> String {
        let dialect = PostgreSQLDialect()
        let name = dialect.identifier("\(view)._\(event.lowercased())")
        return PostgreSQLQuoting.block(
            """
            CREATE FUNCTION \(name)() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT \
            AS \(PostgreSQLQuoting.body("\(declaration)BEGIN \(body) END")); \
            CREATE TRIGGER \(name) INSTEAD OF \(event) ON \(dialect.identifier(view)) \
            FOR EACH ROW EXECUTE FUNCTION \(name)();
            """)
    }

    /// What answers a program that writes into a table without versions.
    private var refusals: [String] {
        let sentence = """
            \(table.entity) can only be read: its table has no column with versions, or the user info does not name it
            """
        return ["INSERT", "UPDATE", "DELETE"].map { event in
            trigger(
                event,
                "RAISE EXCEPTION USING ERRCODE = '25006', MESSAGE = \(dialect.literal(.text(sentence))); RETURN NULL;")
        }
    }
}

/// How values of a column become those of an attribute, and back.
private struct PostgreSQLConversion {
    let reading: (String) -> String
    let writing: (String) -> String

    /// Nil for types of which the attribute's values can't be made.
    init?(of column: PostgreSQLCatalogue.Column, to type: PostgreSQLType) {
        let back = { (value: String) in "\(value)::\(column.typeName)" }
        switch (type, column.type) {
        case (.smallint, _), (.integer, _), (.bigint, _):
            guard column.isInteger else { return nil }
            (reading, writing) = ({ $0 }, back)
        case (.boolean, "bool"), (.double, "float8"), (.numeric, "numeric"), (.timestamp, "timestamptz"),
            (.uuid, "uuid"), (.bytes, "bytea"):
            (reading, writing) = ({ $0 }, { $0 })
        case (.double, "float4"), (.double, "numeric"), (.numeric, "int2"), (.numeric, "int4"), (.numeric, "int8"):
            (reading, writing) = ({ "\($0)::\(type.rawValue)" }, back)
        // Columns without a time zone have the time of UTC.
        case (.timestamp, "timestamp"):
            (reading, writing) = ({ "\($0) AT TIME ZONE 'UTC'" }, { "\($0) AT TIME ZONE 'UTC'" })
        case (.timestamp, "date"):
            (reading, writing) = ({ "\($0)::timestamp AT TIME ZONE 'UTC'" }, { "(\($0) AT TIME ZONE 'UTC')::date" })
        case (.text, "text"), (.text, "varchar"):
            let collation = column.isPlain ? "" : " COLLATE \"C\""
            (reading, writing) = ({ $0 + collation }, { $0 })
        case (.text, "bpchar"), (.text, "citext"), (.text, "json"), (.text, "jsonb"), (.text, "uuid"):
            (reading, writing) = ({ "\($0)::text COLLATE \"C\"" }, back)
        case (.text, _):
            guard column.isEnumeration else { return nil }
            (reading, writing) = ({ "\($0)::text COLLATE \"C\"" }, back)
        default: return nil
        }
    }
}
