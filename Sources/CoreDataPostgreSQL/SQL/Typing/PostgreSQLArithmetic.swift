import CoreData

/// Arithmetic with SQLite's results: no number is too large, and division by zero gives NULL.
enum PostgreSQLArithmetic {
    static func term(
        _ operation: SQLArithmetic, _ left: PostgreSQLTerm, _ right: PostgreSQLTerm
    ) throws -> PostgreSQLTerm {
        if left.isNull || right.isNull { return .null }
        switch operation {
        case .add, .subtract, .multiply, .divide: return compute(operation, left.numeric, right.numeric)
        case .bitwiseAnd: return bits("@ & @", left, right)
        case .bitwiseOr: return bits("@ | @", left, right)
        case .shiftLeft: return bits("coredata.shifted_left(@, @)", left, right)
        case .shiftRight: return bits("coredata.shifted_right(@, @)", left, right)
        }
    }

    static func complement(of operand: PostgreSQLTerm) -> PostgreSQLTerm {
        if operand.isNull { return .null }
        return PostgreSQLTerm(.form("~@", [operand.converted(to: .bigint)]), .bigint)
    }

    private static func bits(_ form: String, _ left: PostgreSQLTerm, _ right: PostgreSQLTerm) -> PostgreSQLTerm {
        PostgreSQLTerm(.form(form, [left.converted(to: .bigint), right.converted(to: .bigint)]), .bigint)
    }

    // MARK: Numbers

    private static func compute(
        _ operation: SQLArithmetic, _ left: PostgreSQLTerm, _ right: PostgreSQLTerm
    ) -> PostgreSQLTerm {
        let type =
            [left, right].contains(where: \.isFraction) ? .double : PostgreSQLUnion([left, right]).type.type ?? .double
        if type.isInteger { return integers(operation, left, right) }
        let (a, b) = (left.converted(to: type), right.converted(to: type))
        if type == .numeric {
            let divisor: SQLExpression = operation == .divide ? .form("NULLIF(@, 0)", [b]) : b
            return PostgreSQLTerm(.arithmetic(operation, a, divisor), .numeric)
        }
        if isBounded(operation, left, right) { return PostgreSQLTerm(.arithmetic(operation, a, b), .double) }
        return PostgreSQLTerm(.form("coredata.\(operation.word)(@, @)", [a, b]), .double)
    }

    /// Whether the result can't leave the range of doubles: what is of an integer or a date is far from its ends.
    private static func isBounded(_ operation: SQLArithmetic, _ left: PostgreSQLTerm, _ right: PostgreSQLTerm) -> Bool {
        guard operation == .add || operation == .subtract else { return false }
        return [left, right].contains { $0.constant == nil && $0.type?.isInteger == true }
    }

    /// Whole numbers; where 64 bits may not be enough, those without a limit.
    private static func integers(
        _ operation: SQLArithmetic, _ left: PostgreSQLTerm, _ right: PostgreSQLTerm
    ) -> PostgreSQLTerm {
        let bits =
            switch operation {
            case .add, .subtract: max(left.bits, right.bits) + 1
            case .multiply: left.bits + right.bits
            // The least integer by -1 is none.
            default: left.bits == 63 ? 64 : left.bits
            }
        let type: PostgreSQLType = bits > 63 ? .numeric : .bigint
        let (a, b) = (left.converted(to: type), right.converted(to: type))
        let isDivision = operation == .divide
        let divisor: SQLExpression = isDivision ? .form("NULLIF(@, 0)", [b]) : b
        guard type == .bigint else {
            return PostgreSQLTerm(
                isDivision ? .form("div(@, @)", [a, divisor]) : .arithmetic(operation, a, divisor), .numeric)
        }
        var term = PostgreSQLTerm(.arithmetic(operation, a, divisor), .bigint)
        term.bits = bits
        return term
    }
}

extension SQLArithmetic {
    /// The function in the database that computes it with doubles.
    fileprivate var word: String {
        switch self {
        case .add: "sum_of"
        case .subtract: "difference"
        case .multiply: "product"
        case .divide: "quotient"
        default: defect("\(self) is computed with integers.")
        }
    }
}

extension PostgreSQLTerm {
    /// Whether it is a constant that was given as a fraction, `2.0` among them: integers divided by it have fractions.
    fileprivate var isFraction: Bool { if case .double? = constant { true } else { false } }
}
