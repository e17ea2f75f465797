public import Foundation

/// Why a predicate or expression has no value for an object.
///
/// Examples are a text where a number belongs, and a variable without a value. `NSPredicate.evaluate(with:)` traps with
/// the sentence, where Apple's framework raises an exception. Evaluations inside fetches throw it.
///
/// As an `NSError` it has the domain `NSCocoaErrorDomain` and the code 2048 (`NSFormattingError`).
public struct PredicateEvaluationError: LocalizedError, CustomNSError, CustomStringConvertible {
    /// What is wrong and what to do, in one English sentence for the developer.
    ///
    /// For example: "the variable $age has no value: give it one by withSubstitutionVariables(_:) or …".
    public let message: String

    package init(_ message: String) {
        self.message = message
    }

    /// The same text as ``message``, for a log.
    public var description: String { message }

    /// The same text as ``message``.
    ///
    /// `localizedDescription` gives it.
    public var errorDescription: String? { message }
    /// `NSCocoaErrorDomain`.
    public static var errorDomain: String { NSCocoaErrorDomain }
    /// 2048, `NSFormattingError`.
    public var errorCode: Int { CocoaError.Code.formatting.rawValue }
    /// The ``message`` under `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
}
