/// The `#if`s that are open at a place.
package struct ConditionStack {
    private var frames: [(before: [String], current: String)] = []

    package init() {}

    /// What has to hold at this place, outermost first, each between parentheses.
    package var conditions: [String] {
        frames.flatMap { $0.before.map { "!\($0)" } + ($0.current.isEmpty ? [] : [$0.current]) }
    }

    /// Whether an `#if canImport(ObjectiveC)` keeps this place from other compilers.
    package var asksForObjectiveC: Bool {
        conditions.contains { $0.filter { $0 != " " } == "(canImport(ObjectiveC))" }
    }

    package mutating func begin(_ condition: String) { frames.append(([], "(\(condition))")) }

    /// - Parameter condition: That of `#elseif`; nil for `#else`.
    package mutating func change(to condition: String?) {
        guard let frame = frames.popLast() else { return }
        frames.append((frame.before + [frame.current], condition.map { "(\($0))" } ?? ""))
    }

    package mutating func end() { _ = frames.popLast() }
}
