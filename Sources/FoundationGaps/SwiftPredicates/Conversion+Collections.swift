import Foundation

// Membership, subqueries, texts.

extension PredicateExpressions.SequenceContains: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        let (collection, member) = (try conversion.expression(sequence), try conversion.expression(element))
        if collection.isConstant, LHS.Output.self != String.self {
            return .predicate(NSComparisonPredicate.comparing(member, .in, collection))
        }
        return .predicate(NSComparisonPredicate.comparing(collection, .contains, member))
    }
}

extension PredicateExpressions.CollectionContainsCollection: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        guard Base.Output.self is any StringProtocol.Type, Other.Output.self is any StringProtocol.Type else {
            throw PredicateConversion.Impossible()
        }
        let (text, part) = (try conversion.expression(base), try conversion.expression(other))
        return .predicate(NSComparisonPredicate.comparing(text, .contains, part))
    }
}

extension PredicateExpressions.SequenceStartsWith: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        guard Base.Output.self is any StringProtocol.Type, Prefix.Output.self is any StringProtocol.Type else {
            throw PredicateConversion.Impossible()
        }
        let (text, start) = (try conversion.expression(base), try conversion.expression(prefix))
        return .predicate(NSComparisonPredicate.comparing(text, .beginsWith, start))
    }
}

extension PredicateExpressions.StringContainsRegex: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        guard let regex = (regex as? PredicateExpressions.Value<PredicateExpressions.PredicateRegex>)?.value else {
            throw PredicateConversion.Impossible()
        }
        // MATCHES wants the whole text to match, whatever its line breaks.
        let pattern = NSExpression.constant("(?s:.*)(?:\(regex.stringRepresentation))(?s:.*)")
        return .predicate(NSComparisonPredicate.comparing(try conversion.expression(subject), .matches, pattern))
    }
}

extension PredicateConversion {
    /// The members of a collection for which a test holds.
    fileprivate mutating func subquery<Element>(
        _ sequence: any PredicateExpression, _ variable: PredicateExpressions.Variable<Element>,
        where test: any PredicateExpression, negated: Bool = false
    ) throws -> NSExpression {
        let collection = try expression(sequence)
        let name = newVariableName()
        bind(variable, to: NSExpression(forVariable: name))
        let predicate = try predicate(test)
        return .subquery(collection, name, negated ? .negation(of: predicate) : predicate)
    }
}

extension PredicateExpressions.SequenceContainsWhere: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        let matches = try conversion.subquery(sequence, variable, where: test)
        return .predicate(NSComparisonPredicate.comparing(matches.appending("@count"), .greaterThan, .constant(0)))
    }
}

extension PredicateExpressions.SequenceAllSatisfy: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        let exceptions = try conversion.subquery(sequence, variable, where: test, negated: true)
        return .predicate(NSComparisonPredicate.comparing(exceptions.appending("@count"), .equalTo, .constant(0)))
    }
}

extension PredicateExpressions.Filter: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        .expression(try conversion.subquery(sequence, variable, where: filter))
    }
}

extension PredicateExpressions.SequenceMaximum: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        .expression(.call("max:", try conversion.expression(elements)))
    }
}

extension PredicateExpressions.SequenceMinimum: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        .expression(.call("min:", try conversion.expression(elements)))
    }
}

extension PredicateExpressions.CollectionIndexSubscript: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        guard Index.Output.self == Int.self else { throw PredicateConversion.Impossible() }
        let (collection, index) = (try conversion.expression(wrapped), try conversion.expression(index))
        return .expression(.call("objectFrom:withIndex:", collection, index))
    }
}

extension PredicateExpressions.DictionaryKeySubscript: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        let (dictionary, key) = (try conversion.expression(wrapped), try conversion.expression(key))
        return .expression(.call("objectFrom:withIndex:", dictionary, key))
    }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: ConvertibleToFormat {
    func converted(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
        let (dictionary, key) = (try conversion.expression(wrapped), try conversion.expression(key))
        let value = NSExpression.call("objectFrom:withIndex:", dictionary, key)
        let fallback = try conversion.expression(`default`)
        return .expression(.conditional(NSComparisonPredicate.isPresent(value), value, fallback))
    }
}
