import Foundation

/// How tightly the forms of expressions bind, loosest first.
enum ExpressionLevel: Int, Comparable {
    case set, assignment, bits, sum, product, power, unary, postfix

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The next tighter level.
    var tighter: Self { Self(rawValue: rawValue + 1) ?? .postfix }
}

/// The functions that are written between their arguments.
enum InfixOperator {
    static let table: [(symbol: String, function: PredicateFunction, level: ExpressionLevel)] = [
        ("&", .bitwiseAnd, .bits), ("|", .bitwiseOr, .bits), ("^", .bitwiseXor, .bits),
        ("<<", .shiftLeft, .bits), (">>", .shiftRight, .bits),
        ("+", .add, .sum), ("-", .subtract, .sum),
        ("*", .multiply, .product), ("/", .divide, .product),
        ("**", .power, .power),
    ]

    static func of(_ function: PredicateFunction) -> (
        symbol: String, function: PredicateFunction, level: ExpressionLevel
    )? {
        table.first { $0.function == function }
    }
}

extension PredicatePrinter {
    mutating func print(_ expression: NSExpression) {
        switch expression.node {
        case .constant(_, let value): print(value)
        case .evaluatedObject: write("SELF")
        case .variable(let name): write("$\(name)")
        case .keyPath(let operand, let path): print(path, of: operand)
        case .function(let function, let arguments): print(function, arguments)
        case .message(let receiver, let selector, let arguments):
            let name = NSExpression(forConstantValue: selector)
            printCall("FUNCTION", [receiver, name] + arguments)
        case .set(let operation, let left, let right):
            print(left, atLeast: .set)
            write(" \(operation.rawValue) ")
            print(right, atLeast: .assignment)
        case .subquery(let collection, let variable, let predicate):
            write("SUBQUERY(")
            print(collection)
            write(", $\(variable), ")
            print(predicate)
            write(")")
        case .aggregate(let elements): printList("{", elements, "}")
        case .anyKey: write("ANYKEY")
        case .symbol(let symbol): write(symbol.rawValue)
        case .block(_, let arguments): printCall("BLOCK", arguments)
        case .conditional(let predicate, let whenTrue, let whenFalse):
            write("TERNARY(")
            print(predicate)
            write(", ")
            printList("", [whenTrue, whenFalse], ")")
        case .assignment(let variable, let value):
            write("$\(variable) := ")
            print(value, atLeast: .assignment)
        case .fetch(let request, let context, let countOnly):
            printCall("FETCH", [request, context, NSExpression(forConstantValue: countOnly)])
        case .custom(let type): write("<\(Swift.type(of: expression)) of the kind \(type)>")
        }
    }

    private mutating func print(_ expression: NSExpression, atLeast level: ExpressionLevel) {
        if expression.level < level {
            write("(")
            print(expression)
            write(")")
        } else {
            print(expression)
        }
    }

    private mutating func print(_ function: PredicateFunction, _ arguments: [NSExpression]) {
        if arguments.count == 2, let infix = InfixOperator.of(function) {
            let rightBinds = infix.level == .power
            print(arguments[0], atLeast: rightBinds ? infix.level.tighter : infix.level)
            write(" \(infix.symbol) ")
            print(arguments[1], atLeast: rightBinds ? infix.level : infix.level.tighter)
            return
        }
        switch (function, arguments.count) {
        case (.onesComplement, 1):
            write("~")
            print(arguments[0], atLeast: .unary)
        case (.element, 2):
            print(arguments[0], atLeast: .postfix)
            printList("[", [arguments[1]], "]")
        case (.cast, 2): printCall("CAST", arguments)
        default: printCall(function.callName, arguments)
        }
    }

    private mutating func print(_ path: PredicateKeyPath, of operand: NSExpression) {
        if case .evaluatedObject = operand.node {
        } else {
            print(operand, atLeast: .postfix)
            write(".")
        }
        write(path.keys.map(ReservedWords.escaped).joined(separator: "."))
    }

    private mutating func printCall(_ name: String, _ arguments: [NSExpression]) {
        write(name)
        printList("(", arguments, ")")
    }

    private mutating func printList(_ open: String, _ elements: [NSExpression], _ close: String) {
        write(open)
        for (index, element) in elements.enumerated() {
            if index > 0 { write(", ") }
            print(element)
        }
        write(close)
    }
}

extension NSExpression {
    /// How tightly the expression binds as it prints.
    fileprivate var level: ExpressionLevel {
        switch node {
        case .constant(_, let value): value.isNumber ? .unary : .postfix
        case .function(.onesComplement, _): .unary
        case .function(let function, let arguments):
            arguments.count == 2 ? InfixOperator.of(function)?.level ?? .postfix : .postfix
        case .set: .set
        case .assignment: .assignment
        default: .postfix
        }
    }
}
