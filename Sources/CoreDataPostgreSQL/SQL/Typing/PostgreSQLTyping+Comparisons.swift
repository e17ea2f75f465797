import CoreData

/// Comparisons of values of any types.
extension PostgreSQLTyping {
    func compared(_ expression: SQLExpression) throws -> SQLExpression {
        switch expression {
        case .compare(let comparison, let left, let right): return try compare(comparison, term(left), term(right))
        case .isSame(let left, let right):
            let (left, right) = (try term(left), try term(right))
            if let known = sameWithNUL(left, right) { return known }
            let (all, _) = PostgreSQLUnion([left, right]).unified()
            return .isSame(all[0], all[1])
        case .between(let operand, let low, let high): return try between(term(operand), term(low), term(high))
        case .isMember(let operand, let values): return try member(term(operand), of: values)
        case .isOne(let operand, let elements):
            let operand = try term(operand)
            return .any(try elements.map { compare(.equal, operand, try term($0)) })
        case .isFound(let operand, let select): return try found(term(operand), in: select)
        default: throw PostgreSQLTypingError.unsupported("it has an expression that PostgreSQL has not: \(expression)")
        }
    }

    func compare(_ comparison: SQLComparison, _ left: PostgreSQLTerm, _ right: PostgreSQLTerm) -> SQLExpression {
        guard let first = left.kind, let second = right.kind else {
            // A parameter that is bound later has the type of what it is compared with.
            let isLater = left.constant == nil && right.constant == nil && !left.isNull && !right.isNull
            if isLater { return .compare(comparison, left.expression, right.expression) }
            let (all, _) = PostgreSQLUnion([left, right]).unified()
            return .compare(comparison, all[0], all[1])
        }
        if first != second { return compareKinds(comparison, left, right) }
        if let known = compareWithNUL(comparison, left, right) { return known }
        let (all, type) = PostgreSQLUnion([left, right]).unified()
        let isOrdered = comparison != .equal && comparison != .notEqual
        guard isOrdered, type == .text, !left.isColumn, !right.isColumn else {
            return .compare(comparison, all[0], all[1])
        }
        return .compare(comparison, .form("@ COLLATE \"C\"", [all[0]]), all[1])
    }

    private func between(_ value: PostgreSQLTerm, _ low: PostgreSQLTerm, _ high: PostgreSQLTerm) -> SQLExpression {
        let (all, type) = PostgreSQLUnion([value, low, high]).unified()
        let kinds = Set([value, low, high].compactMap(\.kind))
        let haveNUL = [value, low, high].contains(where: \.hasNUL)
        guard kinds.count == 1, type != .text || value.isColumn, !haveNUL else {
            return .all([compare(.greaterOrEqual, value, low), compare(.lessOrEqual, value, high)])
        }
        return .between(all[0], all[1], all[2])
    }

    // MARK: Values of two kinds

    /// SQLite makes a number of a text that meets a number's column, and a text of a number that meets a text's.
    /// Otherwise every number is less than every text, and every text is less than all bytes.
    private func compareKinds(
        _ comparison: SQLComparison, _ left: PostgreSQLTerm, _ right: PostgreSQLTerm
    ) -> SQLExpression {
        guard let first = left.kind, let second = right.kind else { return .null }
        if first.rawValue > second.rawValue { return compareKinds(comparison.mirrored, right, left) }
        let isKnown = SQLExpression.all([.isNotNull(left.natural.expression), .isNotNull(right.natural.expression)])
        let order = SQLExpression.choice(
            [SQLBranch(condition: isKnown, result: .truth(comparison.holdsForLess))],
            otherwise: .form("NULL::boolean", []))
        guard first == .number, second == .text else { return order }
        if left.affinity == .number {
            let number = PostgreSQLTerm(.form("coredata.number(@)", [right.converted(to: .text)]), .double)
            let branch = SQLBranch(
                condition: .isNotNull(number.expression), result: compare(comparison, left, number))
            return .choice([branch], otherwise: order)
        }
        guard right.affinity == .text else { return order }
        return compare(comparison, PostgreSQLTerm(left.converted(to: .text), .text), right)
    }

    // MARK: Lists

    private func member(_ operand: PostgreSQLTerm, of values: [SQLValue]) -> SQLExpression {
        let constants = values.map { PostgreSQLTerm(constant: $0, isLiteral: operand.isLiteral, isCompared: true) }
        let (type, isExact) = PostgreSQLUnion([operand] + constants).type
        let elements = constants.map { constant in type.flatMap { constant.constant?.converted(to: $0) } }
        let areSimple = !([operand] + constants).contains { $0.hasNUL || $0.isInfinite }
        guard let type, isExact, areSimple, !elements.contains(nil),
            Set([operand.kind] + constants.map(\.kind)).count == 1
        else {
            return memberOfSome(operand, constants)
        }
        let list = SQLTypedValue(array: elements.compactMap { $0 }, of: type.rawValue)
        return .form("@ = ANY (@)", [operand.converted(to: type), .typed(list)])
    }

    /// Asks for those constants one by one that can't stand in an array.
    private func memberOfSome(_ operand: PostgreSQLTerm, _ constants: [PostgreSQLTerm]) -> SQLExpression {
        let plain = constants.filter { !$0.hasNUL && !$0.isInfinite }
        // What is in no array for other reasons leaves the list as long as it is.
        guard !plain.isEmpty, plain.count < constants.count, operand.constant == nil else {
            return .any(constants.map { compare(.equal, operand, $0) })
        }
        let others = constants.filter { $0.isInfinite } + constants.filter(\.hasNUL).prefix(1)
        return .any([member(operand, of: plain.compactMap(\.constant))] + others.map { compare(.equal, operand, $0) })
    }

    private func found(_ operand: PostgreSQLTerm, in select: SQLSelect) throws -> SQLExpression {
        var (typed, terms) = try typedWithTypes(select)
        guard let element = terms.first else { return .isFound(operand.expression, in: typed) }
        if operand.hasNUL {
            typed.columns[0] = compare(.equal, operand, element)
            return .isFound(.truth(true), in: typed)
        }
        let (all, _) = PostgreSQLUnion([operand, element]).unified()
        typed.columns[0] = all[1]
        return .isFound(all[0], in: typed)
    }
}

extension SQLComparison {
    /// Whether it holds where the left side is less than the right one.
    fileprivate var holdsForLess: Bool { self == .less || self == .lessOrEqual || self == .notEqual }
}

extension PostgreSQLTerm {
    /// The value with its texts ordered byte by byte.
    var byteOrdered: SQLExpression {
        type == .text && !isColumn ? .form("@ COLLATE \"C\"", [expression]) : expression
    }
}

/// Why PostgreSQL can't answer a request that SQLite can.
enum PostgreSQLTypingError {
    static func unsupported(_ what: String) -> CocoaError {
        let reason = "A PostgreSQL store can't answer this request: \(what)."
        return CocoaError(
            .persistentStoreUnsupportedRequestType,
            userInfo: [NSLocalizedDescriptionKey: reason, NSLocalizedFailureReasonErrorKey: reason])
    }
}
