import Foundation

extension PredicateParser {
    /// A call; the name is at hand.
    mutating func call(_ name: String) throws(PredicateFormatError) -> NSExpression {
        let start = offset
        advance()
        switch name.uppercased() {
        case "SUBQUERY": return try subquery()
        case "TERNARY": return try conditional()
        case "FUNCTION": return try message(start)
        case "CAST": return try cast(start)
        case "FETCH": return try fetch(start)
        default: break
        }
        guard let function = PredicateFunction(called: name) else {
            throw error("\"\(name)\" is no function of predicates", at: start)
        }
        let arguments = try list("(", ")")
        if let count = function.argumentCount, count != arguments.count {
            throw error("\(name) takes \(count) argument\(count == 1 ? "" : "s"), not \(arguments.count)", at: start)
        }
        return NSExpression(function, arguments)
    }

    private mutating func subquery() throws(PredicateFormatError) -> NSExpression {
        try expect("(")
        let collection = try expression()
        let height = height
        try expect(",")
        guard case .variable(let name) = token else { throw unexpected("a variable such as $x for the element") }
        advance()
        try expect(",")
        let predicate = try predicate()
        try grow(beside: height)
        try expect(")")
        return NSExpression(forSubquery: collection, usingIteratorVariable: name, predicate: predicate)
    }

    private mutating func conditional() throws(PredicateFormatError) -> NSExpression {
        try expect("(")
        let predicate = try predicate()
        var highest = height
        try expect(",")
        let whenTrue = try expression()
        highest = max(highest, height)
        try expect(",")
        let whenFalse = try expression()
        try grow(beside: highest)
        try expect(")")
        return NSExpression(forConditional: predicate, trueExpression: whenTrue, falseExpression: whenFalse)
    }

    private mutating func message(_ start: Int) throws(PredicateFormatError) -> NSExpression {
        let arguments = try list("(", ")")
        guard arguments.count >= 2, case .string(let selector)? = arguments[1].constantOperand else {
            throw error(
                "FUNCTION takes a receiver, the name of a function as a text, and the function's arguments", at: start)
        }
        return NSExpression(forFunction: arguments[0], selectorName: selector, arguments: Array(arguments[2...]))
    }

    private mutating func cast(_ start: Int) throws(PredicateFormatError) -> NSExpression {
        let arguments = try list("(", ")")
        guard arguments.count == 2 else { throw error("CAST takes a value and the name of a class", at: start) }
        // Dates print as casts of numbers; reading one back gives the date again.
        if case .string("NSDate")? = arguments[1].constantOperand,
            let seconds = arguments[0].constantOperand?.doubleValue
        {
            return NSExpression(forConstantValue: Date(timeIntervalSinceReferenceDate: seconds))
        }
        return NSExpression(.cast, arguments)
    }

    private mutating func fetch(_ start: Int) throws(PredicateFormatError) -> NSExpression {
        let arguments = try list("(", ")")
        guard arguments.count == 3, case .integer(let countOnly)? = arguments[2].constantOperand else {
            throw error("FETCH takes a fetch request, a context, and YES to count or NO to fetch", at: start)
        }
        return NSExpression.fetch(arguments[0], arguments[1], countOnly: countOnly != 0)
    }
}

extension PredicateValue {
    /// A number as a Double.
    var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): value.nearestDouble
        default: nil
        }
    }
}
