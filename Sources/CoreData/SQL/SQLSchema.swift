/// Where a model's entities and properties live in the tables of a SQL store.
///
/// There are two ways to one: ``derived(from:entities:)`` lays a model out as Apple's framework would in a fresh store,
/// ``fitted(to:layouts:entities:)`` finds a model's place in the tables that an opened store really has.
///
/// Three numbers must not be mixed up: an entity's number in the model (``EntityLayout/number``), its number in the
/// store (`Z_ENT`), and a property's slot. Snapshots and references carry the first; rows and column names the second.
package final class SQLSchema: Sendable {
    package let layouts: ModelLayout
    /// The tables of the root entities, in the order of the entities' numbers.
    package let tables: [SQLTable]
    /// The tables of the many-to-many relationships, by name.
    package let joinTables: [SQLJoinTable]
    /// The virtual tables of an opened store that its library can read; nil for a derived schema, which has all that
    /// its model asks for.
    let virtualTables: Set<String>?
    /// The search tables of an opened store that are as the model asks for them; nil for a derived schema.
    package let searchTables: Set<String>?
    /// What of the model has no place in the store's tables; empty for a derived schema.
    package let oddities: [String]

    private let places: [EntityPlace?]
    private let layoutNumbers: [Int64: Int32]

    init(
        layouts: ModelLayout, tables: [SQLTable], joinTables: [SQLJoinTable], places: [EntityPlace?],
        oddities: [String],
        virtualTables: Set<String>? = nil, searchTables: Set<String>? = nil
    ) {
        self.layouts = layouts
        self.tables = tables
        self.joinTables = joinTables
        self.places = places
        self.oddities = oddities
        self.virtualTables = virtualTables
        self.searchTables = searchTables
        var numbers: [Int64: Int32] = [:]
        for (index, place) in places.enumerated() {
            if let number = place?.number { numbers[number] = Int32(index + 1) }
        }
        layoutNumbers = numbers
    }

    /// The schema of a store that has these search tables.
    package func searching(_ searchTables: Set<String>) -> SQLSchema {
        SQLSchema(
            layouts: layouts, tables: tables, joinTables: joinTables, places: places, oddities: oddities,
            virtualTables: virtualTables, searchTables: searchTables)
    }

    /// The schema of a store without tables beside for spatial indexes.
    package var withoutVirtualTables: SQLSchema {
        SQLSchema(
            layouts: layouts, tables: tables, joinTables: joinTables, places: places, oddities: oddities,
            virtualTables: [], searchTables: searchTables)
    }

    /// The schema of a store that has no place for some properties.
    package func withoutPlaces(_ lacks: (EntityLayout, PropertySlot) -> Bool) -> SQLSchema {
        let fitted = zip(layouts.layouts, places).map { layout, place -> EntityPlace? in
            guard var place else { return nil }
            for slot in layout.slots where lacks(layout, slot) {
                (place.columns[slot.index], place.links[slot.index]) = (nil, nil)
            }
            return place
        }
        return SQLSchema(
            layouts: layouts, tables: tables, joinTables: joinTables, places: fitted, oddities: oddities,
            virtualTables: virtualTables, searchTables: searchTables)
    }

    /// Whether the store's configuration holds the entity.
    package func contains(_ layout: EntityLayout) -> Bool { places[Int(layout.number) - 1] != nil }

    /// The table of an entity's tree.
    ///
    /// - Precondition: The store's configuration holds the entity.
    package func table(of layout: EntityLayout) -> SQLTable { place(of: layout).table }

    /// The number that the entity's rows carry in `Z_ENT`; nil where an opened store does not know the entity.
    package func number(of layout: EntityLayout) -> Int64? { place(of: layout).number }

    /// The entity with this `Z_ENT`, or nil.
    package func layout(numbered number: Int64) -> EntityLayout? { layoutNumbers[number].map { layouts[$0] } }

    /// The model's number for a `Z_ENT`, or nil.
    package func layoutNumber(of number: Int64) -> Int32? { layoutNumbers[number] }

    /// The column of a property that rows of the entity hold; nil for all other properties, and where an opened store
    /// has no such column.
    package func column(of layout: EntityLayout, slot: Int) -> SQLColumn? { place(of: layout).columns[slot] }

    /// How the members of a to-many relationship are found; nil for all other properties, and where an opened store
    /// has nothing that holds them.
    package func link(of layout: EntityLayout, slot: Int) -> SQLLink? { place(of: layout).links[slot] }

    private func place(of layout: EntityLayout) -> EntityPlace {
        guard let place = places[Int(layout.number) - 1] else {
            defect("The entity \(layout.name) is not in this store's configuration.")
        }
        return place
    }
}

