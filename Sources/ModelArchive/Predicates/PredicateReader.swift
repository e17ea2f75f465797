import Foundation

/// Reads archived expressions as format text.
struct PredicateReader {
    /// The classes that predicates and expressions consist of.
    static let classes: Set<String> = [
        "NSSelfExpression", "NSKeyPathExpression", "NSKeyPathSpecifierExpression", "NSFunctionExpression",
        "NSConstantValueExpression",
    ]

    private static let greatestDepth = 64

    let archive: KeyedArchive

    func expressionFormat(_ object: ArchivedObject) throws -> String {
        try expressionFormat(object, depth: 0)
    }

    func predicateFormat(_ object: ArchivedObject) throws -> String {
        throw corruptArchive("The keyed archive has a predicate of unknown class “\(object.className)”.")
    }

    private func expressionFormat(_ object: ArchivedObject, depth: Int) throws -> String {
        guard depth < Self.greatestDepth else { throw corruptArchive("An expression of the archive nests too deep.") }
        try archive.use(1)
        let arguments = try object.elements("NSArguments").map { argument in
            guard let argument = argument.object else { throw object.unexpected("NSArguments", "list of expressions") }
            return try expressionFormat(argument, depth: depth + 1)
        }
        switch object.className {
        case "NSSelfExpression":
            return "SELF"
        case "NSKeyPathSpecifierExpression":
            return try object.requiredString("NSKeyPath")
        case "NSKeyPathExpression":
            let operand = try object.object("NSOperand").map { try expressionFormat($0, depth: depth + 1) } ?? "SELF"
            return operand == "SELF" ? arguments.joined() : "\(operand).\(arguments.joined())"
        case "NSFunctionExpression":
            return "\(try object.requiredString("NSSelectorName"))(\(arguments.joined(separator: ", ")))"
        default:
            throw corruptArchive("The keyed archive has an expression of unknown class “\(object.className)”.")
        }
    }
}
