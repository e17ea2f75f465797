import Foundation

/// What a column of a new table gets for the rows of one entity.
enum SQLContent: Equatable {
    case null
    /// What a column of the rows' old table has, by its old name.
    case column(String)
    /// What a column has, with other values in the place of some.
    ///
    /// - condition: Where the value is another one.
    case adjusted(String, condition: SQLExpression, value: SQLExpression)
    case constant(SQLValue)
    /// What follows from the row itself.
    case computed(SQLExpression)
    /// What is looked up in other rows.
    case lookup(SQLExpression)

    /// The old column that it can stay in.
    var column: String? {
        switch self {
        case .column(let name), .adjusted(let name, _, _): name
        case .null, .constant, .computed, .lookup: nil
        }
    }

    /// The value, in terms of the old row.
    ///
    /// - Parameter current: What a column of the old table is called while the migration runs.
    func expression(_ current: (String) -> String) -> SQLExpression {
        switch self {
        case .null: .null
        case .column(let name): .own(current(name))
        case .adjusted(let name, let condition, let value):
            .choice([SQLBranch(condition: condition, result: value)], otherwise: .own(current(name)))
        case .constant(let value): .value(value)
        case .computed(let expression), .lookup(let expression): expression
        }
    }
}

/// What all columns of a new table get, by name, for each entity whose rows come to it.
struct SQLTableContents {
    /// In the order of the move's rows.
    private(set) var byRow: [[String: SQLContent]]
    /// The columns in which the rows may have something, in the order of the move's rows.
    let oldColumns: [Set<String>]
    /// The sort keys that the old table has not.
    private(set) var numberings: [SQLNumbering] = []
    private let move: SQLTableMove
    private let basis: SQLMigrationBasis

    init(_ move: SQLTableMove, _ basis: SQLMigrationBasis) {
        (self.move, self.basis) = (move, basis)
        byRow = move.rows.map { _ in [:] }
        oldColumns = move.rows.map { basis.columns(of: $0.source) }
        for place in move.rows.indices { fillProperties(place) }
        fillMemberships()
    }

    func content(_ column: String, _ place: Int) -> SQLContent { byRow[place][column] ?? .null }

    /// Whether any value is looked up in other rows.
    var hasLookups: Bool {
        byRow.contains { $0.values.contains { if case .lookup = $0 { true } else { false } } }
    }

    private func current(_ column: String) -> String { basis.names.column(column, in: move.old.name) }

    private func own(_ column: String) -> SQLExpression { .own(current(column)) }

    // MARK: Properties

    private mutating func fillProperties(_ place: Int) {
        let row = move.rows[place]
        for property in row.pair.properties where property.destination.isStoredInRow {
            guard let column = basis.new.column(of: row.destination, slot: property.destination.index) else { continue }
            if property.destination.kind == .toOne {
                fillToOne(property, column, place)
            } else {
                byRow[place][column.name] = attribute(property, row)
                fillStamp(property, column, place)
            }
        }
    }

    /// Values that stay keep their stamps.
    private mutating func fillStamp(_ property: InferredProperty, _ column: SQLColumn, _ place: Int) {
        guard let stamp = column.stampColumn, let source = property.source, byRow[place][column.name]?.column != nil,
            let former = basis.old.column(of: move.rows[place].source, slot: source.index)?.stampColumn
        else { return }
        byRow[place][stamp] = .column(former)
    }

    private func attribute(_ property: InferredProperty, _ row: SQLRowMove) -> SQLContent {
        let slot = property.destination
        guard let source = property.source, let former = basis.old.column(of: row.source, slot: source.index)?.name
        else { return property.value == .computed ? .null : initial(slot, row.destination) }
        if property.value == .computed { return .null }
        let value =
            property.value == .copiedOrDefault ? SQLValue(defaultOf: slot, in: row.destination, basis.dialect) : .null
        if slot.isExternal != source.isExternal {
            let bytes = SQLExpression.call(slot.isExternal ? .inlined : .bytes, [own(former)])
            return value.isNull
                ? .adjusted(former, condition: .isNotNull(own(former)), value: bytes)
                : .adjusted(former, condition: .truth(true), value: .ifNull(bytes, .value(value)))
        }
        return value.isNull
            ? .column(former) : .adjusted(former, condition: .isNull(own(former)), value: .value(value))
    }

