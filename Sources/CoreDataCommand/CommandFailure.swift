import Foundation
import PropertyLists

/// Why a command ends without its result: a sentence for the user, and a number for scripts.
struct CommandFailure: Error, Hashable {
    /// The process's exit codes, each for one kind of failure.
    enum Code: Int32, CaseIterable {
        case other = 1
        case missingFile = 2
        case encrypted = 3
        case damaged = 4
        case foreign = 5
        case noModel = 6
        case invalidQuery = 7

        private var meaning: String {
            switch self {
            case .other: "anything else"
            case .missingFile: "no such file"
            case .encrypted: "encrypted store"
            case .damaged: "truncated or damaged store or model"
            case .foreign: "not a store or a model of Core Data"
            case .noModel: "store without a model"
            case .invalidQuery: "entity, key or predicate that does not fit the model"
            }
        }

        /// All codes but "anything else", for the help page.
        static var legend: String {
            allCases.dropFirst().map { "\($0.rawValue) \($0.meaning)" }.joined(separator: "; ")
        }
    }

    var code: Code
    var message: String

    /// - Parameter message: A sentence that was made before; one that is written here is a ``Sentence``.
    init(_ code: Code, whole message: String) {
        self.code = code
        self.message = message
    }

    /// A failure with a sentence that repeats little of what it quotes.
    init(_ code: Code, _ message: Sentence) { self.init(code, whole: message.text) }

    /// Any error as a failure: the sentence that it offers, and where it offers one the reason.
    init(_ error: any Error, code: Code = .other) {
        let cocoa = error as NSError
        let parts = [cocoa.localizedDescription, cocoa.localizedFailureReason ?? ""]
        var message = parts[0]
        if !parts[1].isEmpty, !message.contains(parts[1]) { message += " " + parts[1] }
        self.init(code, whole: message)
    }
}
