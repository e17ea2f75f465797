import Foundation

/// How an observed property changed.
public enum NSKeyValueChange: UInt, Sendable {
    /// It has a new value.
    case setting = 1
    /// Objects were added to a to-many property.
    case insertion = 2
    /// Objects were taken from a to-many property.
    case removal = 3
    /// Objects of a to-many property were replaced.
    case replacement = 4
}

/// How the members of an unordered to-many property change.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
    /// The given objects are added.
    case union = 1
    /// The given objects are taken away.
    case minus = 2
    /// All but the given objects are taken away.
    case intersect = 3
    /// The given objects become the members.
    case set = 4
}

/// What an observer wants to be told.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The new value.
    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    /// The old value.
    public static let old = NSKeyValueObservingOptions(rawValue: 2)
    /// The value now, at once.
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
    /// That the value is about to change, before it does.
    public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

/// The keys of what an observer is told.
public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An `NSKeyValueChange`, as `NSNumber` of its raw value.
    public static let kindKey = NSKeyValueChangeKey(rawValue: "kind")
    /// The new value, or the objects that were added.
    public static let newKey = NSKeyValueChangeKey(rawValue: "new")
    /// The old value, or the objects that were taken away.
    public static let oldKey = NSKeyValueChangeKey(rawValue: "old")
    /// The places of the objects in an ordered to-many property, an `NSIndexSet`.
    public static let indexesKey = NSKeyValueChangeKey(rawValue: "indexes")
    /// Whether the value is yet to change.
    public static let notificationIsPriorKey = NSKeyValueChangeKey(rawValue: "notificationIsPrior")
}

/// What the handler of `observe(_:options:changeHandler:)` is told.
public struct NSKeyValueObservedChange<Value> {
    public typealias Kind = NSKeyValueChange

    /// How the property changed.
    public let kind: Kind
    /// The new value, or the objects that were added; nil unless it was asked for.
    public let newValue: Value?
    /// The old value, or the objects that were taken away; nil unless it was asked for.
    public let oldValue: Value?
    /// The places of the objects in an ordered to-many property.
    public let indexes: IndexSet?
    /// Whether the value is yet to change.
    public let isPrior: Bool

    package init(kind: Kind, newValue: Value?, oldValue: Value?, indexes: IndexSet?, isPrior: Bool) {
        self.kind = kind
        self.newValue = newValue
        self.oldValue = oldValue
        self.indexes = indexes
        self.isPrior = isPrior
    }
}

extension NSKeyValueObservedChange: Sendable where Value: Sendable {}

/// An observation under way; it ends when this object goes away, or when it is invalidated.
public final class NSKeyValueObservation: NSObject {
    private var end: (() -> Void)?

    package init(end: @escaping () -> Void) { self.end = end }

    /// Ends the observation.
    public func invalidate() {
        end?()
        end = nil
    }

    deinit { end?() }
}

/// Says by Swift key paths which properties a property is computed from, and which announce their changes themselves.
public protocol NSKeyValueObservingCustomization: NSObject {
    /// The properties whose changes change another one too.
    static func keyPathsAffectingValue(for key: AnyKeyPath) -> Set<AnyKeyPath>
    /// Whether setting the property tells its observers.
    static func automaticallyNotifiesObservers(for key: AnyKeyPath) -> Bool
}
