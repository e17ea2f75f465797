import StoreBrowsing

/// Why a command ends without its result.
typealias CommandFailure = ToolFailure

extension ToolFailure.Code {
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
