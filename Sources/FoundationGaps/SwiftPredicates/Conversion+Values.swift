import Foundation

// Constants, variables, key paths, arithmetic.

extension NSExpression {
    /// A constant of a value that the format language knows.
    static func converted(_ value: Any) throws -> NSExpression {
        if let order = value as? ComparisonResult { return .constant(NSNumber(value: order.rawValue)) }
        if let character = value as? Character { return .constant(String(character)) }
        guard let value = boxed(value) else { return .constant(nil) }
        guard isConstant(value) else { throw PredicateConversion.Impossible() }
        return .constant(value)
    }

    private static func isConstant(_ value: Any) -> Bool {
        switch PredicateValue(value) {
        case .collection(let collection): collection.elements.allSatisfy(isConstant)
        case .other: false
        default: true
        }
    }
}

extension PredicateExpressions.Value: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        .expression(try .converted(value))
    }
}

extension PredicateExpressions.NilLiteral: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        .expression(.constant(nil))
    }
}

extension PredicateExpressions.Variable: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        .expression(try conversion.expression(for: self))
    }
}

extension PredicateExpressions.KeyPath: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        let root = try conversion.expression(root)
        if let kind { return try converted(kind, of: root) }
        guard let name = KeyPathNames.name(of: keyPath) else { throw PredicateConversion.Impossible() }
        return .expression(root.appending(name))
    }

    /// `count` and the like, which collections and texts say differently.
    private func converted(_ kind: CommonKeyPathKind, of root: NSExpression) throws -> ConvertedExpression {
        let isText = Root.Output.self == String.self
        switch kind {
        case .collectionCount:
            return .expression(count(of: root))
        case .collectionIsEmpty:
            let (value, empty) = isText ? (root, NSExpression.constant("")) : (count(of: root), .constant(0))
            return .predicate(NSComparisonPredicate.comparing(value, .equalTo, empty))
        case .collectionFirst where !isText:
            return .expression(.call("objectFrom:withIndex:", root, NSExpression(node: .symbol(.first))))
        case .bidirectionalCollectionLast where !isText:
            return .expression(.call("objectFrom:withIndex:", root, NSExpression(node: .symbol(.last))))
        default:
            throw PredicateConversion.Impossible()
        }
    }

    private func count(of root: NSExpression) -> NSExpression {
        if Root.Output.self == String.self { return .call("length:", root) }
        return root.appending(Root.Output.self == Data.self ? "length" : "@count")
    }
}

extension PredicateExpressions.Arithmetic: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        let (left, right) = (try conversion.expression(lhs), try conversion.expression(rhs))
        switch op {
        case .add: return .expression(.call("add:to:", left, right))
        case .subtract: return .expression(.call("from:subtract:", left, right))
        case .multiply: return .expression(.call("multiply:by:", left, right))
        @unknown default: throw PredicateConversion.Impossible()
        }
    }
}

extension PredicateExpressions.FloatDivision: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        .expression(.call("divide:by:", try conversion.expression(lhs), try conversion.expression(rhs)))
    }
}

extension PredicateExpressions.IntDivision: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        .expression(.call("divide:by:", try conversion.expression(lhs), try conversion.expression(rhs)))
    }
}

extension PredicateExpressions.IntRemainder: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        .expression(.call("modulus:by:", try conversion.expression(lhs), try conversion.expression(rhs)))
    }
}

extension PredicateExpressions.UnaryMinus: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        .expression(.call("multiply:by:", try conversion.expression(wrapped), .constant(-1)))
    }
}
