import Foundation

// Optional chaining, unwrapping, coalescing, casts.

extension PredicateExpressions.ForcedUnwrap: ConvertibleToFormat {
    /// A nil that is unwrapped ends the process in Swift; in the format language it goes on as nil.
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        try conversion.convert(inner)
    }
}

extension PredicateExpressions.OptionalFlatMap: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        let value = try conversion.expression(wrapped)
        conversion.bind(variable, to: value)
        let present = NSComparisonPredicate.isPresent(value)
        switch try conversion.convert(transform) {
        case .predicate(let predicate):
            return .optionalPredicate(present: present, predicate)
        case .optionalPredicate(let inner, let predicate):
            return .optionalPredicate(present: .all(present, inner), predicate)
        case .expression(let expression) where expression.isPath(through: value):
            return .expression(expression)
        case let other:
            return .expression(.conditional(present, other.expression, .constant(nil)))
        }
    }
}

extension PredicateExpressions.NilCoalesce: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        let (value, fallback) = (try conversion.convert(lhs), try conversion.convert(rhs))
        guard RHS.Output.self == Bool.self else {
            let expression = value.expression
            return .expression(
                .conditional(NSComparisonPredicate.isPresent(expression), expression, fallback.expression))
        }
        let (present, predicate) = try Self.condition(value)
        let whenPresent = NSPredicate.all(present, predicate)
        switch fallback.constantTruth {
        case false?: return .predicate(whenPresent)
        case true?: return .predicate(.any(.negation(of: present), predicate))
        case nil: return .predicate(.any(whenPresent, .all(.negation(of: present), try fallback.predicate)))
        }
    }

    /// An optional truth value as a condition, and the condition under which it isn't nil.
    private static func condition(_ value: ConvertedExpression) throws -> (present: NSPredicate, NSPredicate) {
        if case .optionalPredicate(let present, let predicate) = value { return (present, predicate) }
        return (NSComparisonPredicate.isPresent(value.expression), try value.predicate)
    }
}

extension PredicateExpressions.TypeCheck: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        let value = try conversion.expression(input)
        switch try ClassRelation(of: Input.Output.self, to: Desired.self) {
        case .always: return .predicate(NSPredicate(value: true))
        case .sometimes(let wanted): return .predicate(value.isKind(of: wanted))
        }
    }
}

extension PredicateExpressions.ConditionalCast: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        let value = try conversion.expression(input)
        switch try ClassRelation(of: Input.Output.self, to: Desired.self) {
        case .always: return .expression(value)
        case .sometimes(let wanted): return .expression(.conditional(value.isKind(of: wanted), value, .constant(nil)))
        }
    }
}

extension PredicateExpressions.ForceCast: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        _ = try ClassRelation(of: Input.Output.self, to: Desired.self)
        return try conversion.convert(input)
    }
}

/// Whether values of one type are of another: only classes can be told at run time by the format language.
private enum ClassRelation {
    case always
    case sometimes(AnyClass)

    init(of type: Any.Type, to wanted: Any.Type) throws {
        if type == wanted {
            self = .always
            return
        }
        guard let type = type as? AnyClass, let wanted = wanted as? AnyClass else {
            throw PredicateConversion.Impossible()
        }
        self = SecureArchive.isSubclass(type, of: [wanted]) ? .always : .sometimes(wanted)
    }
}

extension NSExpression {
    fileprivate func isKind(of wanted: AnyClass) -> NSPredicate {
        NSComparisonPredicate(
            leftExpression: self, rightExpression: .constant(wanted), customSelector: Selector("isKindOfClass:"))
    }
}
