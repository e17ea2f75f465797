extension SQLSchema {
    /// The schema that Apple's framework would create for the model.
    ///
    /// - Parameter entities: The names of the entities in the store's configuration; nil: all.
    package static func derived(from layouts: ModelLayout, entities: Set<String>? = nil) -> SQLSchema {
        derived(from: layouts, entities: entities, naming: AppleNaming())
    }

    /// The schema that another kind of database has for the model.
    ///
    /// - Parameters:
    ///   - entities: The names of the entities in the store's configuration; nil: all.
    ///   - stored: The numbers of the entities in the store, by name; nil for a fresh store.
    package static func derived(
        from layouts: ModelLayout, entities: Set<String>?, naming: any SQLNamingStyle,
        numbers stored: [String: Int64]? = nil
    ) -> SQLSchema {
        let included = layouts.trees(of: entities)
        var numbers: [Int32: Int64] = [:]
        for (index, layout) in included.enumerated() {
            numbers[layout.number] = stored == nil ? Int64(index + 1) : stored?[layout.name]
        }
        var builder = SQLSchemaBuilder(
            layouts: layouts, included: included, numbers: numbers, real: nil, naming: naming)
        return builder.build()
    }

    /// The model's place in the tables of an opened store. The store's real columns are the truth.
    ///
    /// - Parameters:
    ///   - tables: The columns of all tables, by table name.
    ///   - numbers: `Z_ENT` by entity name, as `Z_PRIMARYKEY` has it. Where an entity was renamed in place, its row
    ///     still has the old name, which the renaming identifier tells.
    ///   - entities: The names of the entities in the store's configuration; nil: all.
    ///   - virtualTables: The names of the virtual tables that can be read.
    package static func fitted(
        to tables: [String: [SQLTableColumn]], numbers: [String: Int64], layouts: ModelLayout,
        entities: Set<String>? = nil, virtualTables: Set<String> = []
    ) -> SQLSchema {
        let included = layouts.trees(of: entities)
        var fitted: [Int32: Int64] = [:]
        var oddities: [String] = []
        for layout in included {
            if let number = numbers[layout.name] {
                fitted[layout.number] = number
            } else if let old = layout.entity.renamingIdentifier, let number = numbers[old] {
                fitted[layout.number] = number
                oddities.append("\(layout.name) still is \(old) in Z_PRIMARYKEY")
            } else {
                oddities.append("\(layout.name) is not in Z_PRIMARYKEY")
            }
        }
        var builder = SQLSchemaBuilder(layouts: layouts, included: included, numbers: fitted, real: tables)
        builder.oddities = oddities
        builder.virtualTables = virtualTables
        return builder.build()
    }
}

/// A property with the entity that declares it.
struct PropertyPlace: Hashable {
    let entity: Int32
    let slot: Int
}

/// Walks a model and gives every stored property its place, in a fresh store or in the tables of an opened one.
struct SQLSchemaBuilder {
    let layouts: ModelLayout
    let included: [EntityLayout]
    let numbers: [Int32: Int64]
    /// The tables of an opened store; nil for a fresh one.
    let real: [String: [SQLTableColumn]]?
    let naming: any SQLNamingStyle
    var oddities: [String] = []
    var virtualTables: Set<String>?

    private var tableNames: [Int32: String] = [:]
    private var columns: [PropertyPlace: SQLColumn] = [:]
    private(set) var links: [PropertyPlace: SQLLink] = [:]
    private var joinTables: [SQLJoinTable] = []
    private var placed: [String: [PlacedColumn]] = [:]
    private var taken: [String: Set<String>] = [:]
    private let realNames: [String: Set<String>]

    init(
        layouts: ModelLayout, included: [EntityLayout], numbers: [Int32: Int64], real: [String: [SQLTableColumn]]?,
        naming: any SQLNamingStyle = AppleNaming()
    ) {
        self.naming = naming
        self.layouts = layouts
        self.included = included
        self.numbers = numbers
        self.real = real
        realNames = (real ?? [:]).mapValues { Set($0.map(\.name)) }
    }

    mutating func build() -> SQLSchema {
        included.forEach { placeColumns(of: $0) }
        included.forEach { placeSourceColumns(of: $0) }
        placeJoinTables()
        for layout in included {
            for slot in ownSlots(of: layout) where slot.kind.isToMany && !slot.isTransient {
                linkToOne(slot, of: layout)
            }
        }
        let tables = makeTables()
        return SQLSchema(
            layouts: layouts, tables: included.filter { isRoot($0) }.map { tables[$0.number]! },
            joinTables: joinTables.sorted { $0.name < $1.name }, places: makePlaces(tables), oddities: oddities,
            virtualTables: virtualTables, searchTables: virtualTables == nil ? nil : [])
    }

    // MARK: The walk

    /// The properties that the entity declares itself.
    func ownSlots(of layout: EntityLayout) -> ArraySlice<PropertySlot> {
        layout.slots[(layout.parent?.slots.count ?? 0)...]
    }

