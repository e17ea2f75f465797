import Foundation
import ModelFormat
import PropertyLists

/// A validation rule as it stands in an archive.
struct ArchivedRule {
    var predicate: ArchiveReference
    var warning: ArchiveReference
}

extension ModelWriter {
    /// Adds rules to a property's fields, if there are any.
    mutating func adding(
        _ rules: [ArchivedRule], to fields: [String: PropertyListValue]
    ) -> [String: PropertyListValue] {
        guard !rules.isEmpty else { return fields }
        var fields = fields
        fields["NSValidationPredicates"] = builder.array(rules.map(\.predicate)).value
        fields["NSValidationWarnings"] = builder.array(rules.map(\.warning)).value
        return fields
    }

    mutating func archivedRules(_ rules: [Model.ValidationRule], place: String) throws -> [ArchivedRule] {
        var archived: [ArchivedRule] = []
        for rule in rules {
            let warning: ArchiveReference =
                switch rule.warning {
                case .code(let code): builder.integer(Int64(code))
                case .text(let text): builder.string(text)
                }
            archived.append(.init(predicate: try predicate(rule.predicateFormat, place: place), warning: warning))
        }
        return archived
    }

    /// The rules of an attribute: its bounds and its pattern first, then the others.
    mutating func archivedRules(_ attribute: Model.Attribute, of entity: String) throws -> [ArchivedRule] {
        let place = "The attribute “\(attribute.name)” of “\(entity)”"
        var rules: [ArchivedRule] = []
        for bound in ValidationBound.all(for: attribute.type) {
            guard let spelling = attribute[keyPath: bound.property] else { continue }
            let limit = try value(spelling, as: bound.type, place: "\(place) has the bound")
            rules.append(
                .init(predicate: comparison(bound, with: limit), warning: builder.integer(Int64(bound.errorCode))))
        }
        return rules + (try archivedRules(attribute.validationRules, place: place))
    }

    private mutating func comparison(_ bound: ValidationBound, with limit: ArchiveReference) -> ArchiveReference {
        withPredicateWriter { predicates in
            let subject: ArchiveReference =
                switch bound.subject {
                case .value: predicates.evaluatedObject()
                case .length: predicates.keyPath("length", of: predicates.evaluatedObject())
                }
            let constant = predicates.constant(limit)
            return predicates.comparison(subject, constant, operatorType: bound.operatorType)
        }
    }
}
