import CoreData

/// What stores need to be opened with another version of their model.
package enum StoreNeed: Sendable, Hashable {
    /// Nothing: the version hashes are the same.
    case nothing
    /// A migration that the framework works out by itself.
    case lightweight
    /// The same, if no rows of the store stand against it; with the reason why they may.
    case conditional(reason: String)
    /// A mapping model, or code; with the reason why nothing less does.
    case mapping(reason: String)
    /// What can't be told, as one of the models is faulty; with the reason.
    case unknown(reason: String)

    /// A word for output.
    package var name: String {
        switch self {
        case .nothing: "none"
        case .lightweight: "lightweight"
        case .conditional: "conditional"
        case .mapping: "mapping"
        case .unknown: "unknown"
        }
    }

    /// Why lightweight migration does not do, or may not.
    package var reason: String? {
        switch self {
        case .nothing, .lightweight: nil
        case .conditional(let reason), .mapping(let reason), .unknown(let reason): reason
        }
    }

    /// What stands against a migration, as a need.
    ///
    /// - Parameters:
    ///   - obstacles: What stands against it; empty: nothing.
    ///   - otherwise: What is needed then.
    init(_ obstacles: [InferenceObstacle], otherwise: StoreNeed, reason: (InferenceObstacle) -> String) {
        let certain = obstacles.filter { $0.rows == nil }
        let told = certain.isEmpty ? obstacles : certain
        var reasons: [String] = []
        for text in told.map(reason) where !reasons.contains(text) { reasons.append(text) }
        let text = reasons.joined(separator: "; ")
        self = told.isEmpty ? otherwise : certain.isEmpty ? .conditional(reason: text) : .mapping(reason: text)
    }
}

extension StoreNeed: Comparable {
    package static func < (first: StoreNeed, second: StoreNeed) -> Bool { first.rank < second.rank }

    private var rank: Int {
        switch self {
        case .nothing: 0
        case .lightweight: 1
        case .conditional: 2
        case .mapping: 3
        case .unknown: 4
        }
    }
}
