public import Foundation

/// Why a predicate or expression has no value for an object: a text where a number belongs, an unbound variable, an unknown key.
///
/// `NSPredicate.evaluate(with:)` stops the program with the sentence, as Apple's framework raises an exception; evaluations inside fetches throw it.
/// As an `NSError` it has the domain `NSCocoaErrorDomain` and the code 2048 (`NSFormattingError`).
public struct PredicateEvaluationError: LocalizedError, CustomNSError, CustomStringConvertible {
    /// What is wrong and what to do.
    public let message: String

    package init(_ message: String) {
        self.message = message
    }

    public var description: String { message }
    public var errorDescription: String? { message }
    public static var errorDomain: String { NSCocoaErrorDomain }
    public var errorCode: Int { CocoaError.Code.formatting.rawValue }
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
}
