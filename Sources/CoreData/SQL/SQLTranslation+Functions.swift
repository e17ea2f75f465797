import FoundationGaps

extension SQLTranslation {
    /// What a built-in function stands for.
    func function(
        _ function: PredicateFunction, _ arguments: [NSExpression], of expression: NSExpression,
        _ environment: SQLEnvironment
    ) throws -> SQLOperand {
        let what = "\"\(expression)\""
        if let aggregate = SQLAggregate(function) {
            return try self.aggregate(aggregate, arguments, what, environment)
        }
        let operands = try arguments.map { try operand($0, environment) }
        if function == .noIndex, let operand = operands.first {
            let value = try value(operand, what)
            return .term(SQLTerm(.unindexed(value.expression), value.type))
        }
        if function == .indexedBy, let operand = operands.first {
            try checkIndex(operands[1], what, environment)
            return operand
        }
        if function == .cast { return .term(try cast(operands, what)) }
        if let call = SQLRoutineCall(function) { return .term(try self.call(call, operands, what)) }
        guard let arithmetic = SQLArithmeticFunction(function), let first = operands.first else {
            throw SQLTranslationError.unsupported("\(what) calls a function that only memory has")
        }
        return .term(try self.arithmetic(arithmetic, first, operands.dropFirst().first, what))
    }

    /// `sum:(players.salary)` over a collection; over the rows of a dictionary result also `sum:(salary)`.
    private func aggregate(
        _ aggregate: SQLAggregate, _ arguments: [NSExpression], _ what: String, _ environment: SQLEnvironment
    ) throws -> SQLOperand {
        guard let argument = arguments.first, arguments.count == 1 else {
            throw SQLTranslationError.unsupported("\(what) is computed over several values of one object")
        }
        if environment.aggregatesRows, let distinct = try distinctArgument(argument, environment) {
            return .term(overRows(aggregate, distinct, distinct: true))
        }
        let operand = try operand(argument, environment)
        if case .members(let members) = operand { return .term(try overValues(aggregate, members, what)) }
        guard environment.aggregatesRows else {
            throw SQLTranslationError.unsupported("\(what) needs a to-many relationship to compute over")
        }
        return try overRows(aggregate, operand, what)
    }

    /// The value in `@distinctUnionOfObjects.value`, by which `count:` and its like take each value once.
    private func distinctArgument(_ argument: NSExpression, _ environment: SQLEnvironment) throws -> SQLTerm? {
        guard case .keyPath(let start, let path) = argument.node, case .evaluatedObject = start.node,
            path.keys.first == "@distinctUnionOfObjects"
        else { return nil }
        let rest = PredicateKeyPath(keys: Array(path.keys.dropFirst()))
        return try value(operand(rest, from: .object(environment.this), environment), "\"\(argument)\"")
    }

    private func call(_ call: SQLRoutineCall, _ operands: [SQLOperand], _ what: String) throws -> SQLTerm {
        let terms = try operands.map { try value($0, what) }
        for term in terms where term.type != .unknown && (call.takesText ? !term.type.isText : !term.type.isNumeric) {
            throw SQLTranslationError.unsupported("\(what) is computed of \(term.type.description)")
        }
        return SQLTerm(.call(call.routine, terms.map(\.expression)), call.type)
    }

    private func arithmetic(
        _ function: SQLArithmeticFunction, _ first: SQLOperand, _ second: SQLOperand?, _ what: String
    ) throws -> SQLTerm {
        guard let second else {
            return SQLTerm(.bitwiseNot(try value(first, what).expression), .integer(.bits64))
        }
        let (a, b) = try (value(first, what), value(second, what))
        for term in [a, b] where !term.type.isNumeric && term.type != .date && term.type != .unknown {
            throw SQLTranslationError.unsupported("\(what) computes with \(term.type.description)")
        }
        let expression: SQLExpression =
            switch function {
            // A decimal without a fraction is stored as an integer. Division of integers drops the fraction of the
            // result.
            case .operation(.divide) where a.type == .decimal || b.type == .decimal:
                .arithmetic(.divide, .cast(a.expression, .real), b.expression)
            case .operation(let operation): .arithmetic(operation, a.expression, b.expression)
            case .routine(let routine): .call(routine, [a.expression, b.expression])
            case .complement: .bitwiseNot(a.expression)
            }
        return SQLTerm(expression, function.type(of: a.type, b.type))
    }

    // MARK: Conversion

