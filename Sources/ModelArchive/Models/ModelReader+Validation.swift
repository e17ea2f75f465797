import Foundation
import ModelFormat

extension ModelReader {
    /// The validation rules of a property.
    func validationRules(_ fields: FieldReader) throws -> [Model.ValidationRule] {
        try archivedRules(fields).compactMap { rule in
            try part("A validation rule of \(fields.place)") { try validationRule(rule) }
        }
    }

    /// Reads an attribute's rules: the bounds and the pattern that documents know, and the rest.
    func readValidation(_ fields: FieldReader, into attribute: inout Model.Attribute) throws {
        for rule in try archivedRules(fields) {
            _ = try part("A validation rule of \(fields.place)") {
                if let (bound, spelling) = try spelledBound(rule, of: attribute) {
                    attribute[keyPath: bound.property] = spelling
                } else {
                    attribute.validationRules.append(try validationRule(rule))
                }
            }
        }
    }

    private typealias Rule = (predicate: ArchivedObject, warning: Model.ValidationRule.Warning)

    private func archivedRules(_ fields: FieldReader) throws -> [Rule] {
        let lists = try fields.optional("NSValidationPredicates") { try archivedLists(fields.object) }
        guard let lists else { return [] }
        return try zip(lists.predicates, lists.warnings).compactMap { predicate, warning in
            try part("A validation rule of \(fields.place)") { try rule(predicate, warning, of: fields.object) }
        }
    }

    private func archivedLists(
        _ object: ArchivedObject
    ) throws -> (predicates: [ArchivedValue], warnings: [ArchivedValue]) {
        let predicates = try object.elements("NSValidationPredicates")
        let warnings = try object.elements("NSValidationWarnings")
        guard predicates.count == warnings.count else {
            throw corruptArchive(
                "The compiled model is damaged: a property has \(predicates.count) rules and \(warnings.count) warnings."
            )
        }
        return (predicates, warnings)
    }

    private func rule(_ predicate: ArchivedValue, _ warning: ArchivedValue, of object: ArchivedObject) throws -> Rule {
        if case .unknown(let name) = predicate {
            throw corruptArchive("Its predicate is an object of the unknown class “\(name)”.")
        }
        guard let predicate = predicate.object else { throw object.unexpected("NSValidationPredicates", "predicate") }
        if let text = warning.string { return (predicate, .text(text)) }
        guard let code = warning.integer else {
            throw object.unexpected("NSValidationWarnings", "list of codes and texts")
        }
        return (predicate, .code(Int(code)))
    }

    private func validationRule(_ rule: Rule) throws -> Model.ValidationRule {
        .init(predicateFormat: try predicates.predicateFormat(rule.predicate), warning: rule.warning)
    }

    /// The bound that a rule says, if it is one that documents know, and that the attribute does not have yet.
    private func spelledBound(_ rule: Rule, of attribute: Model.Attribute) throws -> (ValidationBound, String)? {
        guard rule.predicate.className == "NSComparisonPredicate",
            let left = try rule.predicate.object("NSLeftExpression"),
            let right = try rule.predicate.object("NSRightExpression"),
            right.className == "NSConstantValueExpression",
            let comparison = try rule.predicate.object("NSPredicateOperator"),
            try comparison.integer("NSModifier") ?? 0 == 0, try predicates.options(comparison) == 0
        else { return nil }
        let operatorType = try comparison.integer("NSOperatorType")
        for bound in ValidationBound.all(for: attribute.type) where bound.operatorType == operatorType {
            guard rule.warning == .code(bound.errorCode), attribute[keyPath: bound.property] == nil,
                try isSubject(left, bound.subject),
                let spelling = try right["NSConstantValue"].spelling(as: bound.type)
            else { continue }
            return (bound, spelling)
        }
        return nil
    }

    private func isSubject(_ expression: ArchivedObject, _ subject: ValidationBound.Subject) throws -> Bool {
        switch subject {
        case .value:
            return expression.className == "NSSelfExpression"
        case .length:
            guard expression.className == "NSKeyPathExpression",
                try expression.object("NSOperand")?.className == "NSSelfExpression",
                let path = try expression.elements("NSArguments").first?.object
            else { return false }
            return try path.string("NSKeyPath") == "length"
        }
    }
}
