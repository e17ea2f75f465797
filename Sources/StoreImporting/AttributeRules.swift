import CoreData
import Foundation
import StoreBrowsing

/// What a model asks of the values of an attribute.
package struct AttributeRules {
    let text: AttributeText
    private let name: String
    private let isOptional: Bool
    private let predicates: [NSPredicate]

    /// - Throws: `ToolFailure` for an attribute that no text can set.
    package init(_ attribute: NSAttributeDescription, of entity: NSEntityDescription) throws {
        guard let text = AttributeText(attribute.attributeType) else {
            throw ToolFailure(
                .invalidQuery,
                "\(entity.name ?? "").\(attribute.name) can't be set: a text can't stand for its values.")
        }
        self.text = text
        (name, isOptional, predicates) = (attribute.name, attribute.isOptional, attribute.validationPredicates)
    }

    /// The value of a text as an object has it; an empty text is nil, and `""` is the empty text.
    ///
    /// - Throws: `ToolFailure` for a value of another type, or one that the model forbids.
    package func object(_ value: String) throws -> Any {
        var text = value == "\"\"" ? "" : value
        let isNull = value.isEmpty
        do {
            return try text.withUTF8 { self.text.object(try slot(isNull ? .null : .text($0))) ?? NSNull() }
        } catch let problem as Problem {
            throw ToolFailure(.invalidQuery, "\(name): \(whole: problem.reason)")
        }
    }

    /// Why a value can't be set.
    struct Problem: Error {
        let reason: String
    }

    /// The value as a row holds it.
    @inline(__always)
    func slot(_ value: InputValue) throws(Problem) -> Slot {
        guard let slot = text.slot(value) else {
            throw Problem(reason: "\(value.description) is no \(text.expectation).")
        }
        if slot.isNull, !isOptional { throw Problem(reason: "The value is required, and can't be empty.") }
        if !predicates.isEmpty { try check(slot, value) }
        return slot
    }

    private func check(_ slot: Slot, _ value: InputValue) throws(Problem) {
        guard let object = text.object(slot) else { return }
        for predicate in predicates {
            let isKept: Bool
            do { isKept = try predicate.evaluateOrThrow(with: object) } catch {
                throw Problem(reason: "The rule \(predicate.formatText) can't be checked: \(error)")
            }
            if !isKept { throw Problem(reason: "\(value.description) breaks the rule \(predicate.formatText).") }
        }
    }
}
