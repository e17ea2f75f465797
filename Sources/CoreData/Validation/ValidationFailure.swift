import FoundationGaps

/// A value that fails one of a property's validation predicates, and how that is told.
struct ValidationFailure {
    let predicate: NSPredicate
    /// The model's code for the failure, or a sentence that the app set.
    let warning: Any?
    let value: Any

    func error(_ object: NSManagedObject, _ slot: PropertySlot) -> NSError {
        let code = knownCode ?? guessedCode(slot)
        let text = (warning as? String).flatMap { Int($0) == nil ? $0 : nil } ?? sentence(code, slot)
        return object.validationError(code, slot, value, text, predicate: predicate)
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

    private func sentence(_ code: Int, _ slot: PropertySlot) -> String {
        let bound = (predicate as? NSComparisonPredicate)?.rightExpression.description ?? ""
        return switch code {
        case NSValidationStringTooLongError: "\(slot.name) is too long: at most \(bound) characters."
        case NSValidationStringTooShortError: "\(slot.name) is too short: at least \(bound) characters."
        case NSValidationStringPatternMatchingError: "\(slot.name) is not in the form that it must have."
        case NSValidationNumberTooLargeError: "\(slot.name) is too large: at most \(bound)."
        case NSValidationNumberTooSmallError: "\(slot.name) is too small: at least \(bound)."
        case NSValidationDateTooLateError: "\(slot.name) is too late."
        case NSValidationDateTooSoonError: "\(slot.name) is too soon."
        case NSValidationInvalidURIError: "\(slot.name) is no valid URI."
        default: "\(slot.name) is not valid: it must fulfil \(predicate.formatText)."
        }
    }
}
