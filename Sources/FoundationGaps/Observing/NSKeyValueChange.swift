import Foundation

/// How an observed property of a managed object changed.
///
/// An observer finds it in ``NSKeyValueObservedChange/kind``, or under ``NSKeyValueChangeKey/kindKey``.
public enum NSKeyValueChange: UInt, Sendable {
    /// The property has a new value. All attributes and to-one relationships change this way.
    ///
    /// An ordered relationship that the framework changes counts as set, too. So does any change further down a key
    /// path.
    case setting = 1
    /// Objects were added to a to-many relationship. The new value has only the added objects.
    case insertion = 2
    /// Objects were taken from a to-many relationship. The old value has only the removed objects.
    case removal = 3
    /// Objects of an ordered relationship were replaced.
    ///
    /// Only a class's own accessor announces this, by `willChange(_:valuesAt:forKey:)`.
    case replacement = 4
}

/// How the members of an unordered to-many relationship change. An accessor of your own announces it:
///
/// ```swift
/// extension Team {
///     func addPlayers(_ new: Set<Player>) {
///         willChangeValue(forKey: "players", withSetMutation: .union, using: new)
///         didChangeValue(forKey: "players", withSetMutation: .union, using: new)
///     }
/// }
/// ```
///
/// The second call carries the change out and updates the inverse.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
    /// The given objects are added. Observers are told of an insertion.
    case union = 1
    /// The given objects are taken away. Observers are told of a removal.
    case minus = 2
    /// All but the given objects are taken away. Observers are told of a setting.
    case intersect = 3
    /// The given objects become the members. Observers are told of a setting.
    case set = 4
}

/// What an observer wants to be told.
///
/// ```swift
/// observation = player.observe(\.salary, options: [.old, .new]) { player, change in
///     print(change.oldValue ?? 0, change.newValue ?? 0)
/// }
/// ```
///
/// Ask only for values that you use. For old and new values, the observed value is read at each change, and this may
/// fire faults.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    /// The options as Apple's bits.
    public let rawValue: UInt
    /// Makes options of Apple's bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The value after each change. Without it ``NSKeyValueObservedChange/newValue`` is nil.
    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    /// The value before each change. Without it ``NSKeyValueObservedChange/oldValue`` is nil.
    public static let old = NSKeyValueObservingOptions(rawValue: 2)
    /// One call at once, before `observe` returns. With `new` it has the value of now, and never an old value.
    ///
    /// Use it to fill a view with the same code that updates it.
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
    /// One more call before each change. It has the old value if `old` is asked for, and never a new one.
    ///
    /// See ``NSKeyValueObservedChange/isPrior``.
    public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

/// The keys of the dictionary that `observeValue(forKeyPath:of:change:context:)` gets.
///
/// ```swift
/// final class SalaryWatcher: KeyValueObserver {
///     func observeValue(
///         forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
///         context: UnsafeMutableRawPointer?
///     ) {
///         let salary = change?[.newKey] as? Double
///         print(salary ?? 0)
///     }
/// }
/// ```
///
/// In new code prefer `observe(_:options:changeHandler:)`, which has typed values.
public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
    /// The key's text, as at Apple.
    public let rawValue: String
    /// Makes a key of a text. The framework uses only the keys below.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// How the property changed: the raw value of an ``NSKeyValueChange``, as an `NSNumber`. It is always there.
    public static let kindKey = NSKeyValueChangeKey(rawValue: "kind")
    /// The new value, or the objects that were added as an `NSSet`. A nil value comes as `NSNull`.
    ///
    /// There only if the observer asked for `new`, and not in the call before a change.
    public static let newKey = NSKeyValueChangeKey(rawValue: "new")
    /// The old value, or the objects that were taken away as an `NSSet`. A nil value comes as `NSNull`.
    ///
    /// There only if the observer asked for `old`, and not in the first call of `initial`.
    public static let oldKey = NSKeyValueChangeKey(rawValue: "old")
    /// The places of the objects in an ordered relationship, as an `NSIndexSet`.
    ///
    /// There only for changes that a class's own accessor announces with indexes.
    public static let indexesKey = NSKeyValueChangeKey(rawValue: "indexes")
    /// `NSNumber(true)` in the call before a change; not there in other calls. It needs the option `prior`.
    public static let notificationIsPriorKey = NSKeyValueChangeKey(rawValue: "notificationIsPrior")
}

/// What the handler of `observe(_:options:changeHandler:)` is told.
///
/// The handler runs at once, on the queue of the object's context, while the code that changes the property waits. The
/// object itself is the handler's first argument.
public struct NSKeyValueObservedChange<Value> {
    /// How a property changes.
    public typealias Kind = NSKeyValueChange

    /// How the property changed. For attributes and to-one relationships this is always `.setting`.
    public let kind: Kind
    /// The value after the change, or the objects that were added. Nil unless `new` was asked for.
    ///
    /// Nil also for a removal, and in the call before a change. For an optional property it is a double optional.
    public let newValue: Value?
    /// The value before the change, or the objects that were taken away. Nil unless `old` was asked for.
    ///
    /// Nil also for an insertion. For an optional property it is a double optional.
    public let oldValue: Value?
    /// The places of the objects in an ordered relationship. Nil unless a class's own accessor announced the change
    /// with indexes.
    public let indexes: IndexSet?
    /// Whether this is the call before the change. True only with the option `prior`.
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

/// An observation under way. It ends when this object is released, or when it is invalidated.
///
/// ```swift
/// observation = player.observe(\.name) { player, _ in
///     scheduleRedraw()
/// }
/// ```
///
/// Keep it as long as you want to be told: without a reference it ends at once. Do not keep the observed object by it;
/// the observation holds the object weakly.
public final class NSKeyValueObservation: NSObject {
    private var end: (() -> Void)?

    package init(end: @escaping () -> Void) { self.end = end }

    /// Ends the observation. Later changes are not told. A second call does nothing.
    ///
    /// Call it on the queue of the object's context.
    public func invalidate() {
        end?()
        end = nil
    }

    deinit { end?() }
}

/// Says by Swift key paths which properties a property is computed from, and which ones announce their changes
/// themselves.
///
/// ```swift
/// extension Player: NSKeyValueObservingCustomization {
///     var fullName: String { "\(firstName ?? "") \(lastName ?? "")" }
///
///     static func keyPathsAffectingValue(for key: AnyKeyPath) -> Set<AnyKeyPath> {
///         key == \Player.fullName ? [\Player.firstName, \Player.lastName] : []
///     }
///     static func automaticallyNotifiesObservers(for key: AnyKeyPath) -> Bool { true }
/// }
/// ```
///
/// With it, `player.observe(\.fullName)` calls its handler when either name changes. Without it, observing a computed
/// property traps, unless `keyPathsForValuesAffectingValue(forKey:)` says what it is computed from.
public protocol NSKeyValueObservingCustomization: NSObject {
    /// The properties that the value at a key path is computed from; an empty set for all others.
    ///
    /// Asked once, when an observation begins. Each key path may cross to-one relationships.
    static func keyPathsAffectingValue(for key: AnyKeyPath) -> Set<AnyKeyPath>
    /// Whether observers are told of each change of the property. Return true unless an accessor announces changes
    /// itself.
    ///
    /// With false, observers are told only of changes that `willChangeValue` and `didChangeValue` announce.
    static func automaticallyNotifiesObservers(for key: AnyKeyPath) -> Bool
}
