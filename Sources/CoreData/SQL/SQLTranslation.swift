import FoundationGaps

/// The translation of one fetch.
final class SQLTranslation {
    let schema: SQLSchema
    let store: Int32
    let dialect: any SQLDialect
    let builder: SQLSelectBuilder
    /// The object that is fetched.
    let root: SQLScope
    /// The keys of objects in a dictionary fetch.
    var objects = SQLObjectColumns()
    /// The full-text searches that rank the fetched rows.
    var searches: [SQLSearch] = []

    init(schema: SQLSchema, store: Int32, root: EntityLayout, dialect: any SQLDialect) {
        self.schema = schema
        self.store = store
        self.dialect = dialect
        builder = SQLSelectBuilder(from: schema.table(of: root).name, aliases: SQLAliases())
        self.root = SQLScope(root, at: builder.first, in: builder, schema: schema)
    }

    func select(for fetch: StoreFetch, rowColumns: [String]) throws -> (SQLSelect, SQLResult) {
        let environment = SQLEnvironment(this: root)
        builder.select.conditions = entityCondition(fetch).map { [$0] } ?? []
        if let predicate = fetch.predicate {
            let condition = try self.condition(predicate, environment)
            if condition != .truth(true) { builder.select.conditions += condition.conjuncts }
        }
        if let narrowing = spatialCondition(fetch.entity) { builder.select.conditions.append(narrowing) }
        builder.select.limit = fetch.limit > 0 ? fetch.limit : nil
        builder.select.offset = fetch.offset > 0 ? fetch.offset : nil
        let (select, result) = try self.select(for: fetch.output, fetch, environment, rowColumns: rowColumns)
        let indexed = SQLIndexExpression.all(of: fetch.entity, in: schema, dialect).map(\.expression)
        return (indexed.isEmpty ? select : select.naming(indexed), result)
    }

    private func select(
        for output: StoreFetch.Output, _ fetch: StoreFetch, _ environment: SQLEnvironment, rowColumns: [String]
    ) throws -> (SQLSelect, SQLResult) {
        switch output {
        case .count: return (count(), .count)
        case .references:
            // An index may have the keys of rows of one entity in the order that is wanted: then the table is not
            // looked at. What is wanted in no order comes in the table's, as rows do, and not in that of any index.
            let isSole = !schema.table(of: fetch.entity).hasSubentities && !fetch.sortDescriptors.isEmpty
            builder.select.columns = isSole ? [root.key] : [root.key, root.entity]
            try sort(fetch.sortDescriptors, environment, isPaged: fetch.isPaged)
            return (builder.select, .references)
        case .rows, .parts:
            builder.select.columns = rowColumns.map(root.column)
            try sort(fetch.sortDescriptors, environment, isPaged: fetch.isPaged)
            return (builder.select, .rows)
        case .dictionaries(let columns, let groups, let having, let distinct):
            let output = SQLDictionaryOutput(columns: columns, groups: groups, having: having, isDistinct: distinct)
            let result = try dictionaries(output, sortedBy: fetch.sortDescriptors, isPaged: fetch.isPaged)
            return (builder.select, .dictionaries(result))
        }
    }

    /// Which of the table's rows are of the fetched entity; nil where all are.
    private func entityCondition(_ fetch: StoreFetch) -> SQLExpression? {
        let all = schema.layouts[fetch.entity.rootNumber].selfAndDescendants
            .filter { !$0.isAbstract && schema.contains($0) }
        let wanted = fetch.includesSubentities ? fetch.entity.selfAndDescendants : [fetch.entity]
        if fetch.includesSubentities || !fetch.entity.isAbstract,
            all.allSatisfy({ layout in wanted.contains { $0 === layout } })
        {
            return nil
        }
        let numbers = wanted.filter { !$0.isAbstract && schema.contains($0) }.compactMap { schema.number(of: $0) }
        switch numbers.count {
        case 0: return .truth(false)
        case 1: return .compare(.equal, root.entity, .value(.int(numbers[0])))
        default: return .isMember(root.entity, of: numbers.map { .int($0) })
        }
    }

    /// The count of all rows, or of those that limit and offset leave.
    private func count() -> SQLSelect {
        let rows: SQLExpression = .aggregate(.count, nil, distinct: false)
        guard builder.select.limit != nil || builder.select.offset != nil else {
            builder.select.columns = [rows]
            return builder.select
        }
        builder.select.columns = [.integer(1)]
        var outer = SQLSelect(from: .select(builder.select))
        outer.columns = [rows]
        return outer
    }
}

extension StoreFetch {
    /// Whether the fetch asks for a part of its results.
    var isPaged: Bool { limit > 0 || offset > 0 }
}

extension SQLExpression {
    /// The parts that all must hold.
    var conjuncts: [SQLExpression] { if case .all(let parts) = self { parts } else { [self] } }
}

/// What the names in an expression mean.
struct SQLEnvironment {
    /// SELF, and the start of every key path without another one.
    let this: SQLScope
    /// What the variables of subqueries stand for.
    var variables: [String: SQLElement] = [:]
    /// The columns of a dictionary result by name, for predicates and sort descriptors that name them.
    var columns: [String: NSExpression] = [:]
    /// Whether `sum:(key)` and its like are over the rows of the result or group.
    var aggregatesRows = false

    init(this: SQLScope) { self.this = this }
}

/// An object or a value: a member of a collection, or what a variable stands for.
enum SQLElement {
    case object(SQLScope)
    case value(SQLTerm)

    var operand: SQLOperand {
        switch self {
        case .object(let scope): .object(scope)
        case .value(let term): .term(term)
        }
    }
}

/// One side of a comparison, or the argument of a function.
enum SQLOperand {
    case term(SQLTerm)
    case object(SQLScope)
    /// A value known by now; what it is bound as depends on what it meets.
    case constant(PredicateValue)
    /// A list with elements that are not constant.
    case list([NSExpression])
    case members(SQLMembers)
}

/// The members of a to-many key path, as a select that is tied to the object they belong to.
struct SQLMembers {
    let builder: SQLSelectBuilder
    var element: SQLElement
    /// The key of the object that they are members of, where there may be none: nothing is computed over the members of
    /// nil.
    var optionalOwner: SQLExpression?
    /// How many to-many relationships the path has crossed.
    var depth = 1
    /// Whether the members are those that SUBQUERY found: their values are a list. Those of a relationship are a set,
    /// each once and without nil.
    var isList = false

    /// Whether a member fulfils the condition.
    func exist(where condition: SQLExpression? = nil) -> SQLExpression {
        var select = builder.select
        select.columns = [.integer(1)]
        select.conditions += condition?.conjuncts ?? []
        return .exists(select)
    }

    /// One value computed over all members.
    ///
    /// - Parameter emptyValue: The value where there are no members; nil: NULL.
    func scalar(_ expression: SQLExpression, emptyValue: SQLExpression? = nil) -> SQLExpression {
        var select = builder.select
        select.columns = [expression]
        let scalar = SQLExpression.scalar(select)
        let value = emptyValue.map { .firstNonNull([scalar, $0]) } ?? scalar
        guard let optionalOwner else { return value }
        return .choice([SQLBranch(condition: .isNull(optionalOwner), result: .null)], otherwise: value)
    }
}
