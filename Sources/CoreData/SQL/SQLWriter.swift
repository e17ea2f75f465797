/// Writes a statement's text and collects the values of its parameters on the way.
package struct SQLWriter {
    package let dialect: any SQLDialect
    package private(set) var text = ""
    package private(set) var bindings: [SQLValue] = []
    /// The parameters of databases with types; such a statement has no ``bindings``.
    package private(set) var typedBindings: [SQLTypedValue] = []
    /// Whether equal parameters become one: expressions that a database is to know as the same need the same numbers.
    package var sharesParameters = false
    /// The greatest number of a parameter so far.
    private var lastParameter = 0

    package init(dialect: any SQLDialect) { self.dialect = dialect }

    package mutating func write(_ words: String) { text += words }

    package mutating func bind(_ value: SQLValue) {
        bindings.append(value)
        text += dialect.placeholder(bindings.count)
    }

    package mutating func bind(_ value: SQLTypedValue) {
        let known = sharesParameters ? typedBindings.firstIndex(of: value) : nil
        if known == nil { typedBindings.append(value) }
        text += dialect.placeholder(known.map { $0 + 1 } ?? typedBindings.count)
        text += "::" + value.type + (value.isArray ? "[]" : "")
    }

    /// Writes the parameter with a number, whose value is bound later.
    package mutating func parameter(_ number: Int) {
        text += number == lastParameter + 1 ? dialect.placeholder(number) : dialect.repeatedPlaceholder(number)
        lastParameter = max(lastParameter, number)
    }

    /// Writes ` WHERE`, where there are conditions.
    package mutating func conditions(_ conditions: [SQLExpression]) {
        guard !conditions.isEmpty else { return }
        write(" WHERE ")
        expression(.all(conditions))
    }

    /// Writes each item, with a separator between them.
    package mutating func list<Items: Collection>(
        _ items: Items, separator: String = ", ", write: (inout SQLWriter, Items.Element) -> Void
    ) {
        var isFirst = true
        for item in items {
            if !isFirst { text += separator }
            isFirst = false
            write(&self, item)
        }
    }

    /// Writes a select between parentheses.
    package mutating func nested(_ select: SQLSelect) {
        write("(")
        self.select(select)
        write(")")
    }
}

extension SQLWriter {
    package mutating func select(_ select: SQLSelect) {
        write(select.isDistinct ? "SELECT DISTINCT " : "SELECT ")
        list(select.columns) { $0.expression($1) }
        write(" FROM ")
        source(select.source)
        select.joins.forEach { join($0) }
        conditions(select.conditions)
        if !select.groups.isEmpty {
            write(" GROUP BY ")
            list(select.groups) { $0.expression($1) }
        }
        if let having = select.having {
            write(" HAVING ")
            expression(having)
        }
        if !select.order.isEmpty {
            write(" ORDER BY ")
            list(select.order) { writer, order in writer.dialect.writeOrder(order, to: &writer) }
        }
        dialect.writeLimit(select.limit, offset: select.offset, to: &self)
    }

    private mutating func source(_ source: SQLSource) {
        switch source {
        case .table(let name, let alias): write(dialect.identifier(name) + (alias.isNamed ? " \(alias.name)" : ""))
        case .select(let select):
            nested(select)
            write(dialect.aliasOfSelect)
        }
    }

    private mutating func join(_ join: SQLJoin) {
        write(" \(join.kind.rawValue) \(dialect.identifier(join.table)) \(join.alias.name) ON ")
        expression(join.condition)
    }
}
