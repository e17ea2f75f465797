import ModelCompiler
import ModelDocument
import StoreBrowsing

/// Why something that was asked for can't be done: a code that stays as it is, and a sentence that helps.
struct StudioError: Error, Sendable, Hashable {
    enum Code: String, Sendable, Hashable {
        case invalidJSON = "invalid-json"
        case invalidRequest = "invalid-request"
        case invalidEdit = "invalid-edit"
        case readOnly = "read-only"
        case forbiddenHost = "forbidden-host"
        case forbiddenOrigin = "forbidden-origin"
        case missingToken = "missing-token"
        case outsideOfFolder = "outside-of-folder"
        case unknownPath = "unknown-path"
        case unknownElement = "unknown-element"
        case unknownMethod = "unknown-method"
        case conflict
        case changedOnDisk = "changed-on-disk"
        case foreignFile = "foreign-file"
        case tooLarge = "too-large"
        case tooSlow = "too-slow"
        case notJSON = "not-json"
        case unwritableFile = "unwritable-file"
        case unreadableFile = "unreadable-file"
        case inUse = "in-use"
        case invalidQuery = "invalid-query"
        case unreadableStore = "unreadable-store"
        case notOpen = "not-open"
        case unsaved
        case needsPath = "needs-path"
        case `internal`
    }

    var code: Code
    var message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Any error as one of ours.
    init(_ error: any Error) {
        switch error {
        case let error as StudioError: self = error
        case let error as ModelDocumentError: self.init(error)
        case let error as CompilerError: self.init(.invalidEdit, error.sentences.joined(separator: ". "))
        case let error as ToolFailure:
            self.init(error.code == .invalidQuery ? .invalidQuery : .unreadableStore, error.message)
        default: self.init(.internal, "\(error)")
        }
    }

    private init(_ error: ModelDocumentError) {
        let code: Code =
            switch error.code {
            case .unwritableFile: .unwritableFile
            case .invalidVersion, .invalidEdit, .unwritableContent, .invalidContent: .invalidEdit
            default: .unreadableFile
            }
        let place = error.url.map { " (\($0.path))" } ?? ""
        self.init(code, code == .invalidEdit ? error.message : error.message + place)
    }
}
