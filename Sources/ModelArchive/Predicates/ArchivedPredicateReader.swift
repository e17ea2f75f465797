import FoundationGaps

/// Makes predicates and expressions of their archives.
///
/// Whatever is damaged ends in an error; an expression that names an unknown function is never made.
struct ArchivedPredicateReader {
    /// The classes that predicates and expressions consist of.
    static let classes: Set<String> = [
        "NSComparisonPredicate", "NSCompoundPredicate", "NSTruePredicate", "NSFalsePredicate",
        "NSEqualityPredicateOperator", "NSComparisonPredicateOperator", "NSLikePredicateOperator",
        "NSMatchingPredicateOperator", "NSSubstringPredicateOperator", "NSInPredicateOperator",
        "NSBetweenPredicateOperator", "NSCustomPredicateOperator", "NSSelfExpression", "NSKeyPathExpression",
        "NSKeyPathSpecifierExpression", "NSFunctionExpression", "NSConstantValueExpression", "NSVariableExpression",
        "NSAggregateExpression", "NSSubqueryExpression", "NSSetExpression", "NSTernaryExpression",
        "NSSymbolicExpression", "NSAnyKeyExpression", "NSVariableAssignmentExpression", "NSFetchRequestExpression",
    ]

    private static let greatestDepth = 64

    let archive: KeyedArchive

    /// The predicate as format text.
    func predicateFormat(_ object: ArchivedObject) throws -> String {
        try predicate(object, depth: 0).formatText
    }

    /// The expression as format text.
    func expressionFormat(_ object: ArchivedObject) throws -> String {
        try expression(object, depth: 0).description
    }

    /// The derivation of an attribute as format text.
    func derivationFormat(_ object: ArchivedObject) throws -> String {
        DerivationFormat.text(of: try expression(object, depth: 0))
    }

    /// The options of a comparison's operator; operators on texts have them under another key.
    func options(_ comparison: ArchivedObject) throws -> UInt {
        let bits = try comparison.integer("NSOptions") ?? comparison.integer("NSFlags") ?? 0
        guard let options = UInt(exactly: bits) else { throw comparison.unexpected("NSOptions", "set of options") }
        return options
    }

    /// Counts a node, so that neither depth nor sharing makes the tree larger than the archive.
    func enter(_ depth: Int) throws {
        try archive.use(1)
        guard depth < Self.greatestDepth else {
            throw corruptArchive(
                "A predicate or expression of the keyed archive nests deeper than \(Self.greatestDepth) levels.")
        }
    }
}

// MARK: - Predicates

extension ArchivedPredicateReader {
    func predicate(_ object: ArchivedObject, depth: Int) throws -> NSPredicate {
        try enter(depth)
        switch object.className {
        case "NSTruePredicate": return NSPredicate(value: true)
        case "NSFalsePredicate": return NSPredicate(value: false)
        case "NSCompoundPredicate": return try compound(object, depth: depth)
        case "NSComparisonPredicate": return try comparison(object, depth: depth)
        default: throw corruptArchive("The keyed archive has a predicate of unknown class “\(object.className)”.")
        }
    }

    private func compound(_ object: ArchivedObject, depth: Int) throws -> NSPredicate {
        let subpredicates = try object.elements("NSSubpredicates").map { element in
            guard let element = element.object else { throw object.unexpected("NSSubpredicates", "list of predicates") }
            return try predicate(element, depth: depth + 1)
        }
        let code = UInt(exactly: try object.integer("NSCompoundPredicateType") ?? 0)
        guard let type = code.flatMap(NSCompoundPredicate.LogicalType.init(rawValue:)),
            type != .not || subpredicates.count == 1
        else {
            throw object.unexpected("NSCompoundPredicateType", "kind that fits its \(subpredicates.count) predicates")
        }
        return NSCompoundPredicate(type: type, subpredicates: subpredicates)
    }

    private func comparison(_ object: ArchivedObject, depth: Int) throws -> NSPredicate {
        let left = try operand(object, "NSLeftExpression", depth: depth)
        let right = try operand(object, "NSRightExpression", depth: depth)
        guard let operation = try object.object("NSPredicateOperator"),
            let code = UInt(exactly: try operation.integer("NSOperatorType") ?? 0),
            let type = NSComparisonPredicate.Operator(rawValue: code),
            let modifierCode = UInt(exactly: try operation.integer("NSModifier") ?? 0),
            let modifier = NSComparisonPredicate.Modifier(rawValue: modifierCode)
        else { throw object.unexpected("NSPredicateOperator", "known operator") }
        if type == .customSelector {
            let selector = Selector(try operation.requiredString("NSSelectorName"))
            return NSComparisonPredicate(leftExpression: left, rightExpression: right, customSelector: selector)
        }
        return NSComparisonPredicate(
            leftExpression: left, rightExpression: right, modifier: modifier, type: type,
            options: NSComparisonPredicate.Options(rawValue: try options(operation)))
    }
}
