import CoreData

/// A store over tables that another program has made.
///
/// The store's schema gets a view for each entity, with the columns that a table of the framework would have. So all
/// statements are the same as elsewhere. Triggers of the views write into the tables.
struct PostgreSQLMapping: Sendable {
    /// The tables of the entities, by the entity's number in the model.
    let tables: [Int32: PostgreSQLMappedTable]
    /// The tables of the many-to-manys.
    let pairs: [PostgreSQLMappedPairs]

    /// - Parameters:
    ///   - names: What the user info of the model says.
    ///   - schema: The model with the framework's own names, which the views have.
    /// - Throws: 134020 for what can't be kept in tables of others.
    init(_ names: PostgreSQLNames, _ schema: SQLSchema) throws {
        let layouts = schema.layouts.layouts.filter { schema.contains($0) }
        var tables: [Int32: PostgreSQLMappedTable] = [:]
        for layout in layouts {
            try Self.check(layout, names)
            tables[layout.number] = PostgreSQLMappedTable(layout, names, schema)
        }
        self.tables = tables
        pairs = layouts.flatMap { layout in
            layout.slots.filter { $0.hasTableOfPairs(in: schema.layouts) }.compactMap {
                PostgreSQLMappedPairs($0, of: layout, names, schema)
            }
        }
    }

    private static func check(_ layout: EntityLayout, _ names: PostgreSQLNames) throws {
        guard names.keys[layout.name] != nil else {
            throw PostgreSQLNames.refusal(
                "Another program has made the tables of this model. The user info of \(layout.name) lacks \(NSPostgreSQLKeyUserInfoKey)."
            )
        }
        guard layout.parent == nil, layout.descendantCount == 0 else {
            throw PostgreSQLNames.refusal(
                "\(layout.name) has a parent or subentities, which its table can't tell apart.")
        }
        for slot in layout.slots where !slot.isTransient {
            let path = "\(layout.name).\(slot.name)"
            if slot.kind == .orderedToMany { throw PostgreSQLNames.refusal("\(path) is ordered.") }
            if slot.attribute is NSDerivedAttributeDescription {
                throw PostgreSQLNames.refusal("\(path) is derived. Make it a plain attribute of a generated column.")
            }
            if slot.kind.isToMany, slot.inverse < 0 { throw PostgreSQLNames.refusal("\(path) has no inverse.") }
            if slot.hasTableOfPairs(in: layout.model), slot.inversePath(in: layout.model) == path {
                throw PostgreSQLNames.refusal("\(path) is its own inverse.")
            }
        }
    }

    /// All statements that make the views and their triggers.
    ///
    /// - Parameter catalogue: The columns of the tables.
    /// - Throws: 134020 for a table or a column that is not there, or has values that the attribute can't have.
    func creation(_ catalogue: PostgreSQLCatalogue) throws -> [String] {
        let tables = tables.sorted { $0.key < $1.key }.map(\.value)
        var books: [String: PostgreSQLKeyBook] = [:]
        for table in tables { books[table.entity] = try PostgreSQLKeyBook(table, catalogue) }
        return try books.sorted { $0.key < $1.key }.flatMap { try $1.creation(catalogue) }
            + tables.flatMap { try PostgreSQLMappedView($0, catalogue, books).creation }
            + pairs.flatMap { try $0.creation(catalogue, books) }
    }
}

/// The table of an entity.
struct PostgreSQLMappedTable: Sendable {
    let entity: String
    /// The entity's number in the store.
    let number: Int64
    /// With its schema, if the user info says it.
    let name: [String]
    let key: String
    /// Nil for a table that can only be read.
    let version: String?
    /// What the framework asks for, in the order of the view's columns.
    let columns: [Column]

    struct Column: Sendable {
        let property: String
        /// In the view.
        let name: String
        let type: PostgreSQLType
        /// In the table.
        let source: String
        /// The entity that a to-one leads to.
        let destination: String?
    }

    init(_ layout: EntityLayout, _ names: PostgreSQLNames, _ schema: SQLSchema) {
        entity = layout.name
        number = schema.number(of: layout) ?? 0
        name = (names.tables[layout.name] ?? layout.name).split(separator: ".").map(String.init)
        key = names.keys[layout.name] ?? ""
        version = names.versions[layout.name]
        columns = layout.slots.compactMap { slot in
            schema.column(of: layout, slot: slot.index).map { column in
                Column(
                    property: "\(layout.name).\(slot.name)", name: column.name, type: PostgreSQLType(slot.kind),
                    source: names.columns["\(layout.name).\(slot.name)"] ?? slot.name,
                    destination: slot.kind == .toOne ? layout.model[slot.destination].name : nil)
            }
        }
    }

