import FoundationGaps
import Synchronization

/// What a store of an app's class calls its objects, and the keys that stand for that in references.
final class ReferenceTable: Sendable {
    private let state = Mutex(State())

    /// The key of an object; a new one where the reference object was not seen yet.
    ///
    /// A positive number is its own key, if it is free.
    ///
    /// - Parameter data: What the store calls the object: a number, a text, or another value that can be compared.
    func key(of data: Any, _ layout: EntityLayout) -> Int64 {
        let name = ReferenceName(data)
        return state.withLock { $0.key(of: name, data: UncheckedTransfer(data), layout) }
    }

    /// Gives an object that has a key its reference object.
    func set(_ data: Any, of key: Int64, _ layout: EntityLayout) {
        let name = ReferenceName(data)
        state.withLock { $0.add(name, UncheckedTransfer(data), key, layout) }
    }

    /// What the store calls an object; nil for a key that no reference object has.
    func data(of key: Int64, root: Int32) -> Any? { state.withLock { $0.entries[root]?[key]?.data }?.value }

    /// The number of the entity that an object was named with.
    func entity(of key: Int64, root: Int32) -> Int32? { state.withLock { $0.entries[root]?[key]?.entity } }

    /// The text that stands for an object in URIs.
    func text(of key: Int64, root: Int32) -> String? { state.withLock { $0.entries[root]?[key]?.name.text } }

    /// The key of the object that a URI means. A text of digits is a number, unless the store knows it as a text.
    func key(ofText text: String, _ layout: EntityLayout) -> Int64 {
        let isText = state.withLock { $0.keys[Key(entity: layout.number, name: .text(text))] != nil }
        if !isText, let number = Int64(text), String(number) == text {
            return key(of: NSNumber(value: number), layout)
        }
        return key(of: text, layout)
    }

    /// Sets keys aside.
    ///
    /// - Returns: The first of them.
    func reserve(_ count: Int, root: Int32) -> Int64 {
        state.withLock { state in
            let first = (state.last[root] ?? 0) + 1
            state.last[root] = first + Int64(count) - 1
            return first
        }
    }

    private struct Key: Hashable {
        let entity: Int32
        let name: ReferenceName
    }

    private struct Entry: Sendable {
        let entity: Int32
        let name: ReferenceName
        let data: UncheckedTransfer<Any>
    }

    private struct State: Sendable {
        var keys: [Key: Int64] = [:]
        /// By the number of the entity tree's root, and by key.
        var entries: [Int32: [Int64: Entry]] = [:]
        var last: [Int32: Int64] = [:]

        mutating func key(of name: ReferenceName, data: UncheckedTransfer<Any>, _ layout: EntityLayout) -> Int64 {
            if let known = keys[Key(entity: layout.number, name: name)] { return known }
            let root = layout.rootNumber
            var key = (last[root] ?? 0) + 1
            if case .number(let number) = name, number > 0, entries[root]?[number] == nil { key = number }
            add(name, data, key, layout)
            return key
        }

        mutating func add(_ name: ReferenceName, _ data: UncheckedTransfer<Any>, _ key: Int64, _ layout: EntityLayout) {
            keys[Key(entity: layout.number, name: name)] = key
            entries[layout.rootNumber, default: [:]][key] = Entry(entity: layout.number, name: name, data: data)
            last[layout.rootNumber] = max(key, last[layout.rootNumber] ?? 0)
        }
    }
}

/// A reference object as it is compared: equal numbers, and equal texts, of whatever class.
private enum ReferenceName: Hashable, @unchecked Sendable {
    // Unchecked: an app's values are compared, and not changed.
    case number(Int64)
    case text(String)
    case other(AnyHashable)

    init(_ data: Any) {
        if let text = data as? String {
            self = .text(text)
        } else if let number = data as? NSNumber, number.doubleValue == Double(number.int64Value) {
            self = .number(number.int64Value)
        } else if let value = data as? AnyHashable {
            self = .other(value)
        } else {
            programmerError(
                "\(data) is no reference object: use a string, a number, or another value that can be compared and hashed."
            )
        }
    }

    /// What stands for it in URIs.
    var text: String {
        switch self {
        case .number(let number): String(number)
        case .text(let text): text
        case .other(let value): "\(value.base)"
        }
    }
}
