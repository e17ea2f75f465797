/// The functions that the format language knows, by their full names.
package enum PredicateFunction: String, CaseIterable, Sendable {
    // Of numbers or one collection.
    case sum = "sum:"
    case count = "count:"
    case minimum = "min:"
    case maximum = "max:"
    case average = "average:"
    case median = "median:"
    case mode = "mode:"
    case standardDeviation = "stddev:"
    // Arithmetic.
    case add = "add:to:"
    case subtract = "from:subtract:"
    case multiply = "multiply:by:"
    case divide = "divide:by:"
    case modulus = "modulus:by:"
    case squareRoot = "sqrt:"
    case logarithm = "log:"
    case naturalLogarithm = "ln:"
    case power = "raise:toPower:"
    case exponential = "exp:"
    case floor = "floor:"
    case ceiling = "ceiling:"
    case absolute = "abs:"
    case truncate = "trunc:"
    // Texts.
    case uppercase = "uppercase:"
    case lowercase = "lowercase:"
    case canonical = "canonical:"
    case length = "length:"
    // Without arguments, or nearly.
    case random = "random"
    case randomBelow = "randomn:"
    case now = "now"
    // Bits.
    case bitwiseAnd = "bitwiseAnd:with:"
    case bitwiseOr = "bitwiseOr:with:"
    case bitwiseXor = "bitwiseXor:with:"
    case shiftLeft = "leftshift:by:"
    case shiftRight = "rightshift:by:"
    case onesComplement = "onesComplement:"
    // The rest.
    case noIndex = "noindex:"
    case indexedBy = "indexed:by:"
    case distance = "distanceToLocation:fromLocation:"
    case element = "objectFrom:withIndex:"
    case cast = "castObject:toType:"

    /// A function by the name in a call, `sum`, `SUM`, `canonical:` or `modulus:by:`.
    package init?(called name: String) {
        if let exact = Self(rawValue: name) {
            self = exact
        } else if let short = Self.byShortName[name.lowercased()] {
            self = short
        } else {
            return nil
        }
    }

    /// How a call prints: full names where they take several arguments, else without the colon.
    var callName: String {
        colons == 1 ? String(rawValue.dropLast()) : rawValue
    }

    /// How many arguments there must be; nil for those that take any number.
    var argumentCount: Int? {
        switch self {
        case .sum, .count, .minimum, .maximum, .average, .median, .mode, .standardDeviation: nil
        default: colons
        }
    }

    private var colons: Int {
        rawValue.utf8.count { $0 == UInt8(ascii: ":") }
    }

    private static let byShortName: [String: PredicateFunction] = {
        var names: [String: PredicateFunction] = [:]
        for function in allCases {
            names[function.rawValue.lowercased()] = function
            if function.colons == 1 { names[function.callName.lowercased()] = function }
        }
        return names
    }()
}
