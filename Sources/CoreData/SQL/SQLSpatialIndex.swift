import FoundationGaps

/// A spatial index: a table beside that has, for each row of an entity, a box around the row's values.
///
/// The box's corners are floats, rounded outwards: what the box can't rule out is compared by itself.
struct SQLSpatialIndex {
    struct Axis {
        /// The column of the entity's table.
        let column: String
        /// The box's bounds.
        let low, high: String
    }

    let table: String
    let axes: [Axis]

    /// - Returns: Nil for an index that is not spatial, or over something else than attributes that the store has.
    init?(_ index: NSFetchIndexDescription, of layout: EntityLayout, in schema: SQLSchema) {
        axes = index.elements.filter { $0.collationType == .rTree }.compactMap { element in
            element.propertyName.flatMap { schema.columnName($0, of: layout) }.map {
                Axis(column: $0, low: "\($0)_MIN", high: "\($0)_MAX")
            }
        }
        guard !axes.isEmpty, axes.count == index.elements.count else { return nil }
        table = "Z_RT_\(layout.name)_\(index.name)"
    }

    /// The spatial indexes that hold all rows of an entity, and that the store has.
    static func all(of layout: EntityLayout, in schema: SQLSchema) -> [SQLSpatialIndex] {
        var found: [SQLSpatialIndex] = []
        var owner: EntityLayout? = layout
        while let current = owner, schema.contains(current) {
            found += current.entity.indexes.compactMap { SQLSpatialIndex($0, of: current, in: schema) }
            owner = current.parent
        }
        return found.filter { schema.virtualTables?.contains($0.table) ?? true }
    }
}

extension SQLTranslation {
    /// The condition that a row is where the fetch looks for it, by the spatial index that knows the most about it.
    ///
    /// - Returns: Nil where the conditions say nothing about a place on both sides, or there is no index of it.
    func spatialCondition(_ layout: EntityLayout) -> SQLExpression? {
        let indexes = SQLSpatialIndex.all(of: layout, in: schema)
        guard !indexes.isEmpty else { return nil }
        var bounds: [String: SQLBounds] = [:]
        for condition in builder.select.conditions.flatMap(\.allConjuncts) {
            guard let (column, bound) = condition.bounds(of: builder.first) else { continue }
            bounds[column, default: SQLBounds()].narrow(bound)
        }
        func rank(_ index: SQLSpatialIndex) -> Int { index.axes.count { bounds[$0.column]?.isClosed ?? false } }
        guard let best = indexes.max(by: { rank($0) < rank($1) }), rank(best) > 0 else { return nil }
        let alias = builder.aliases.next()
        var select = SQLSelect(from: .table(best.table, alias))
        select.columns = [.column("Z_PK", of: alias)]
        for axis in best.axes {
            guard let bound = bounds[axis.column] else { continue }
            if let low = bound.low {
                select.conditions.append(.compare(.greaterOrEqual, .column(axis.high, of: alias), .value(low)))
            }
            if let high = bound.high {
                select.conditions.append(.compare(.lessOrEqual, .column(axis.low, of: alias), .value(high)))
            }
        }
        return .isFound(root.key, in: select)
    }

    /// Makes sure that the index which a predicate names is one of the entity's: `indexed:by:(latitude, "byPlace")`.
    /// The database then chooses by itself.
    func checkIndex(_ name: SQLOperand, _ what: String, _ environment: SQLEnvironment) throws {
        guard case .constant(.string(let name)) = name else {
            throw SQLTranslationError.unsupported("\(what) needs the name of an index")
        }
        var names: [String] = []
        var owner: EntityLayout? = environment.this.layout
        while let current = owner {
            names += current.entity.indexes.map(\.name)
            owner = current.parent
        }
        guard names.contains(name) else {
            throw SQLTranslationError.unsupported(
                "\(what) names an index that \(environment.this.layout.name) does not have; it has "
                    + (names.isEmpty ? "none" : names.sorted().joined(separator: ", ")))
        }
    }
}

/// What the conditions say about a number.
private struct SQLBounds {
    var low: SQLValue?
    var high: SQLValue?

    var isClosed: Bool { low != nil && high != nil }

    mutating func narrow(_ other: SQLBounds) {
        if let value = other.low?.number, value > low?.number ?? -.infinity { low = other.low }
        if let value = other.high?.number, value < high?.number ?? .infinity { high = other.high }
    }
}

extension SQLExpression {
    /// The parts that all must hold, those of parts too.
    fileprivate var allConjuncts: [SQLExpression] {
        if case .all(let parts) = self { parts.flatMap(\.allConjuncts) } else { [self] }
    }

    /// The bounds that a condition sets for a column of a table.
    fileprivate func bounds(of table: SQLAlias) -> (String, SQLBounds)? {
        switch self {
        case .between(.column(let name, table), .value(let low), .value(let high)):
            guard low.number != nil, high.number != nil else { return nil }
            return (name, SQLBounds(low: low, high: high))
        case .compare(let comparison, .column(let name, table), .value(let value)) where value.number != nil:
            return comparison.bounds(value).map { (name, $0) }
        case .compare(let comparison, .value(let value), .column(let name, table)) where value.number != nil:
            return comparison.mirrored.bounds(value).map { (name, $0) }
        default: return nil
        }
    }
}

extension SQLComparison {
    fileprivate func bounds(_ value: SQLValue) -> SQLBounds? {
        switch self {
        case .equal: SQLBounds(low: value, high: value)
        case .less, .lessOrEqual: SQLBounds(high: value)
        case .greater, .greaterOrEqual: SQLBounds(low: value)
        case .notEqual: nil
        }
    }
}
