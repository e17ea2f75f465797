extension SQLWriter {
    package mutating func expression(_ expression: SQLExpression) {
        switch expression {
        case .column(let name, let alias):
            write(alias.isNamed ? "\(alias.name).\(dialect.identifier(name))" : dialect.identifier(name))
        case .value(let value): bind(value)
        case .integer(let number): write(String(number))
        case .truth(let flag): write(dialect.truth(flag))
        case .null: write("NULL")
        case .compare(let comparison, let left, let right): infix(left, comparison.rawValue, right)
        case .arithmetic(let operation, let left, let right): infix(left, operation.rawValue, right)
        case .bitwiseNot(let operand): prefix("~", operand)
        case .all(let parts): connect(parts, "AND", empty: true)
        case .any(let parts): connect(parts, "OR", empty: false)
        case .not(let operand): prefix("NOT ", operand)
        case .isNull(let operand): postfix(operand, " IS NULL")
        case .isNotNull(let operand): postfix(operand, " IS NOT NULL")
        case .isTrue(let operand): postfix(operand, " IS TRUE")
        case .isNotTrue(let operand): postfix(operand, " IS NOT TRUE")
        default: compound(expression)
        }
    }

    private mutating func compound(_ expression: SQLExpression) {
        switch expression {
        case .between(let operand, let low, let high): between(operand, low, high)
        case .isMember(let operand, let values): dialect.writeMembership(of: operand, in: values, to: &self)
        case .text(let text, let relation, let part): dialect.writeText(text, relation, part, to: &self)
        case .search(let value, let search): dialect.writeSearch(value, of: search, to: &self)
        case .isFound(let operand, let select):
            self.operand(operand)
            write(" IN ")
            nested(select)
        case .exists(let select):
            write("EXISTS ")
            nested(select)
        case .scalar(let select): nested(select)
        case .call(let routine, let arguments): call(dialect.name(of: routine), arguments)
        case .aggregate(let aggregate, let operand, let distinct): self.aggregate(aggregate, operand, distinct)
        case .firstNonNull(let operands): call("COALESCE", operands)
        case .choice(let branches, let otherwise): choice(branches, otherwise)
        case .cast(let operand, let storage): cast(operand, storage)
        case .unindexed(let operand): dialect.writeUnindexed(operand, to: &self)
        case .indexed(let operand): group { $0.operand(operand) }
        case .grouped(let operand): group { $0.expression(operand) }
        default: stored(expression)
        }
    }

    /// Writes what stands in statements that are prepared for later, or that a file keeps.
    private mutating func stored(_ expression: SQLExpression) {
        switch expression {
        case .outerColumn(let name, let table): write("\(dialect.identifier(table)).\(dialect.identifier(name))")
        case .parameter(let number): parameter(number)
        case .constant(let value): write(dialect.literal(value))
        case .isSame(let left, let right): infix(left, dialect.wordForSame, right)
        case .isOne(let operand, let elements):
            self.operand(operand)
            write(" IN (")
            list(elements) { $0.expression($1) }
            write(")")
        case .isKey(let operand, let keys): dialect.writeMembership(of: operand, in: keys, to: &self)
        case .ifNull(let value, let other): call(dialect.wordForIfNull, [value, other])
        case .greater(let value, let other): call(dialect.wordForGreater, [value, other])
        case .rowNumber(let group, let order): rowNumber(group, order)
        case .typed(let value): bind(value)
        case .form(let text, let operands): form(text, operands)
        default: defect("No writer knows the expression \(expression).")
        }
    }

    private mutating func form(_ text: String, _ operands: [SQLExpression]) {
        var rest = operands[...]
        for character in text {
            if character == "@", let operand = rest.popFirst() {
                self.operand(operand)
            } else {
                write(String(character))
            }
        }
    }

    private mutating func rowNumber(_ group: [SQLExpression], _ order: [SQLExpression]) {
        write("ROW_NUMBER() OVER (PARTITION BY ")
        list(group) { $0.expression($1) }
        write(" ORDER BY ")
        list(order) { writer, key in writer.dialect.writeOrder(SQLOrder(key, ascending: true), to: &writer) }
        write(")")
    }

    /// Writes an operand, between parentheses where it is more than one word.
    package mutating func operand(_ expression: SQLExpression) {
        guard expression.needsParentheses else { return self.expression(expression) }
        group { $0.expression(expression) }
    }

    private mutating func group(_ body: (inout SQLWriter) -> Void) {
        write("(")
        body(&self)
        write(")")
    }

    private mutating func infix(_ left: SQLExpression, _ word: String, _ right: SQLExpression) {
        operand(left)
        write(" \(word) ")
        operand(right)
    }

    private mutating func prefix(_ word: String, _ operand: SQLExpression) {
        write(word)
        self.operand(operand)
    }

    private mutating func postfix(_ operand: SQLExpression, _ words: String) {
        self.operand(operand)
        write(words)
    }

    package mutating func call(_ name: String, _ arguments: [SQLExpression]) {
        write("\(name)(")
        list(arguments) { $0.expression($1) }
        write(")")
    }

    private mutating func aggregate(_ aggregate: SQLAggregate, _ operand: SQLExpression?, _ distinct: Bool) {
        write("\(aggregate.rawValue)(\(distinct ? "DISTINCT " : "")")
        if let operand { expression(operand) } else { write("*") }
        write(")")
    }

    private mutating func between(_ operand: SQLExpression, _ low: SQLExpression, _ high: SQLExpression) {
        self.operand(operand)
        write(" BETWEEN ")
        self.operand(low)
        write(" AND ")
        self.operand(high)
    }

    private mutating func choice(_ branches: [SQLBranch], _ otherwise: SQLExpression) {
        write("CASE")
        for branch in branches {
            write(" WHEN ")
            expression(branch.condition)
            write(" THEN ")
            expression(branch.result)
        }
        write(" ELSE ")
        expression(otherwise)
        write(" END")
    }

    private mutating func cast(_ operand: SQLExpression, _ storage: SQLStorage) {
        write("CAST(")
        expression(operand)
        write(" AS \(dialect.name(of: storage)))")
    }

    /// Writes a chain of AND or OR.
    ///
    /// A chain is a tree as deep as it is long, and databases limit the depth (SQLite: 1000), so a long one is written
    /// as groups of groups.
    private mutating func connect(_ parts: [SQLExpression], _ word: String, empty: Bool) {
        guard !parts.isEmpty else { return write(dialect.truth(empty)) }
        guard parts.count > Self.longestChain else {
            return list(parts, separator: " \(word) ") { parts.count == 1 ? $0.expression($1) : $0.link($1) }
        }
        let size = max(Self.longestChain, (parts.count + Self.longestChain - 1) / Self.longestChain)
        let groups = stride(from: 0, to: parts.count, by: size).map { parts[$0..<min($0 + size, parts.count)] }
        list(groups, separator: " \(word) ") { writer, group in
            writer.write("(")
            writer.connect(Array(group), word, empty: empty)
            writer.write(")")
        }
    }

    /// Writes a part of a chain: comparisons bind tighter than AND and OR.
    private mutating func link(_ part: SQLExpression) {
        switch part {
        case .all, .any, .text, .between: operand(part)
        default: expression(part)
        }
    }

    private static let longestChain = 50
}

extension SQLExpression {
    /// Whether the expression needs parentheses as part of another.
    var needsParentheses: Bool {
        switch self {
        case .column, .outerColumn, .value, .parameter, .constant, .integer, .truth, .null, .scalar, .call, .aggregate,
            .firstNonNull, .ifNull, .greater, .choice, .cast, .exists, .grouped, .rowNumber, .search(.rank, _),
            .search(.snippet, _), .typed:
            false
        case .all(let parts), .any(let parts): parts.count > 1 || parts.contains { $0.needsParentheses }
        case .form(let text, _): !text.hasSuffix(")") || text.hasPrefix("@")
        default: true
        }
    }
}
