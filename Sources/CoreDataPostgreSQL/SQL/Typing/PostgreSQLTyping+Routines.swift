import CoreData
import FoundationGaps

/// Calls of functions, whose counterparts are in the schema `coredata`.
extension PostgreSQLTyping {
    func call(_ routine: SQLRoutine, _ arguments: [SQLExpression]) throws -> PostgreSQLTerm {
        let name = PostgreSQLDialect().name(of: routine)
        switch routine {
        case .fold, .uppercase, .lowercase, .canonical: return try texts(name, arguments, .text)
        case .length: return try texts(name, arguments, .bigint)
        case .localizedSearch: return try texts(name, arguments, .boolean)
        case .like: return try like(name, arguments)
        case .localizedOrder: return try texts(name, arguments, .integer)
        case .matches: return try matches(name, arguments)
        case .text: return PostgreSQLTerm(try text(arguments[0]), .text)
        case .random: return PostgreSQLTerm(.form(name + "()", []), .bigint)
        case .now: return PostgreSQLTerm(.form(name + "()", []), .double)
        case .randomBelow:
            let limit = try term(arguments[0])
            // SQLite's function takes integers alone.
            if limit.type == .double { return PostgreSQLTerm(.form("NULL::bigint", []), .bigint) }
            return PostgreSQLTerm(.form(name + "(@)", [limit.converted(to: .bigint)]), .bigint)
        // Columns of attributes with external storage hold the bytes as they are.
        case .inlined, .bytes: return try term(arguments[0])
        case .doubleFromBits, .blobFromHex:
            throw PostgreSQLTypingError.unsupported("it calls \(routine.rawValue)")
        default: return try numbers(routine, name, arguments.map { try term($0) })
        }
    }

    /// A function of texts, with numbers of the statement's shape behind them.
    private func texts(
        _ name: String, _ arguments: [SQLExpression], _ type: PostgreSQLType
    ) throws -> PostgreSQLTerm {
        let typed = try arguments.map { if case .integer = $0 { $0 } else { try text($0) } }
        return PostgreSQLTerm(.call(name: name, typed), type)
    }

    /// A pattern that is known by now becomes a regular expression here, and not once for each row.
    private func like(_ name: String, _ arguments: [SQLExpression]) throws -> PostgreSQLTerm {
        guard case .value(.text(let pattern)) = arguments[1], case .integer(let options) = arguments[2] else {
            return try texts(name, arguments, .boolean)
        }
        let value = try term(arguments[0])
        if pattern.utf8.contains(0), value.constant == nil { return PostgreSQLTerm(value.ifKnown(false), .boolean) }
        let folded = StringComparison.folded(pattern, NSComparisonPredicate.Options(folding: options))
        let patterns = [PostgreSQLLike.plain(folded), PostgreSQLLike.expression(folded)]
        return try texts(
            "coredata.fits", [arguments[0]] + patterns.map { .value(.text($0)) } + [arguments[2]], .boolean)
    }

    /// A regular expression is turned into one of PostgreSQL's before the statement runs.
    private func matches(_ name: String, _ arguments: [SQLExpression]) throws -> PostgreSQLTerm {
        guard case .value(.text(let pattern)) = arguments[1], case .integer(let options) = arguments[2] else {
            throw PostgreSQLTypingError.unsupported(
                "MATCHES needs a regular expression that is known before the fetch")
        }
        let translated = try PostgreSQLPattern(pattern, ignoresDiacritics: options & 2 != 0).text
        return try texts(name, [arguments[0], .value(.text(translated)), arguments[2]], .boolean)
    }

    // MARK: Numbers

    private func numbers(
        _ routine: SQLRoutine, _ name: String, _ arguments: [PostgreSQLTerm]
    ) throws -> PostgreSQLTerm {
        if arguments.contains(where: \.isNull) { return PostgreSQLTerm(.form("NULL::double precision", []), .double) }
        let numbers = arguments.map { $0.numeric.natural.computed }
        let isWhole = numbers.allSatisfy { $0.type?.isInteger == true }
        switch routine {
        case .floor, .ceiling, .truncate: return isWhole ? numbers[0] : rounded(name, numbers[0])
        case .absolute: return absolute(numbers[0])
        case .modulus where isWhole: return modulus(numbers[0], numbers[1])
        case .bitwiseXor: return exclusiveOr(name, arguments, isWhole: isWhole)
        case .modulus, .squareRoot, .logarithm, .naturalLogarithm, .exponential, .power:
            return PostgreSQLTerm(.call(name: name, arguments.map { $0.converted(to: .double) }), .double)
        default: throw PostgreSQLTypingError.unsupported("it calls \(routine.rawValue)")
        }
    }

    private func rounded(_ name: String, _ number: PostgreSQLTerm) -> PostgreSQLTerm {
        PostgreSQLTerm(
            .call(
                name: name.replacing("coredata.", with: "").replacing("truncate", with: "trunc"), [number.expression]),
            number.type)
    }