    private func initial(_ slot: PropertySlot, _ layout: EntityLayout) -> SQLContent {
        let value = SQLValue(defaultOf: slot, in: layout, basis.dialect)
        return value.isNull ? .null : .constant(value)
    }

    // MARK: To-ones

    private mutating func fillToOne(_ property: InferredProperty, _ column: SQLColumn, _ place: Int) {
        let row = move.rows[place]
        let owner = row.destination.owner(of: property.destination)
        let pairs = basis.pairs(of: property.destination, in: owner).filter { isRow($0.source, of: row) }
        fill(column, from: pairs, place)
    }

    /// Whether the rows of an entity are at an end.
    private func isRow(_ end: SQLPairs.End, of row: SQLRowMove) -> Bool { row.source.isKind(of: end.entity) }

    /// Fills the columns of a key with the target of the pairs that have the row at hand as their source.
    private mutating func fill(_ column: SQLColumn, from all: [SQLPairs], _ place: Int) {
        // What stands in the row itself comes before what has to be looked up.
        let here = all.first { $0.source.isRow && $0.table == move.old.name }
        guard let pairs = here ?? all.first else { return }
        byRow[place][column.name] = key(pairs)
        if let entity = column.entityColumn { byRow[place][entity] = entityNumber(pairs) }
        guard let order = column.orderColumn else { return }
        if let former = pairs.source.orderColumn {
            byRow[place][order] = here == nil ? .lookup(lookup(pairs, former)) : .column(former)
        }
        let isKept = pairs.source.orderColumn != nil && all.count == 1
        note(SQLNumbering(table: move.new.name, column: order, owner: column.name), isNeeded: !isKept)
    }

    private mutating func note(_ numbering: SQLNumbering, isNeeded: Bool) {
        if isNeeded, !numberings.contains(numbering) { numberings.append(numbering) }
    }

    private func key(_ pairs: SQLPairs) -> SQLContent {
        guard pairs.source.isRow, pairs.table == move.old.name else {
            return .lookup(lookup(pairs, pairs.target.column))
        }
        guard let fits = basis.fits(pairs.target, in: pairs, .only) else { return .column(pairs.target.column) }
        if pairs.target.entityColumn != nil {
            return .adjusted(pairs.target.column, condition: .not(fits), value: .null)
        }
        let isGone = SQLBranch(condition: .not(fits), result: .null)
        return .lookup(.choice([isGone], otherwise: own(pairs.target.column)))
    }

    /// The `Z_ENT` of the row that the key leads to.
    private func entityNumber(_ pairs: SQLPairs) -> SQLContent {
        let end = pairs.target
        guard pairs.source.isRow, pairs.table == move.old.name else {
            return .lookup(numberOfRow(lookup(pairs, end.column), end))
        }
        guard let former = end.entityColumn else {
            let number = numberOfRow(own(end.column), end)
            if let fits = basis.fits(end, in: pairs, .only) {
                return .lookup(.choice([SQLBranch(condition: .not(fits), result: .null)], otherwise: number))
            }
            return isOne(end) ? .computed(number) : .lookup(number)
        }
        let number = basis.newNumber(own(former), end)
        let fits = basis.fits(end, in: pairs, .only)
        if fits == nil, number == own(former) { return .column(former) }
        let value = fits.map { .choice([SQLBranch(condition: .not($0), result: .null)], otherwise: number) } ?? number
        return .adjusted(former, condition: .isNotNull(own(former)), value: value)
    }