    /// The entity that declares a property.
    func owner(of slot: Int, in layout: EntityLayout) -> EntityLayout {
        var owner = layout
        while let parent = owner.parent, slot < parent.slots.count { owner = parent }
        return owner
    }

    func number(_ layout: EntityLayout) -> Int64 { numbers[layout.number] ?? Int64(layout.number) }

    func numbered(_ layout: EntityLayout) -> SQLNumberedEntity {
        SQLNumberedEntity(name: layout.name, number: number(layout))
    }

    func tableName(of layout: EntityLayout) -> String { tableNames[layout.rootNumber] ?? "" }

    func exists(_ column: String, in table: String) -> Bool {
        real == nil || realNames[table]?.contains(column) ?? false
    }

    /// A root of the store's trees: the parent is missing, or is in another configuration.
    private func isRoot(_ layout: EntityLayout) -> Bool { layout.parent == nil }

    // MARK: Columns of attributes and to-ones

    private mutating func placeColumns(of layout: EntityLayout) {
        if isRoot(layout) {
            let table = naming.table(of: layout.name)
            tableNames[layout.number] = table
            taken[table] = naming.reservedColumns
            if real != nil, realNames[table] == nil { oddities.append("\(layout.name): there is no table \(table)") }
        }
        let own = ownSlots(of: layout).filter(\.isStoredInRow)
        for slot in own where slot.kind != .toOne { placeAttribute(slot, of: layout) }
        for slot in own where slot.kind == .toOne { placeToOne(slot, of: layout) }
    }

    private mutating func placeAttribute(_ slot: PropertySlot, of layout: EntityLayout) {
        guard let name = columnName(for: slot, of: layout) else { return }
        let (table, group) = (tableName(of: layout), slot.kind.columnGroup)
        var column = SQLColumn(name: name)
        note(name, naming.type(of: slot.kind), group: group, slot, layout, in: table)
        if slot.isExternal, let stamp = naming.stamp(of: name, in: table) {
            column.stampColumn = stamp.name
            note(stamp.name, stamp.type, group: group, slot, layout, in: table)
        }
        columns[PropertyPlace(entity: layout.number, slot: slot.index)] = column
    }

    private mutating func placeToOne(_ slot: PropertySlot, of layout: EntityLayout) {
        guard let name = columnName(for: slot, of: layout) else { return }
        let table = tableName(of: layout)
        var column = SQLColumn(name: name)
        note(name, naming.type(of: .toOne), group: 0, slot, layout, in: table)
        let destination = layouts[slot.destination]
        if destination.descendantCount > 0 {
            column.entityColumn = entityColumn(for: name, number: number(destination), in: table)
            if let side = column.entityColumn { note(side, naming.sideTypes.entity, group: 0, slot, layout, in: table) }
        }
        if slot.inverse >= 0, destination.slots[slot.inverse].kind == .orderedToMany {
            column.orderColumn = orderColumn(for: name, slot, layout, in: table)
        }
        columns[PropertyPlace(entity: layout.number, slot: slot.index)] = column
    }

    /// The column's name, unique in its table; nil where an opened store has none.
    private mutating func columnName(for slot: PropertySlot, of layout: EntityLayout) -> String? {
        let table = tableName(of: layout)
        var name = SQLNaming.unused(naming.column(of: slot.name, in: layout.name), in: taken[table, default: []])
        // How the columns of a composite's elements are named is not known for certain: try the element's own name.
        if !exists(name, in: table), let leaf = slot.name.split(separator: ".").last {
            name = SQLNaming.unused(naming.column(of: String(leaf), in: layout.name), in: taken[table, default: []])
        }
        taken[table, default: []].insert(name)
        if exists(name, in: table) { return name }
        oddities.append("\(layout.name).\(slot.name): there is no column \(name) in \(table)")
        return nil
    }

    private func entityColumn(for column: String, number: Int64, in table: String) -> String? {
        let name = naming.entityColumn(for: column, number: number)
        if exists(name, in: table) { return name }
        // The number in the name may be stale.
        let suffix = "_" + column.dropFirst()
        return real?[table]?.map(\.name).first {
            $0.hasPrefix("Z") && $0.hasSuffix(suffix) && Int($0.dropFirst().dropLast(suffix.count)) != nil
        }
    }

    private mutating func orderColumn(
        for column: String, _ slot: PropertySlot, _ layout: EntityLayout, in table: String
    ) -> String? {
        let name = naming.orderColumn(for: column)
        guard exists(name, in: table) else {
            oddities.append("\(layout.name).\(slot.name): ordered, but \(table) has no column \(name)")
            return nil
        }
        note(name, naming.sideTypes.order, group: 2, slot, layout, in: table)
        return name
    }

    // MARK: To-manys

