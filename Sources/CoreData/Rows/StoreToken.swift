import FoundationGaps
import Synchronization

/// The identity of a store, kept alive by the IDs of its objects.
package final class StoreToken: @unchecked Sendable {
    // Unchecked: set once when the store is added; `store` is weak and its loads are atomic.
    package internal(set) weak var store: NSPersistentStore?
    package internal(set) var identifier: String = ""
    /// The reference objects of a store of an app's class; nil for the framework's stores, of which keys say all.
    var references: ReferenceTable?
    /// The number in ``ObjectReference``s, handed out when a coordinator takes the store; no other store of the process
    /// has it.
    package internal(set) var number: Int32 = ObjectReference.unassignedStore
    /// The address of the coordinator that handed out the number; 0: there is none any longer.
    private let owner = Atomic<UInt>(0)

    /// Whether a coordinator handed out the number.
    @inline(__always)
    func isOf(_ coordinator: AnyObject) -> Bool {
        owner.load(ordering: .relaxed) == UInt(bitPattern: Unmanaged.passUnretained(coordinator).toOpaque())
    }

    /// Notes the coordinator that the number belongs to; nil: that coordinator is going away.
    func setOwner(_ coordinator: AnyObject?) {
        let address = coordinator.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) }
        owner.store(address ?? 0, ordering: .relaxed)
    }

    deinit { Self.all.withLock { $0.remove(self) } }

    /// Gives the token its number, unless it has one.
    func assignNumber() {
        if number == ObjectReference.unassignedStore { number = Self.all.withLock { $0.add(self) } }
    }

    /// The token with a number, as long as it is referred to: its coordinator does, even when the store is removed, and
    /// so do IDs.
    static func numbered(_ number: Int32) -> StoreToken? { all.withLock { $0.token(number) } }

    private static let all = Mutex(NumberedTokens())
}

/// The tokens of a process by number, none of them kept alive.
private struct NumberedTokens: @unchecked Sendable {
    // Unchecked: addresses to load tokens from, under the lock.

    private struct Entry {
        weak var token: StoreToken?
    }

    private var entries: [Int32: Entry] = [:]
    private var last = ObjectReference.unassignedStore

    mutating func add(_ token: StoreToken) -> Int32 {
        last += 1
        entries[last] = Entry(token: token)
        return last
    }

    /// A token goes away, and with it the entry that it was.
    mutating func remove(_ token: StoreToken) {
        if let entry = entries[token.number], entry.token == nil { entries[token.number] = nil }
    }

    func token(_ number: Int32) -> StoreToken? { entries[number]?.token }
}
