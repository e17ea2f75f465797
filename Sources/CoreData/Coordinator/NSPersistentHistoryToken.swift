import FoundationGaps

/// A place in the histories of some stores: all transactions up to it are known.
///
/// ```swift
/// guard let token = coordinator.currentPersistentHistoryToken(fromStores: nil) else { return }
/// let data = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
/// try data.write(to: url, options: .atomic)
/// ```
///
/// A reader of history keeps the token of the last transaction that it has dealt with, also when the program ends. It
/// fetches the history after this token next time. A token has a number for each store, by the store's UUID. Two tokens
/// are equal if they have the same numbers. Tokens can't be ordered: take the one of the last transaction.
///
/// Archives of tokens that Apple's framework made can't be read here.
open class NSPersistentHistoryToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked: immutable, and subclasses can't be made from outside.

    /// The number of the last known transaction by the store's UUID.
    let numbers: [String: Int64]

    init(_ numbers: [String: Int64]) { self.numbers = numbers }

    private static let numbersKey = "storeTokens"

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Reads a token from an archive; nil if the archive has none.
    public required init?(coder: NSCoder) {
        let classes: [AnyClass] = [NSDictionary.self, NSString.self, NSNumber.self]
        let decoded = coder.decodeObject(of: classes, forKey: Self.numbersKey) as? [String: NSNumber]
        guard let decoded else { return nil }
        numbers = decoded.mapValues(\.int64Value)
        super.init()
    }

    /// Writes the token to an archive.
    open func encode(with coder: NSCoder) {
        var values: [NSString: NSNumber] = [:]
        for (store, number) in numbers { values[store as NSString] = NSNumber(value: number) }
        coder.encode(NSDictionary(dictionary: values), forKey: Self.numbersKey)
    }

    /// The same token: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the other object is a token with the same numbers.
    open override func isEqual(_ object: Any?) -> Bool { (object as? NSPersistentHistoryToken)?.numbers == numbers }

    open override var hash: Int { numbers.hashValue }

    /// The number of each store's last known transaction.
    open override var description: String {
        let parts = numbers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return "<NSPersistentHistoryToken \(parts.joined(separator: ", "))>"
    }
}
