import Foundation

extension PredicateValue {
    /// Which of two numbers comes first; nil when one is no number, or not a number.
    func numericOrder(_ other: Self) -> ComparisonResult? {
        switch (self, other) {
        case (.integer(let a), .integer(let b)): ComparisonResult(a, b)
        case (.double(let a), .double(let b)): Self.order(a, b)
        case (.integer(let a), .double(let b)): Self.order(a, b)
        case (.double(let a), .integer(let b)): Self.order(b, a).map(\.reversed)
        case (.decimal(let a), .decimal(let b)): ComparisonResult(a, b)
        case (.decimal(let a), .integer(let b)): ComparisonResult(a, Decimal(b))
        case (.integer(let a), .decimal(let b)): ComparisonResult(Decimal(a), b)
        case (.decimal(let a), .double(let b)): Self.order(a, b)
        case (.double(let a), .decimal(let b)): Self.order(b, a).map(\.reversed)
        default: nil
        }
    }

    /// Which of two values of a kind comes first; nil when they have no order: one is nil, or their kinds differ.
    package func order(_ other: Self, options: NSComparisonPredicate.Options = []) -> ComparisonResult? {
        switch (self, other) {
        case (.string(let a), .string(let b)): StringComparison.order(a, b, options)
        case (.date(let a), .date(let b)): ComparisonResult(a, b)
        case (.uuid(let a), .uuid(let b)): Self.order(bytes: a.bytes, b.bytes)
        case (.data(let a), .data(let b)): Self.order(bytes: a, b)
        case (.url(let a), .url(let b)): StringComparison.order(a.absoluteString, b.absoluteString, options)
        default: numericOrder(other)
        }
    }

    private static func order(_ left: Double, _ right: Double) -> ComparisonResult? {
        left.isNaN || right.isNaN ? nil : ComparisonResult(left, right)
    }

    /// Beyond 2^53 a Double can't tell neighbouring integers apart: the integer must not become one.
    private static func order<Integer: FixedWidthInteger>(_ left: Integer, _ right: Double) -> ComparisonResult? {
        if right.isNaN { return nil }
        if let whole = Integer(exactly: right.rounded(.down)) {
            return left != whole ? ComparisonResult(left, whole) : ComparisonResult(Double(whole), right)
        }
        return right < 0 ? .orderedDescending : .orderedAscending
    }

    /// A decimal that is an integer compares as one; 0.1 is the Double that is written so.
    private static func order(_ left: Decimal, _ right: Double) -> ComparisonResult? {
        if let whole = Int128(left.description) { return order(whole, right) }
        return order(left.nearestDouble, right)
    }

    private static func order(bytes left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> ComparisonResult {
        if left.lexicographicallyPrecedes(right) { return .orderedAscending }
        return right.lexicographicallyPrecedes(left) ? .orderedDescending : .orderedSame
    }
}

extension ComparisonResult {
    init<Value: Comparable>(_ left: Value, _ right: Value) {
        self = left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
    }

    var reversed: Self {
        switch self {
        case .orderedAscending: .orderedDescending
        case .orderedSame: .orderedSame
        case .orderedDescending: .orderedAscending
        }
    }
}

extension Decimal {
    /// The Double closest to the decimal. Foundation's own conversion multiplies up the digits and may be off by some
    /// units in the last place.
    var nearestDouble: Double {
        isNaN ? .nan : Double(description) ?? .nan
    }
}

extension UUID {
    fileprivate var bytes: [UInt8] {
        withUnsafeBytes(of: uuid, Array.init)
    }
}
