import Foundation
import ModelDocument

extension ModelReader {
    /// The validation rules of a property.
    func validationRules(_ object: ArchivedObject) throws -> [Model.ValidationRule] {
        let predicates = try object.elements("NSValidationPredicates")
        let warnings = try object.elements("NSValidationWarnings")
        guard predicates.count == warnings.count else {
            throw corruptArchive(
                "The compiled model is damaged: a property has \(predicates.count) rules and \(warnings.count) warnings."
            )
        }
        return try zip(predicates, warnings).map { predicate, warning in
            guard let predicate = predicate.object else {
                throw object.unexpected("NSValidationPredicates", "predicate")
            }
            let format = try self.predicates.predicateFormat(predicate)
            if let text = warning.string { return .init(predicateFormat: format, warning: .text(text)) }
            guard let code = warning.integer else {
                throw object.unexpected("NSValidationWarnings", "list of codes and texts")
            }
            return .init(predicateFormat: format, warning: .code(Int(code)))
        }
    }

    /// Reads an attribute's rules.
    func readValidation(_ object: ArchivedObject, into attribute: inout Model.Attribute) throws {
        attribute.validationRules = try validationRules(object)
    }
}
