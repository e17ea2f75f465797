import Foundation
import PropertyLists

/// Why a tool has no result: a sentence for the user, and a number for scripts.
package struct ToolFailure: Error, Hashable {
    /// The kinds of failures. A command ends with the number as its exit code.
    package enum Code: Int32, CaseIterable {
        case other = 1
        case missingFile = 2
        case encrypted = 3
        case damaged = 4
        case foreign = 5
        case noModel = 6
        case invalidQuery = 7
    }

    package var code: Code
    package var message: String

    /// - Parameter message: A sentence that was made before; one that is written here is a ``Sentence``.
    package init(_ code: Code, whole message: String) {
        self.code = code
        self.message = message
    }

    /// A failure with a sentence that repeats little of what it quotes.
    package init(_ code: Code, _ message: Sentence) { self.init(code, whole: message.text) }

    /// Any error as a failure: the sentence that it offers, and where it offers one the reason.
    package init(_ error: any Error, code: Code = .other) {
        let cocoa = error as NSError
        let parts = [cocoa.localizedDescription, cocoa.localizedFailureReason ?? ""]
        var message = parts[0]
        if !parts[1].isEmpty, !message.contains(parts[1]) { message += " " + parts[1] }
        self.init(code, whole: message)
    }
}