/// Where one entity's properties live.
struct EntityPlace: Sendable {
    let table: SQLTable
    let number: Int64?
    /// By slot.
    var columns: [SQLColumn?]
    /// By slot.
    var links: [SQLLink?]
}

/// The table of an entity tree.
package final class SQLTable: Sendable {
    package let name: String
    /// The number of the tree's root entity in the model.
    package let root: Int32
    /// Whether the tree has more than one entity, so that `Z_ENT` decides what a row is.
    package let hasSubentities: Bool
    /// All columns in order, `Z_PK`, `Z_ENT` and `Z_OPT` first, those unknown to the model included.
    package let columns: [SQLTableColumn]

    init(name: String, root: Int32, hasSubentities: Bool, columns: [SQLTableColumn]) {
        self.name = name
        self.root = root
        self.hasSubentities = hasSubentities
        self.columns = columns
    }
}

/// A column as a table declares it.
package struct SQLTableColumn: Sendable, Equatable {
    package let name: String
    package let type: String

    package init(name: String, type: String) {
        self.name = name
        self.type = type
    }
}

/// The column of an attribute or a to-one relationship.
package struct SQLColumn: Sendable, Equatable {
    package let name: String
    /// The column beside a to-one with the `Z_ENT` of the destination's row, where the destination has subentities.
    package var entityColumn: String?
    /// The column with the row's place in the to-one's ordered inverse (`Z_FOK_…`).
    package var orderColumn: String?
    /// The column with a stamp of the value, another one for each value; see ``SQLNamingStyle/stamp(of:in:)``.
    package var stampColumn: String?

    package init(name: String, entityColumn: String? = nil, orderColumn: String? = nil) {
        self.name = name
        self.entityColumn = entityColumn
        self.orderColumn = orderColumn
    }
}

/// How a to-many relationship is stored: which rows pair a source's key with its targets.
package enum SQLLink: Sendable, Equatable {
    /// The rows of the destination's table carry the source's key in the column of the inverse to-one, and the source's
    /// `Z_ENT` in `entityColumn` where the source's entity has or is a subentity.
    case foreignKey(table: String, column: String, entityColumn: String?, orderColumn: String?)
    /// The relationship has no inverse: the rows of the destination's table carry the source's key in a column of its
    /// own.
    case sourceColumnInDestination(table: String, column: String, orderColumn: String?)
    /// A many-to-many: a table of pairs, with the place of the target among the source's members in `orderColumn`.
    case joinTable(name: String, sourceColumn: String, targetColumn: String, orderColumn: String?)

    /// The table with the rows that hold the pairs.
    package var table: String {
        switch self {
        case .foreignKey(let table, _, _, _), .sourceColumnInDestination(let table, _, _): table
        case .joinTable(let name, _, _, _): name
        }
    }

    /// The column with the source's key.
    package var sourceColumn: String {
        switch self {
        case .foreignKey(_, let column, _, _), .sourceColumnInDestination(_, let column, _): column
        case .joinTable(_, let column, _, _): column
        }
    }

    /// The column with the target's key.
    package var targetColumn: String {
        switch self {
        case .foreignKey, .sourceColumnInDestination: "Z_PK"
        case .joinTable(_, _, let column, _): column
        }
    }

    /// The column that orders a source's members, for an ordered relationship.
    package var orderColumn: String? {
        switch self {
        case .foreignKey(_, _, _, let column), .sourceColumnInDestination(_, _, let column): column
        case .joinTable(_, _, _, let column): column
        }
    }
}

/// The table of a many-to-many relationship.
package struct SQLJoinTable: Sendable, Equatable {
    package let name: String
    /// The two key columns, then the sort keys of the ordered sides.
    package let columns: [String]

    package init(name: String, columns: [String]) {
        self.name = name
        self.columns = columns
    }
}
