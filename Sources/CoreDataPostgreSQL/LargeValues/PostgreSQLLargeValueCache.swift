import Foundation
import Synchronization

/// Large values that were read or saved a moment ago, by what snapshots have in their place.
///
/// An object does not keep its large values, and an app may ask for one again and again. What snapshots have has the
/// stamp of the value in it, so that nothing here is ever out of date.
final class PostgreSQLLargeValueCache: Sendable {
    private let limit: Int
    private let content = Mutex(Content())

    private struct Content {
        var values: [Data: Data] = [:]
        /// Oldest first.
        var order: [Data] = []
        var size = 0
    }

    /// - Parameter limit: How many bytes all values have together, at most.
    init(limit: Int = 16 << 20) { self.limit = limit }

    func value(_ raw: Data) -> Data? { content.withLock { $0.values[raw] } }

    /// Keeps a value, in the place of the oldest ones. One that would take the place of most of them is not kept.
    func keep(_ value: Data, for raw: Data) {
        guard value.count <= limit / 4 else { return }
        content.withLock { content in
            guard content.values.updateValue(value, forKey: raw) == nil else { return }
            content.order.append(raw)
            content.size += value.count
            var last = 0
            while content.size > limit {
                content.size -= content.values.removeValue(forKey: content.order[last])?.count ?? 0
                last += 1
            }
            content.order.removeFirst(last)
        }
    }
}
