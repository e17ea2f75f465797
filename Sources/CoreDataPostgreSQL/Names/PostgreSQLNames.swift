import CoreData
import Foundation

/// The names that a model's user info gives to tables and columns.
///
/// Version hashes do not depend on user info. So a store keeps the names that it was made with.
struct PostgreSQLNames: Equatable, Codable, Sendable {
    /// By root entity ("Player"), and by to-many with a table of pairs ("Team.sponsors").
    private(set) var tables: [String: String] = [:]
    /// By property: "Player.lastName". The column of a many-to-many has the keys of its targets.
    private(set) var columns: [String: String] = [:]
    /// The columns with the primary keys of tables that another program has made, by entity; empty for a store that has
    /// made its tables itself.
    private(set) var keys: [String: String] = [:]
    /// The columns with the versions of rows of these tables, by entity.
    private(set) var versions: [String: String] = [:]
    /// The attributes that rows are spread by, by root entity; see ``PostgreSQLDistribution``.
    private(set) var distributions: [String: String] = [:]

    init() {}

    /// Stores of earlier versions have no ``distributions``.
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        tables = try values.decode([String: String].self, forKey: .tables)
        columns = try values.decode([String: String].self, forKey: .columns)
        keys = try values.decode([String: String].self, forKey: .keys)
        versions = try values.decode([String: String].self, forKey: .versions)
        distributions = try values.decodeIfPresent([String: String].self, forKey: .distributions) ?? [:]
    }

    /// Whether another program has made the tables.
    var isMapped: Bool { !keys.isEmpty }

    /// What the framework calls the tables and columns: views over another program's tables have the model's names.
    ///
    /// - Parameter stamps: Those of the tables, if they are the framework's own.
    func naming(_ stamps: PostgreSQLStamps) -> PostgreSQLNaming {
        isMapped ? PostgreSQLNaming() : PostgreSQLNaming(self, stamps: stamps)
    }

    /// - Throws: 134020 for a name that no table or column can have, or that stands where none is asked for.
    init(_ model: StoreModel) throws {
        for layout in model.layouts.trees(of: model.entities) {
            let info = PostgreSQLUserInfo(layout)
            keys[layout.name] = try info.name(NSPostgreSQLKeyUserInfoKey)
            versions[layout.name] = try info.name(NSPostgreSQLVersionUserInfoKey)
            if let name = try info.name(NSPostgreSQLTableUserInfoKey) {
                guard layout.parent == nil else {
                    throw Self.refusal("\(layout.name) has no table of its own: its root entity says the name.")
                }
                tables[layout.name] = name
            }
            distributions[layout.name] = try info.name(NSPostgreSQLDistributionUserInfoKey)
            for slot in layout.slots[(layout.parent?.slots.count ?? 0)...] { try add(slot, of: layout) }
        }
        try PostgreSQLDistributionCheck(self, model.layouts).run(model.layouts.trees(of: model.entities))
    }

    private mutating func add(_ slot: PropertySlot, of layout: EntityLayout) throws {
        let info = PostgreSQLUserInfo(slot, of: layout)
        let path = "\(layout.name).\(slot.name)"
        let hasPairs = slot.hasTableOfPairs(in: layout.model)
        if let name = try info.name(NSPostgreSQLTableUserInfoKey) {
            guard hasPairs else { throw Self.refusal("\(path) has no table of its own.") }
            // Either side may say it.
            for side in [path, slot.inversePath(in: layout.model)] {
                if let other = tables.updateValue(name, forKey: side), other != name {
                    throw Self.refusal("\(path) and its inverse name two tables, “\(name)” and “\(other)”.")
                }
            }
        }
        if let name = try info.name(NSPostgreSQLColumnUserInfoKey) {
            let hasColumn = slot.isStoredInRow || hasPairs || slot.kind.isToMany && slot.inverse < 0
            guard hasColumn, !slot.isTransient, !slot.name.contains(".") else {
                throw Self.refusal("\(path) has no column that can be named.")
            }
            columns[path] = name
        }
    }

    // MARK: In a store

    /// Makes sure that each table and column has the name that it is to have.
    ///
    /// - Throws: 134020 where two would have the same, or one that the framework needs.
    func check(_ schema: SQLSchema) throws {
        if isMapped { return }
        var taken: [String: String] = [:]
        for table in schema.tables {
            let entity = schema.layouts[table.root].name
            if let other = taken.updateValue(entity, forKey: table.name) {
                throw Self.refusal("\(other) and \(entity) can't have the same table “\(table.name)”.")
            }
        }
        for table in schema.joinTables where taken[table.name] != nil {
            throw Self.refusal("A table of an entity, and of a relationship, have the same name “\(table.name)”.")
        }
        for layout in schema.layouts.layouts where schema.contains(layout) {
            for slot in layout.slots {
                guard let wanted = columns["\(layout.name).\(slot.name)"],
                    let column = schema.columnName(of: layout, slot), column != wanted
                else { continue }
                throw Self.refusal(
                    "\(layout.name).\(slot.name) can't have the column “\(wanted)”: the table has one of that name.")
            }
        }
    }

    /// Makes sure that the store was made with the names that the model asks for.
    ///
    /// - Throws: 134020, which names a difference.
    func check(madeWith stored: PostgreSQLNames) throws {
        if stored == self { return }
        let kinds = [
            ("table", tables, stored.tables), ("column", columns, stored.columns), ("key", keys, stored.keys),
            ("version", versions, stored.versions),
            ("distribution key", distributions, stored.distributions),
        ]
        for (what, mine, theirs) in kinds {
            for path in Set(mine.keys).union(theirs.keys).sorted() where mine[path] != theirs[path] {
                let name = { (name: String?) in name.map { "“\($0)”" } ?? "no name of its own" }
                throw Self.refusal(
                    "The \(what) of \(path) has \(name(theirs[path])) in the store, and \(name(mine[path])) in the model’s user info."
                )
            }
        }
    }

    /// Makes sure that the tables of another model belong to the same program as those of this one.
    func checkOwner(_ other: PostgreSQLNames) throws {
        if isMapped == other.isMapped { return }
        throw Self.refusal(
            "One of the models is for tables that another program has made, the other is not: a migration can’t change that."
        )
    }

    /// Makes sure that an entity of another model, which takes over the rows of one of this, is spread as that one is.
    func checkDistribution(of entity: String, becoming other: String, in names: PostgreSQLNames) throws {
        let (old, new) = (distributions[entity], names.distributions[other])
        if old == new { return }
        let name = { (name: String?) in name.map { "the distribution key “\($0)”" } ?? "no distribution key" }
        throw Self.refusal(
            "\(entity) has \(name(old)) in the store, and \(other) has \(name(new)) in the model: a migration can’t change that."
        )
    }

    static func refusal(_ sentence: String) -> NSError {
        .cocoa(
            NSPersistentStoreIncompatibleSchemaError, "The model’s names of tables and columns don’t fit.",
            reason: sentence)
    }
}

extension PropertySlot {
    /// Whether the relationship is a many-to-many, which has a table of its own.
    func hasTableOfPairs(in model: ModelLayout) -> Bool {
        kind.isToMany && !isTransient && inverse >= 0 && model[destination].slots[inverse].kind.isToMany
    }

    /// The inverse, with the entity that declares it: "Sponsor.teams".
    func inversePath(in model: ModelLayout) -> String {
        var owner = model[destination]
        let name = owner.slots[inverse].name
        while let parent = owner.parent, inverse < parent.slots.count { owner = parent }
        return "\(owner.name).\(name)"
    }
}

extension SQLSchema {
    /// The column that a property's name goes to; nil where the store has none.
    fileprivate func columnName(of layout: EntityLayout, _ slot: PropertySlot) -> String? {
        if let column = column(of: layout, slot: slot.index) { return column.name }
        return switch link(of: layout, slot: slot.index) {
        case .sourceColumnInDestination(_, let column, _): column
        case .joinTable(_, _, let column, _): column
        case .foreignKey, nil: nil
        }
    }
}
