import FoundationGaps

/// An object whose values sort descriptors compare.
protocol SortableObject: AnyObject {
    func sortValue(at path: PredicateKeyPath) -> PredicateValue
}

/// What sort descriptors compare of objects: read once for each object, from its slots and without boxes.
struct ObjectOrder<Object: SortableObject> {
    /// An object with what is compared of it.
    struct Row {
        let object: Object
        fileprivate let values: [PredicateValue]
    }

    private let descriptors: [Descriptor]

    init(_ descriptors: [NSSortDescriptor]) { self.descriptors = descriptors.map { Descriptor($0) } }

    /// Objects in order, equal ones in the order they came in.
    func sorted(_ objects: [Object]) -> [Row] {
        objects.map(row).sorted { order($0, $1) == .orderedAscending }
    }

    func row(_ object: Object) -> Row { Row(object: object, values: descriptors.map { $0.value(of: object) }) }

    /// How two objects are ordered by the first descriptor that tells them apart.
    func order(_ a: Row, _ b: Row) -> ComparisonResult {
        for (index, descriptor) in descriptors.enumerated() {
            let order = descriptor.order(a, b, at: index)
            if order != .orderedSame { return order }
        }
        return .orderedSame
    }
}

/// A sort descriptor, with its key path taken apart.
private struct Descriptor {
    private let descriptor: NSSortDescriptor
    private let ascending: Bool
    /// Nil: the descriptor itself compares the objects.
    private let key: (path: PredicateKeyPath, comparison: SortComparison)?

    init(_ descriptor: NSSortDescriptor) {
        self.descriptor = descriptor
        ascending = descriptor.ascending
        if let key = descriptor.key, let comparison = descriptor.comparison {
            self.key = (PredicateKeyPath(key), comparison)
        } else {
            key = nil
        }
    }

    func value(of object: some SortableObject) -> PredicateValue { key.map { object.sortValue(at: $0.path) } ?? .null }

    func order<Object>(_ a: ObjectOrder<Object>.Row, _ b: ObjectOrder<Object>.Row, at index: Int) -> ComparisonResult {
        guard let comparison = key?.comparison,
            let order = Self.order(a.values[index], b.values[index], by: comparison)
        else { return descriptor.compare(a.object, to: b.object) }
        return ascending ? order : order.reversed
    }

    /// The order of two values, nil before all others; nil where they have none that is known here.
    private static func order(
        _ a: PredicateValue, _ b: PredicateValue, by comparison: SortComparison
    ) -> ComparisonResult? {
        switch (a, b) {
        case (.null, .null): .orderedSame
        case (.null, _): .orderedAscending
        case (_, .null): .orderedDescending
        case (.string(let a), .string(let b)): comparison.order(a, b)
        // As a database orders objects and their IDs: by primary key.
        case (.object(let a as any PredicateIdentity), .object(let b as any PredicateIdentity)):
            comparison == .standard ? order(a.predicateIdentity, b.predicateIdentity) : nil
        default: comparison == .standard ? a.order(b) : nil
        }
    }

    private static func order(_ a: AnyObject, _ b: AnyObject) -> ComparisonResult? {
        guard let a = (a as? NSManagedObjectID)?.reference.key, let b = (b as? NSManagedObjectID)?.reference.key else {
            return nil
        }
        return a < b ? .orderedAscending : a == b ? .orderedSame : .orderedDescending
    }
}

extension ComparisonResult {
    fileprivate var reversed: ComparisonResult {
        switch self {
        case .orderedAscending: .orderedDescending
        case .orderedSame: .orderedSame
        case .orderedDescending: .orderedAscending
        }
    }
}

extension RandomAccessCollection {
    /// The first index with an element that fulfils the predicate, as all behind it do; found in few steps where it is
    /// near the start.
    func nearbyPartitioningIndex(where belongsToSecond: (Element) -> Bool) -> Index {
        var (low, step) = (startIndex, 1)
        while let next = index(low, offsetBy: step - 1, limitedBy: endIndex), next < endIndex,
            !belongsToSecond(self[next])
        {
            low = index(after: next)
            step *= 2
        }
        var rest = distance(from: low, to: index(low, offsetBy: step - 1, limitedBy: endIndex) ?? endIndex)
        while rest > 0 {
            let middle = index(low, offsetBy: rest / 2)
            if belongsToSecond(self[middle]) {
                rest /= 2
            } else {
                low = index(after: middle)
                rest -= rest / 2 + 1
            }
        }
        return low
    }
}
