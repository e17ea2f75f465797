/// The `#if`s that are open at a place.
struct ConditionStack {
    private var frames: [(before: [String], current: String)] = []

    /// What has to hold at this place, outermost first, each between parentheses.
    var conditions: [String] {
        frames.flatMap { $0.before.map { "!\($0)" } + ($0.current.isEmpty ? [] : [$0.current]) }
    }

    mutating func begin(_ condition: String) { frames.append(([], "(\(condition))")) }

    /// - Parameter condition: That of `#elseif`; nil for `#else`.
    mutating func change(to condition: String?) {
        guard let frame = frames.popLast() else { return }
        frames.append((frame.before + [frame.current], condition.map { "(\($0))" } ?? ""))
    }

    mutating func end() { _ = frames.popLast() }
}