    /// To-manys without inverse have a column in their destination's table.
    private mutating func placeSourceColumns(of layout: EntityLayout) {
        for slot in ownSlots(of: layout)
        where slot.kind.isToMany && !slot.isTransient && slot.inverse < 0 && slot.destination > 0 {
            let table = tableName(of: layouts[slot.destination])
            guard let name = sourceColumn(for: slot, of: layout, in: table) else {
                oddities.append("\(layout.name).\(slot.name): no table or column holds this relationship")
                continue
            }
            taken[table, default: []].insert(name)
            note(name, naming.type(of: .toOne), group: 1, slot, layout, in: table)
            let order = slot.kind == .orderedToMany ? orderColumn(for: name, slot, layout, in: table) : nil
            links[PropertyPlace(entity: layout.number, slot: slot.index)] =
                .sourceColumnInDestination(table: table, column: name, orderColumn: order)
        }
    }

    private func sourceColumn(for slot: PropertySlot, of layout: EntityLayout, in table: String) -> String? {
        guard let real else {
            let base = naming.sourceColumn(of: slot.name, in: numbered(layout))
            return SQLNaming.unused(base, in: taken[table, default: []])
        }
        return NumberedName(prefix: "Z", number: number(layout), name: slot.name).best(of: real[table] ?? [])?.name
    }

    /// One-to-manys lean on the column of their inverse.
    private mutating func linkToOne(_ slot: PropertySlot, of layout: EntityLayout) {
        guard slot.inverse >= 0 else { return }
        let destination = layouts[slot.destination]
        guard destination.slots[slot.inverse].kind == .toOne else { return }
        let inverseOwner = owner(of: slot.inverse, in: destination)
        guard let column = columns[PropertyPlace(entity: inverseOwner.number, slot: slot.inverse)] else {
            oddities.append("\(layout.name).\(slot.name): no table or column holds this relationship")
            return
        }
        let order = slot.kind == .orderedToMany ? column.orderColumn : nil
        links[PropertyPlace(entity: layout.number, slot: slot.index)] = .foreignKey(
            table: tableName(of: destination), column: column.name, entityColumn: column.entityColumn,
            orderColumn: order)
    }

    mutating func place(_ link: SQLLink, for place: PropertyPlace) { links[place] = link }

    mutating func place(_ table: SQLJoinTable) { joinTables.append(table) }

    var joinTableNames: Set<String> { Set(joinTables.map(\.name)) }

    // MARK: The result

    private mutating func note(
        _ name: String, _ type: String, group: Int, _ slot: PropertySlot, _ layout: EntityLayout, in table: String
    ) {
        placed[table, default: []].append(
            PlacedColumn(
                column: SQLTableColumn(name: name, type: type), group: group, entity: layout.number,
                isRelationship: slot.kind.isRelationship, name: slot.name))
    }

    private func makeTables() -> [Int32: SQLTable] {
        var tables: [Int32: SQLTable] = [:]
        for layout in included where isRoot(layout) {
            let name = tableName(of: layout)
            let columns = real.map { $0[name] ?? [] } ?? PlacedColumn.arranged(placed[name] ?? [], naming)
            let hasSubentities = included.contains { $0.rootNumber == layout.number && $0 !== layout }
            tables[layout.number] = SQLTable(
                name: name, root: layout.number, hasSubentities: hasSubentities, columns: columns)
        }
        return tables
    }

    private func makePlaces(_ tables: [Int32: SQLTable]) -> [EntityPlace?] {
        let names = Set(included.map(\.number))
        return layouts.layouts.map { layout in
            guard names.contains(layout.number), let table = tables[layout.rootNumber] else { return nil }
            let places = layout.slots.indices.map {
                PropertyPlace(entity: owner(of: $0, in: layout).number, slot: $0)
            }
            return EntityPlace(
                table: table, number: numbers[layout.number], columns: places.map { columns[$0] },
                links: places.map { links[$0] })
        }
    }
}

/// A column of a table that is being laid out.
private struct PlacedColumn {
    let column: SQLTableColumn
    let group: Int
    let entity: Int32
    let isRelationship: Bool
    let name: String

    /// In Apple's order: by group, inside a group by entity number, an entity's to-ones behind its integers, then by
    /// name.
    static func arranged(_ placed: [PlacedColumn], _ naming: any SQLNamingStyle) -> [SQLTableColumn] {
        let types = naming.systemTypes
        let fixed = [
            SQLTableColumn(name: "Z_PK", type: types.key), SQLTableColumn(name: "Z_ENT", type: types.entity),
            SQLTableColumn(name: "Z_OPT", type: types.version),
        ]
        // The offset keeps a side column behind its to-one.
        return fixed + placed.enumerated().sorted { precedes($0, $1) }.map(\.element.column)
    }

    private static func precedes(
        _ a: EnumeratedSequence<[PlacedColumn]>.Element, _ b: EnumeratedSequence<[PlacedColumn]>.Element
    ) -> Bool {
        let (x, y) = (a.element, b.element)
        if x.group != y.group { return x.group < y.group }
        if x.entity != y.entity { return x.entity < y.entity }
        if x.isRelationship != y.isRelationship { return y.isRelationship }
        return x.name == y.name ? a.offset < b.offset : x.name.isOrderedByScalars(y.name)
    }
}
