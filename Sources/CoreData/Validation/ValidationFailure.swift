import FoundationGaps

/// A value that fails one of a property's validation predicates, and how that is told.
struct ValidationFailure {
    let predicate: NSPredicate
    /// The model's code for the failure, or a sentence that the app set.
    let warning: Any?

    /// The error's code, and its sentence about the property.
    func told(of slot: PropertySlot) -> (code: Int, text: ValidationText) {
        let code = knownCode ?? guessedCode(slot)
        let text = (warning as? String).flatMap { Int($0) == nil ? ValidationText($0) : nil } ?? sentence(code, slot)
        return (code, text)
    }

    private var knownCode: Int? {
        if let number = warning as? NSNumber { return number.intValue }
        return (warning as? String).flatMap { Int($0) }
    }

    /// The code that says what the predicate checks.
    private func guessedCode(_ slot: PropertySlot) -> Int {
        guard let comparison = predicate as? NSComparisonPredicate else { return NSManagedObjectValidationError }
        let isUpperBound = [.lessThan, .lessThanOrEqualTo].contains(comparison.predicateOperatorType)
        let isLowerBound = [.greaterThan, .greaterThanOrEqualTo].contains(comparison.predicateOperatorType)
        switch (slot.kind, isUpperBound, isLowerBound) {
        case (.string, true, _): return NSValidationStringTooLongError
        case (.string, _, true): return NSValidationStringTooShortError
        case (.string, _, _) where comparison.predicateOperatorType == .matches:
            return NSValidationStringPatternMatchingError
        case (.date, true, _): return NSValidationDateTooLateError
        case (.date, _, true): return NSValidationDateTooSoonError
        case (.uri, _, _): return NSValidationInvalidURIError
        case (_, true, _): return NSValidationNumberTooLargeError
        case (_, _, true): return NSValidationNumberTooSmallError
        default: return NSManagedObjectValidationError
        }
    }

    private func sentence(_ code: Int, _ slot: PropertySlot) -> ValidationText {
        let bound = (predicate as? NSComparisonPredicate)?.rightExpression.description ?? ""
        func text(_ format: String) -> ValidationText { ValidationText(format, .property(slot), .plain(bound)) }
        return switch code {
        case NSValidationStringTooLongError: text("%1$@ is too long: at most %2$@ characters.")
        case NSValidationStringTooShortError: text("%1$@ is too short: at least %2$@ characters.")
        case NSValidationStringPatternMatchingError: text("%1$@ is not in the form that it must have.")
        case NSValidationNumberTooLargeError: text("%1$@ is too large: at most %2$@.")
        case NSValidationNumberTooSmallError: text("%1$@ is too small: at least %2$@.")
        case NSValidationDateTooLateError: text("%1$@ is too late.")
        case NSValidationDateTooSoonError: text("%1$@ is too soon.")
        case NSValidationInvalidURIError: text("%1$@ is no valid URI.")
        default:
            ValidationText(
                "%1$@ is not valid: it must fulfil %2$@.", .property(slot), .plain(predicate.formatText))
        }
    }
}
