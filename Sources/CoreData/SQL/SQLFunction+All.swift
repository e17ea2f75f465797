import FoundationGaps

extension SQLFunction {
    /// All functions that translated statements call.
    package static let all: [SQLFunction] = SQLRoutine.allCases.map { routine in
        SQLFunction(routine.rawValue, routine.argumentCount, isDeterministic: routine.isDeterministic) { arguments in
            // As everywhere in SQL, what is computed of the unknown is unknown.
            if arguments.contains(where: \.isNull) { return .null }
            return try routine.result(arguments)
        }
    }
}

extension SQLCollation {
    /// The orders that sort descriptors ask for; `compare:` is the database's own.
    package static let all: [SQLCollation] = SortComparison.allCases.compactMap { comparison -> SQLCollation? in
        guard let name = name(of: comparison) else { return nil }
        return SQLCollation(name) { comparison.order($0, $1) }
    }

    /// The name under which a connection knows the order; nil for its own.
    package static func name(of comparison: SortComparison) -> String? {
        switch comparison {
        case .standard: nil
        case .caseInsensitive: "CoreDataCaseInsensitive"
        case .localized: "CoreDataLocalized"
        case .localizedCaseInsensitive: "CoreDataLocalizedCaseInsensitive"
        case .localizedStandard: "CoreDataLocalizedStandard"
        }
    }
}

extension SQLRoutine {
    /// The function's value for arguments of which none is null.
    fileprivate func result(_ arguments: [SQLValue]) throws -> SQLValue {
        switch self {
        case .fold: .text(StringComparison.folded(arguments[0].string, arguments[1].options))
        case .like:
            SQLValue(
                StringPatternCache.shared.like(arguments[1].string, arguments[2].options).matches(arguments[0].string))
        case .matches:
            SQLValue(
                try StringPatternCache.shared.matching(arguments[1].string, arguments[2].options)
                    .matches(arguments[0].string))
        case .localizedOrder:
            .int(
                Int64(StringComparison.order(arguments[0].string, arguments[1].string, arguments[2].options).rawValue))
        case .localizedSearch: SQLValue(Self.localizedSearch(arguments))
        case .uppercase: .text(arguments[0].string.uppercased())
        case .lowercase: .text(arguments[0].string.lowercased())
        case .canonical:
            .text(StringComparison.folded(arguments[0].string, [.caseInsensitive, .diacriticInsensitive]))
        case .length: .int(Int64(arguments[0].string.utf16.count))
        case .text: .text(arguments[0].string)
        case .random: .int(Int64.random(in: 0...Int64(Int32.max)))
        case .randomBelow: arguments[0].whole.flatMap { $0 > 0 ? .int(Int64.random(in: 0..<$0)) : nil } ?? .null
        case .doubleFromBits: arguments[0].whole.map { .double(Double(bitPattern: UInt64(bitPattern: $0))) } ?? .null
        case .blobFromHex: SQLHex.decoded(arguments[0].string).map { .blob($0) } ?? .null
        case .inlined: arguments[0].blob.map { .blob(Data([1]) + $0) } ?? .null
        case .bytes: arguments[0].blob.map { .blob($0.first == 1 ? $0.dropFirst() : $0) } ?? .null
        case .now: .double(Date().timeIntervalSinceReferenceDate)
        default: number(arguments)
        }
    }

    private static func localizedSearch(_ arguments: [SQLValue]) -> Bool {
        let (text, part) = (arguments[0].string, arguments[1].string)
        if part.isEmpty { return true }
        var options: String.CompareOptions = []
        if arguments[3].options.contains(.caseInsensitive) { options.insert(.caseInsensitive) }
        if arguments[3].options.contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
        switch arguments[2].whole {
        case 0: options.insert(.anchored)
        case 1: options.formUnion([.anchored, .backwards])
        default: break
        }
        return text.range(of: part, options: options, locale: .current) != nil
    }

    private func number(_ arguments: [SQLValue]) -> SQLValue {
        let whole = arguments.compactMap(\.whole)
        if whole.count == arguments.count, let first = whole.first, let last = whole.last,
            let result = self.whole(first, last)
        {
            return result
        }
        let numbers = arguments.compactMap(\.number)
        guard numbers.count == arguments.count, let first = numbers.first, let last = numbers.last else { return .null }
        return .finite(double(first, last))
    }

    /// The results that are whole for whole arguments; nil for all others.
    private func whole(_ first: Int64, _ second: Int64) -> SQLValue? {
        switch self {
        case .floor, .ceiling, .truncate: return .int(first)
        case .absolute: return first == .min ? nil : .int(abs(first))
        case .bitwiseXor: return .int(first ^ second)
        case .modulus where second == 0: return .null
        case .modulus: return .int(second == -1 ? 0 : first % second)
        case .power:
            // Up to 2^53 floating point holds every integer.
            guard second >= 0, let result = Int64(exactly: pow(Double(first), Double(second))) else { return nil }
            return result.magnitude <= 1 << 53 ? .int(result) : nil
        default: return nil
        }
    }

    private func double(_ first: Double, _ second: Double) -> Double {
        switch self {
        case .squareRoot: first.squareRoot()
        case .logarithm: log10(first)
        case .naturalLogarithm: log(first)
        case .exponential: exp(first)
        case .power: pow(first, second)
        case .floor: first.rounded(.down)
        case .ceiling: first.rounded(.up)
        case .truncate: first.rounded(.towardZero)
        case .absolute: first.magnitude
        case .modulus: first.truncatingRemainder(dividingBy: second)
        default: .nan
        }
    }
}

extension SQLValue {
    /// An argument as text.
    fileprivate var string: String {
        switch self {
        case .text(let text): text
        case .int(let value): String(value)
        case .double(let value): NSNumber(value: value).stringValue
        case .blob(let data): String(decoding: data, as: UTF8.self)
        case .null: ""
        }
    }

    fileprivate var whole: Int64? { if case .int(let value) = self { value } else { nil } }

    fileprivate var options: NSComparisonPredicate.Options { SQLFolding(rawValue: Int(whole ?? 0)).options }

    /// A number; what is none is NULL, as in SQLite.
    fileprivate static func finite(_ value: Double) -> SQLValue { value.isNaN ? .null : .double(value) }
}
