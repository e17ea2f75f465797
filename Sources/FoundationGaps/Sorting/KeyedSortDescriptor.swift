import Foundation

/// The sort descriptor behind this module's initialisers of `NSSortDescriptor`.
///
/// Foundation's class on Linux reads values by Swift key paths alone; this one reads them by key-value coding, or by a
/// key path with values that need not be `Comparable`, and knows the named comparisons.
final class KeyedSortDescriptor: NSSortDescriptor {
    /// What is compared.
    enum Subject {
        /// The objects themselves.
        case object
        case key(String, components: [String])
        case keyPath(AnyKeyPath, read: (Any) -> Any?)
    }

    /// How it is compared.
    enum Rule {
        case selector(Selector)
        case block(Comparator)
    }

    let subject: Subject
    let rule: Rule

    init(_ subject: Subject, ascending: Bool, rule: Rule) {
        self.subject = subject
        self.rule = rule
        // Foundation's way to read and compare values goes unused; its key path can't be nil, so objects stand there.
        super.init(keyPath: \NSObject.self, ascending: ascending, comparator: { _, _ in .orderedSame })
    }

    convenience init(key: String?, ascending: Bool, rule: Rule) {
        let subject = key.map { Subject.key($0, components: keyPathComponents($0)) }
        self.init(subject ?? .object, ascending: ascending, rule: rule)
    }

    convenience init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool, rule: Rule) {
        let read: (Any) -> Any? = { object in
            guard let root = object as? Root else {
                fatalError(
                    "\(type(of: object)) can't be sorted by the key path \(keyPath): its objects are \(Root.self).")
            }
            return boxed(root[keyPath: keyPath])
        }
        self.init(.keyPath(keyPath, read: read), ascending: ascending, rule: rule)
    }

    override var keyPath: AnyKeyPath {
        if case .keyPath(let keyPath, _) = subject { return keyPath }
        return super.keyPath
    }

    override var comparator: Comparator {
        switch rule {
        case .block(let block): block
        case .selector(let selector): { [self] in order($0, $1, by: selector) }
        }
    }

    override var reversedSortDescriptor: Any {
        KeyedSortDescriptor(subject, ascending: !ascending, rule: rule)
    }

    override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
        compareValues(value(of: object1), value(of: object2))
    }

    /// What the descriptor compares of an object.
    func value(of object: Any) -> Any? {
        switch subject {
        case .object: boxed(object)
        case .key(_, let components): FoundationGaps.value(of: object, forKeys: components[...])
        case .keyPath(_, let read): read(object)
        }
    }

    /// The order of two values that ``value(of:)`` gave, turned round for descending.
    func compareValues(_ lhs: Any?, _ rhs: Any?) -> ComparisonResult {
        let result = orderOfOptionals(lhs, rhs)
        return ascending ? result : ComparisonResult(rawValue: -result.rawValue) ?? result
    }

    private func orderOfOptionals(_ lhs: Any?, _ rhs: Any?) -> ComparisonResult {
        switch (lhs, rhs) {
        case (nil, nil): .orderedSame
        case (nil, _): .orderedAscending
        case (_, nil): .orderedDescending
        case (let lhs?, let rhs?): comparator(lhs, rhs)
        }
    }

    private func order(_ lhs: Any, _ rhs: Any, by selector: Selector) -> ComparisonResult {
        guard let comparison = SortComparison(selector) else {
            fatalError(
                """
                Sorting knows no comparison \(selector); it knows \
                \(SortComparison.allCases.map(\.rawValue).joined(separator: ", ")). Use init(key:ascending:comparator:).
                """)
        }
        if let order = comparison.orderOfValues(lhs, rhs) { return order }
        // A NaN is the nil of numbers: a store keeps it as NULL, and it sorts first.
        switch (isNaN(lhs), isNaN(rhs)) {
        case (true, true): return .orderedSame
        case (true, false): return .orderedAscending
        case (false, true): return .orderedDescending
        case (false, false):
            fatalError(
                """
                \(self) can't order a value of type \(type(of: lhs)) and one of type \(type(of: rhs)). Sort by another \
                key, or use init(key:ascending:comparator:).
                """)
        }
    }

    private func isNaN(_ value: Any) -> Bool { PredicateValue(value).doubleValue?.isNaN ?? false }

    // MARK: Equality and description

    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? KeyedSortDescriptor else { return false }
        if other === self { return true }
        return ascending == other.ascending && isSameSubject(as: other) && isSameRule(as: other)
    }

    override var hash: Int {
        var hasher = Hasher()
        hasher.combine(ascending)
        hasher.combine(selector)
        if case .key(let key, _) = subject { hasher.combine(key) }
        if case .keyPath(let keyPath, _) = subject { hasher.combine(keyPath) }
        return hasher.finalize()
    }

    override var description: String {
        "(\(key ?? String(describing: keyPath)), \(ascending ? "ascending" : "descending"), \(selector?.description ?? "block"))"
    }

    private func isSameSubject(as other: KeyedSortDescriptor) -> Bool {
        switch (subject, other.subject) {
        case (.object, .object): true
        case (.key(let left, _), .key(let right, _)): left == right
        case (.keyPath(let left, _), .keyPath(let right, _)): left == right
        default: false
        }
    }

    /// Blocks can't be compared: two descriptors with blocks are equal only if they are one.
    private func isSameRule(as other: KeyedSortDescriptor) -> Bool {
        guard case .selector(let left) = rule, case .selector(let right) = other.rule else { return false }
        return left == right
    }
}