    /// The new `Z_ENT` of the row with a key, at an end.
    private func numberOfRow(_ key: SQLExpression, _ end: SQLPairs.End) -> SQLExpression {
        if isOne(end), let heir = rows(end).first.flatMap({ basis.heir(of: $0) }),
            let number = basis.new.number(of: heir)
        {
            return .choice([SQLBranch(condition: .isNotNull(key), result: .integer(Int(number)))], otherwise: .null)
        }
        let alias = SQLAlias.stored(1)
        var select = SQLSelect(from: .table(basis.names.table(basis.old.table(of: end.entity).name), alias))
        select.columns = [basis.newNumber(.column("Z_ENT", of: alias), end)]
        select.conditions = [.equal(.column("Z_PK", of: alias), qualified(key))]
        return .scalar(select)
    }

    /// The entities with rows that stay, at an end.
    private func rows(_ end: SQLPairs.End) -> [EntityLayout] {
        end.entity.selfAndDescendants.filter { !$0.isAbstract && basis.heir(of: $0) != nil }
    }

    private func isOne(_ end: SQLPairs.End) -> Bool { rows(end).count == 1 }

    /// The key at an end of the pairs in another row, or in another table, that belong to the row at hand.
    private func lookup(_ pairs: SQLPairs, _ column: String) -> SQLExpression {
        let alias = SQLAlias.stored(0)
        func inner(_ name: String) -> SQLExpression {
            .column(basis.names.column(name, in: pairs.table), of: alias)
        }
        var select = SQLSelect(from: .table(basis.names.table(pairs.table), alias))
        select.columns = [.aggregate(.minimum, inner(column), distinct: false)]
        select.conditions = [.equal(inner(pairs.source.column), outer("Z_PK"))]
        select.conditions += [basis.fits(pairs.target, in: pairs, alias)].compactMap { $0 }
        return .scalar(select)
    }

    /// A column of the row at hand, inside a select.
    private func outer(_ column: String) -> SQLExpression {
        .outerColumn(column, table: basis.names.table(move.old.name))
    }

    /// An expression over the row at hand, inside a select.
    private func qualified(_ key: SQLExpression) -> SQLExpression {
        if case .column(let name, .only) = key { return outer(name) }
        return key
    }

    // MARK: To-manys without inverse

    /// The columns of to-manys without inverse whose members are rows of this table.
    private mutating func fillMemberships() {
        for layout in basis.new.layouts.layouts where basis.new.contains(layout) {
            for slot in layout.slots[(layout.parent?.slots.count ?? 0)...] {
                guard
                    case .sourceColumnInDestination(move.new.name, let column, let order)? = basis.new.link(
                        of: layout, slot: slot.index)
                else { continue }
                let pairs = basis.pairs(of: slot, in: layout).map(\.reversed)
                for (place, row) in move.rows.enumerated() {
                    guard row.destination.isKind(of: basis.new.layouts[slot.destination]) else { continue }
                    fill(
                        SQLColumn(name: column, orderColumn: order), from: pairs.filter { isRow($0.source, of: row) },
                        place)
                }
            }
        }
    }
}

extension SQLValue {
    /// The value that an attribute has in new objects, as a column holds it.
    init(defaultOf slot: PropertySlot, in layout: EntityLayout, _ dialect: any SQLDialect) {
        let found = layout.makeDefaults().first { $0.index == slot.index }?.value ?? .null
        switch found {
        case .unset, .null, .reference: self = .null
        case .int(let value): self = .int(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .text(value)
        case .data(let value): self = slot.isExternal ? dialect.external(value) : .blob(value)
        case .uuid(let value): self = .blob(withUnsafeBytes(of: value.uuid) { Data($0) })
        case .object(let box as ValueBox):
            self =
                (try? slot.data(from: box.value)).map { slot.isExternal ? dialect.external($0) : .blob($0) } ?? .null
        case .object(let object):
            let text = StoredText.of(object, slot.kind)
            self = slot.kind == .decimal ? dialect.decimal(text) : .text(text)
        }
    }
}
