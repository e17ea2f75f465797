import Foundation
import Synchronization

/// The keys that a file's stores have given away in this process: two coordinators that have the same file must not
/// give the same key.
final class KeyCounter: Sendable {
    private let last = Mutex<[Int32: Int64]>([:])

    /// The counter of a file, as long as a store uses it.
    static func of(_ url: URL) -> KeyCounter {
        let path = url.resolvingSymlinksInPath().path
        return all.withLock { all in
            all = all.filter { $0.value.counter != nil }
            if let known = all[path]?.counter { return known }
            let new = KeyCounter()
            all[path] = Entry(counter: new)
            return new
        }
    }

    private struct Entry {
        weak var counter: KeyCounter?
    }

    private static let all = Mutex<[String: Entry]>([:])

    /// The highest keys that were given, by the number of the entity tree's root.
    var given: [Int32: Int64] { last.withLock { $0 } }

    /// Takes successive keys.
    ///
    /// - Parameter known: The highest key that the file has.
    /// - Returns: The first of them; nil where there are not so many left.
    func take(_ count: Int, root: Int32, above known: Int64) -> Int64? {
        last.withLock { last in
            let before = max(known, last[root] ?? 0)
            let (end, isTooMuch) = before.addingReportingOverflow(Int64(count))
            if isTooMuch { return nil }
            last[root] = end
            return before + 1
        }
    }
}
