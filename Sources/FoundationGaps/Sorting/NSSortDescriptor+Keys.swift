import Foundation

extension NSSortDescriptor {
    /// A descriptor that sorts by the values at a key path, in the order of `compare:`.
    ///
    /// ```swift
    /// request.sortDescriptors = [
    ///     NSSortDescriptor(key: "team.name", ascending: true), NSSortDescriptor(key: "lastName", ascending: true),
    /// ]
    /// ```
    ///
    /// Nil sorts before any value, numbers by value across all kinds, strings by their Unicode scalars. Later
    /// descriptors decide where earlier ones find no difference. In a fetch the descriptors become `ORDER BY`. Sort by
    /// an indexed attribute if there are many rows. A transient attribute, or an unknown key, makes the fetch throw.
    ///
    /// - Parameters:
    ///   - key: A key or key path; nil compares the objects themselves.
    ///   - ascending: False puts the greatest first, and nil last.
    public convenience init(key: String?, ascending: Bool) {
        self.init(made: KeyedSortDescriptor(key: key, ascending: ascending, rule: .selector(.compare)))
    }

    /// A descriptor that sorts by the values at a key path, in the order of a named comparison.
    ///
    /// ```swift
    /// request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true, selector: .caseInsensitiveCompare)]
    /// ```
    ///
    /// An SQLite store knows the five comparisons, too. It throws `NSPersistentStoreUnsupportedRequestTypeError`
    /// (134091) for another selector.
    ///
    /// - Parameters:
    ///   - key: A key or key path; nil compares the objects themselves.
    ///   - ascending: False puts the greatest first.
    ///   - selector: `compare:`, `caseInsensitiveCompare:`, `localizedCompare:`, `localizedCaseInsensitiveCompare:` or
    ///     `localizedStandardCompare:`. Another one traps when it is used in memory, as there is no method to call. Nil
    ///     means `compare:`.
    public convenience init(key: String?, ascending: Bool, selector: Selector?) {
        self.init(made: KeyedSortDescriptor(key: key, ascending: ascending, rule: .selector(selector ?? .compare)))
    }

    /// A descriptor that sorts by the values at a key path, in the order that a block gives.
    ///
    /// ```swift
    /// let byLength = NSSortDescriptor(key: "name", ascending: true) { left, right in
    ///     NSNumber(value: (left as! String).count).compare(NSNumber(value: (right as! String).count))
    /// }
    /// let sorted = (try context.fetch(request) as NSArray).sortedArray(using: [byLength])
    /// ```
    ///
    /// A store can't run the block: a fetch throws `NSPersistentStoreUnsupportedRequestTypeError` (134091). Two
    /// descriptors with blocks are equal only if they are one object.
    ///
    /// - Parameters:
    ///   - key: A key or key path; nil compares the objects themselves.
    ///   - ascending: False turns the block's order round.
    ///   - cmptr: Called with two values; nil sorts first without asking.
    public convenience init(key: String?, ascending: Bool, comparator cmptr: @escaping Comparator) {
        self.init(made: KeyedSortDescriptor(key: key, ascending: ascending, rule: .block(cmptr)))
    }

    /// A descriptor that sorts by the values at a Swift key path, in the order of `compare:`; nil sorts first.
    ///
    /// ```swift
    /// request.sortDescriptors = [NSSortDescriptor(keyPath: \Player.team?.name, ascending: true)]
    /// ```
    ///
    /// In memory any key path will do; sorting an object of another class than `Root` traps. A store needs its name
    /// (``key``), which is known for the properties of managed objects, and for stored properties of structs and final
    /// classes. With another key path, a fetch throws `NSPersistentStoreUnsupportedRequestTypeError` (134091), and a
    /// fetched results controller traps.
    public convenience init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
        self.init(made: KeyedSortDescriptor(keyPath: keyPath, ascending: ascending, rule: .selector(.compare)))
    }

    // Foundation's own initialiser of this shape, for `Comparable` values, must not win for managed objects: what it
    // makes can't be told from a descriptor with a block. More constraints make this one the better match.

    /// A descriptor that sorts by the values at a Swift key path, in the order of `compare:`.
    ///
    /// The compiler picks it for values that are `Comparable` and not optional. It does the same as the other one.
    public convenience init<Root: NSObject, Value: Comparable>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
        self.init(made: KeyedSortDescriptor(keyPath: keyPath, ascending: ascending, rule: .selector(.compare)))
    }

    /// The key or key path that the descriptor sorts by, also that of a Swift key path with a name that can be found
    /// out.
    ///
    /// Nil if the objects themselves are compared, or no name is known.
    public var key: String? {
        guard let keyed = self as? KeyedSortDescriptor else { return KeyPathNames.name(of: keyPath) }
        switch keyed.subject {
        case .object: return nil
        case .key(let key, _): return key
        case .keyPath(let keyPath, _): return KeyPathNames.name(of: keyPath)
        }
    }

    /// The comparison's name, `compare:` unless another one was given. Nil if a block compares.
    ///
    /// Nil also for a descriptor that Foundation's own initialisers made.
    public var selector: Selector? {
        guard let keyed = self as? KeyedSortDescriptor, case .selector(let selector) = keyed.rule else { return nil }
        return selector
    }
}

// MARK: For stores

extension NSSortDescriptor {
    /// The key path as text, for where nothing else will do; traps if the descriptor has a Swift key path without a
    /// name. Nil if it compares the objects themselves.
    package var storeKey: String? {
        if let keyed = self as? KeyedSortDescriptor, case .object = keyed.subject { return nil }
        return key ?? KeyPathNames.requiredName(of: keyPath)
    }

    /// The comparison if it is one of the named ones; nil for a block, which no store can run, and for other selectors.
    package var comparison: SortComparison? { selector.flatMap(SortComparison.init) }

    /// Whether a block compares: one that the user gave, or that is hidden in a descriptor of Foundation's making.
    package var usesComparatorBlock: Bool { selector == nil }
}

// MARK: A class's initialiser that returns an instance of a subclass

/// A convenience initialiser can't return another object, but one that a protocol declares can: in a protocol's
/// extension `self` may be assigned.
protocol MadeSortDescriptor {}

extension MadeSortDescriptor {
    init(made descriptor: KeyedSortDescriptor) {
        guard let descriptor = descriptor as? Self else {
            fatalError("\(Self.self) can't be made by the initialisers of NSSortDescriptor; write initialisers for it.")
        }
        self = descriptor
    }
}

extension NSSortDescriptor: MadeSortDescriptor {}