    /// Whether the entity has a to-one.
    var leadsElsewhere: Bool { columns.contains { $0.destination != nil } }

    /// The table's name as statements have it.
    var identifier: String { name.map { PostgreSQLDialect().identifier($0) }.joined(separator: ".") }
}

/// The table of a many-to-many.
struct PostgreSQLMappedPairs: Sendable {
    private let path: String
    private let view: String
    private let table: [String]
    /// The view's columns, with those of the table, and the entities that they lead to.
    private let columns: [(view: String, source: String, entity: String)]

    /// Nil for the side that does not name the columns.
    init?(_ slot: PropertySlot, of layout: EntityLayout, _ names: PostgreSQLNames, _ schema: SQLSchema) {
        path = "\(layout.name).\(slot.name)"
        guard case .joinTable(let name, let source, let target, _) = schema.link(of: layout, slot: slot.index),
            name == path
        else { return nil }
        view = name
        table = (names.tables[path] ?? name).split(separator: ".").map(String.init)
        let inverse = slot.inversePath(in: schema.layouts)
        columns = [
            (source, names.columns[inverse] ?? source, layout.name),
            (target, names.columns[path] ?? target, layout.model[slot.destination].name),
        ]
    }

    /// - Parameter books: Those of the entities whose keys are no integers.
    func creation(_ catalogue: PostgreSQLCatalogue, _ books: [String: PostgreSQLKeyBook]) throws -> [String] {
        let dialect = PostgreSQLDialect()
        let identifier = table.map { dialect.identifier($0) }.joined(separator: ".")
        let found = try catalogue.columns(of: identifier, for: path)
        for column in columns {
            let book = books[column.entity]
            guard let source = found[column.source], source.leads(to: book) else {
                let type = book?.type ?? "integers"
                throw PostgreSQLNames.refusal("\(path): \(identifier) has no column “\(column.source)” with \(type).")
            }
        }
        guard try catalogue.isUnique(columns.map(\.source), in: identifier) else {
            throw PostgreSQLNames.refusal(
                "\(path): \(identifier) needs a unique index on its columns \(columns.map(\.source).joined(separator: ", "))."
            )
        }
        let list = columns.enumerated().map { place, column in
            let isNumbered = books[column.entity] != nil
            let source = isNumbered ? "\"k\(place)\".\"row\"" : "\"t\".\(dialect.identifier(column.source))"
            return "\(source) AS \(dialect.identifier(column.view))"
        }
        let joins = columns.enumerated().compactMap { place, column in
            books[column.entity]?.join("k\(place)", on: "\"t\".\(dialect.identifier(column.source))")
        }
        let from = (["\(identifier) AS \"t\""] + joins).joined(separator: " ")
        return ["CREATE VIEW \(dialect.identifier(view)) AS SELECT \(list.joined(separator: ", ")) FROM \(from)"]
            + (joins.isEmpty ? [] : writing(identifier, books))
    }

    /// What writes through a view that the database can't write through by itself.
    private func writing(_ identifier: String, _ books: [String: PostgreSQLKeyBook]) -> [String] {
        let dialect = PostgreSQLDialect()
        func value(_ row: String, _ column: (view: String, source: String, entity: String)) -> String {
            let number = "\(row).\(dialect.identifier(column.view))"
            return books[column.entity]?.key(number) ?? number
        }
        let names = columns.map { dialect.identifier($0.source) }
        let new = columns.map { value("NEW", $0) }
        let old = columns.map { "\(dialect.identifier($0.source)) = \(value("OLD", $0))" }
        return [
            PostgreSQLMappedView.trigger(
                "INSERT", of: view,
                """
                INSERT INTO \(identifier) (\(names.joined(separator: ", "))) VALUES (\(new.joined(separator: ", "))) \
                ON CONFLICT DO NOTHING; RETURN NEW;
                """),
            PostgreSQLMappedView.trigger(
                "DELETE", of: view, "DELETE FROM \(identifier) WHERE \(old.joined(separator: " AND ")); RETURN OLD;"),
        ]
    }
}

extension PostgreSQLCatalogue.Column {
    /// Whether the values are keys of a table: those of a book, or without one integers.
    func leads(to book: PostgreSQLKeyBook?) -> Bool { book.map { $0.type == typeName } ?? isInteger }
}