    private func absolute(_ number: PostgreSQLTerm) -> PostgreSQLTerm {
        // The least integer has no counterpart.
        let isLarge = number.type == .bigint && number.bits > 62
        var term = PostgreSQLTerm(
            .call(name: "abs", [isLarge ? number.converted(to: .numeric) : number.expression]),
            isLarge ? .numeric : number.type)
        if number.type == .smallint || number.type == .integer {
            (term.expression, term.type) = (.call(name: "abs", [number.converted(to: .bigint)]), .bigint)
            term.bits = number.bits + 1
        }
        return term
    }

    private func modulus(_ number: PostgreSQLTerm, _ divisor: PostgreSQLTerm) -> PostgreSQLTerm {
        let (a, b) = (number.converted(to: .bigint), divisor.converted(to: .bigint))
        var term = PostgreSQLTerm(.form("@ % NULLIF(@, 0)", [a, b]), .bigint)
        term.bits = min(number.bits, 63)
        return term
    }

    /// SQLite's function takes integers alone. A decimal or a date without a fraction is one there.
    private func exclusiveOr(_ name: String, _ arguments: [PostgreSQLTerm], isWhole: Bool) -> PostgreSQLTerm {
        if isWhole {
            return PostgreSQLTerm(.form("@ # @", arguments.map { $0.converted(to: .bigint) }), .bigint)
        }
        if arguments.contains(where: { $0.natural.type == .double }) {
            return PostgreSQLTerm(.form("NULL::bigint", []), .bigint)
        }
        return PostgreSQLTerm(.call(name: name, arguments.map { $0.converted(to: .numeric) }), .bigint)
    }
}

extension SQLExpression {
    /// A call of a function of the database.
    static func call(name: String, _ arguments: [SQLExpression]) -> SQLExpression {
        .form("\(name)(\(arguments.map { _ in "@" }.joined(separator: ", ")))", arguments)
    }
}

// MARK: Aggregates and conversions

extension PostgreSQLTerm {
    func aggregated(_ aggregate: SQLAggregate, distinct: Bool) -> PostgreSQLTerm {
        let term = natural
        switch aggregate {
        case .count: return PostgreSQLTerm(.aggregate(.count, term.expression, distinct: distinct), .bigint)
        case .sum: return term.numeric.sum(distinct: distinct)
        case .average:
            let number = term.numeric
            if number.type == .numeric {
                return PostgreSQLTerm(.aggregate(.average, number.expression, distinct: distinct), .numeric)
            }
            // PostgreSQL's own mean of doubles also adds up their squares, which are out of range sooner.
            let value = number.converted(to: .double)
            let count = SQLExpression.aggregate(.count, value, distinct: distinct)
            return PostgreSQLTerm(
                .arithmetic(.divide, .aggregate(.sum, value, distinct: distinct), count), .double)
        case .minimum, .maximum: return term.extreme(aggregate)
        }
    }

    private func sum(distinct: Bool) -> PostgreSQLTerm {
        let sum = SQLExpression.aggregate(.sum, expression, distinct: distinct)
        switch type {
        case .bigint: return PostgreSQLTerm(.form("@::bigint", [sum]), .bigint)
        case .smallint, .integer: return PostgreSQLTerm(sum, .bigint)
        case nil: return PostgreSQLTerm(.aggregate(.sum, .form("NULL::double precision", []), distinct: false), .double)
        default: return PostgreSQLTerm(sum, type)
        }
    }

    private func extreme(_ aggregate: SQLAggregate) -> PostgreSQLTerm {
        let isLeast = aggregate == .minimum
        switch type {
        case .boolean: return PostgreSQLTerm(.form(isLeast ? "bool_and(@)" : "bool_or(@)", [expression]), .boolean)
        case .uuid, .bytes:
            let direction = isLeast ? "ASC" : "DESC"
            return PostgreSQLTerm(
                .form("(array_agg(@ ORDER BY @ \(direction) NULLS LAST))[1]", [expression, expression]), type)
        default: return PostgreSQLTerm(.aggregate(aggregate, byteOrdered, distinct: false), type)
        }
    }

    /// The value as one that is none of a column's, for SQLite's comparisons.
    fileprivate var computed: PostgreSQLTerm {
        var term = self
        term.affinity = .none
        return term
    }

    func cast(to storage: SQLStorage) -> PostgreSQLTerm {
        var term = natural
        switch storage {
        case .integer:
            term = PostgreSQLTerm(term.type?.isInteger == true ? term.expression : term.converted(to: .bigint), .bigint)
        case .real: term = PostgreSQLTerm(term.converted(to: .double), .double)
        case .numeric: term = term.numeric
        case .text: term = PostgreSQLTerm(term.converted(to: .text), .text)
        }
        term.affinity = storage == .text ? .text : .number
        return term
    }
}

extension NSComparisonPredicate.Options {
    /// - Parameter folding: 1 for the case, 2 for diacritics, as statements have it.
    fileprivate init(folding: Int) {
        self = []
        if folding & 1 != 0 { insert(.caseInsensitive) }
        if folding & 2 != 0 { insert(.diacriticInsensitive) }
    }
}
