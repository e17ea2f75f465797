/// The functions that translated statements call: what SQL itself has not, or has with another meaning.
///
/// Some of SQLite's own would do (`upper`, `sqrt`), were they not for ASCII only or left out of many builds.
package enum SQLRoutine: String, CaseIterable, Sendable {
    /// (text, options): the text without case or diacritics.
    case fold = "CoreDataFold"
    /// (text, pattern, options)
    case like = "CoreDataLike"
    /// (text, pattern, options)
    case matches = "CoreDataMatches"
    /// (text, text, options): -1, 0 or 1, by the rules of the current locale.
    case localizedOrder = "CoreDataLocalizedOrder"
    /// (text, part, place, options): whether the part begins (0), ends (1) or is in (2) the text, by the current
    /// locale.
    case localizedSearch = "CoreDataLocalizedSearch"
    case uppercase = "CoreDataUppercase"
    case lowercase = "CoreDataLowercase"
    /// (text): the text without case and diacritics.
    case canonical = "CoreDataCanonical"
    case length = "CoreDataLength"
    /// (value): the text of a number.
    case text = "CoreDataText"
    case squareRoot = "CoreDataSquareRoot"
    case logarithm = "CoreDataLogarithm"
    case naturalLogarithm = "CoreDataNaturalLogarithm"
    case exponential = "CoreDataExponential"
    /// (base, exponent)
    case power = "CoreDataPower"
    case floor = "CoreDataFloor"
    case ceiling = "CoreDataCeiling"
    case truncate = "CoreDataTruncate"
    case absolute = "CoreDataAbsolute"
    /// (dividend, divisor)
    case modulus = "CoreDataModulus"
    case bitwiseXor = "CoreDataBitwiseXor"
    case random = "CoreDataRandom"
    /// (limit): a random integer from 0 up to the limit.
    case randomBelow = "CoreDataRandomBelow"
    /// (bits): the double that an integer's bits are.
    case doubleFromBits = "CoreDataDouble"
    /// (digits): the bytes that hexadecimal digits stand for.
    case blobFromHex = "CoreDataBlob"
    /// (bytes): the bytes as a column of an attribute with external storage has them, in the row itself.
    case inlined = "CoreDataInlined"
    /// (value): the bytes of a value of a column with external storage. A store reads those that are in a file.
    case bytes = "CoreDataBytes"
    /// The time, in seconds since the reference date. Triggers of stores call it, also of Apple's.
    case now = "NSCoreDataNow"

    var argumentCount: Int {
        switch self {
        case .random, .now: 0
        case .fold, .power, .modulus, .bitwiseXor: 2
        case .like, .matches, .localizedOrder: 3
        case .localizedSearch: 4
        default: 1
        }
    }

    var isDeterministic: Bool { self != .random && self != .randomBelow && self != .now }
}

extension SQLTextRelation {
    /// How ``SQLRoutine/localizedSearch`` is told.
    var number: Int {
        switch self {
        case .beginsWith: 0
        case .endsWith: 1
        case .contains: 2
        }
    }
}