    private func cast(_ operands: [SQLOperand], _ what: String) throws -> SQLTerm {
        guard operands.count == 2, case .constant(.string(let name)) = operands[1] else {
            throw SQLTranslationError.unsupported("\(what) needs the name of a class to convert to")
        }
        let value = try value(operands[0], what)
        switch name {
        case "NSNumber", "NSDecimalNumber":
            let type: SQLType = name == "NSNumber" ? .double : .decimal
            if value.type.isNumeric || value.type == .date { return SQLTerm(value.expression, type) }
            return SQLTerm(.cast(value.expression, .numeric), type)
        case "NSDate":
            return SQLTerm(value.type == .string ? .cast(value.expression, .real) : value.expression, .date)
        case "NSString" where value.type.isText: return SQLTerm(value.expression, .string)
        case "NSString" where value.type.isNumeric: return SQLTerm(.call(.text, [value.expression]), .string)
        default:
            throw SQLTranslationError.unsupported("\(what) converts \(value.type.description) to \(name)")
        }
    }
}

/// A function that computes one number of others.
private enum SQLArithmeticFunction {
    case operation(SQLArithmetic)
    case routine(SQLRoutine)
    case complement

    init?(_ function: PredicateFunction) {
        switch function {
        case .add: self = .operation(.add)
        case .subtract: self = .operation(.subtract)
        case .multiply: self = .operation(.multiply)
        case .divide: self = .operation(.divide)
        case .modulus: self = .routine(.modulus)
        case .power: self = .routine(.power)
        case .bitwiseAnd: self = .operation(.bitwiseAnd)
        case .bitwiseOr: self = .operation(.bitwiseOr)
        case .bitwiseXor: self = .routine(.bitwiseXor)
        case .shiftLeft: self = .operation(.shiftLeft)
        case .shiftRight: self = .operation(.shiftRight)
        case .onesComplement: self = .complement
        default: return nil
        }
    }

    func type(of first: SQLType, _ second: SQLType) -> SQLType {
        switch (self, first, second) {
        case (.operation(.add), .date, _), (.operation(.add), _, .date): return .date
        case (.operation(.subtract), .date, .date): return .double
        case (.operation(.subtract), .date, _): return .date
        case (.operation(.bitwiseAnd), _, _), (.operation(.bitwiseOr), _, _), (.complement, _, _),
            (.operation(.shiftLeft), _, _), (.operation(.shiftRight), _, _), (.routine(.bitwiseXor), _, _):
            return .integer(.bits64)
        case (_, .decimal, _), (_, _, .decimal): return .decimal
        default: return first.isWhole && second.isWhole ? .integer(.bits64) : .double
        }
    }
}

extension SQLType {
    fileprivate var isWhole: Bool {
        switch self {
        case .integer, .boolean: true
        default: false
        }
    }
}

/// A function that a statement calls by a name of its own.
private struct SQLRoutineCall {
    let routine: SQLRoutine
    let type: SQLType
    var takesText = false

    init?(_ function: PredicateFunction) {
        switch function {
        case .squareRoot: self.init(.squareRoot, of: .double)
        case .logarithm: self.init(.logarithm, of: .double)
        case .naturalLogarithm: self.init(.naturalLogarithm, of: .double)
        case .exponential: self.init(.exponential, of: .double)
        case .floor: self.init(.floor, of: .double)
        case .ceiling: self.init(.ceiling, of: .double)
        case .truncate: self.init(.truncate, of: .double)
        case .absolute: self.init(.absolute, of: .double)
        case .uppercase: self.init(.uppercase, of: .string, takesText: true)
        case .lowercase: self.init(.lowercase, of: .string, takesText: true)
        case .canonical: self.init(.canonical, of: .string, takesText: true)
        case .length: self.init(.length, of: .integer(.bits64), takesText: true)
        case .random: self.init(.random, of: .integer(.bits64))
        case .randomBelow: self.init(.randomBelow, of: .integer(.bits64))
        default: return nil
        }
    }

    private init(_ routine: SQLRoutine, of type: SQLType, takesText: Bool = false) {
        self.routine = routine
        self.type = type
        self.takesText = takesText
    }
}

extension SQLAggregate {
    /// - Parameter function: A function of an expression.
    init?(_ function: PredicateFunction) {
        switch function {
        case .count: self = .count
        case .sum: self = .sum
        case .average: self = .average
        case .minimum: self = .minimum
        case .maximum: self = .maximum
        default: return nil
        }
    }
}
