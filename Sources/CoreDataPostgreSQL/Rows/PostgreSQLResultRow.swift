import CoreData
import PostgreSQLClient

/// A row of a result, as dictionaries are made of it: values of all types become what the model says.
struct PostgreSQLResultRow: SQLResultRow {
    private let result: PostgreSQLResult
    private let row: Int

    init(_ result: PostgreSQLResult, row: Int) { (self.result, self.row) = (result, row) }

    private func type(_ column: Int32) -> PostgreSQLType? { PostgreSQLType(result.type(ofColumn: Int(column))) }

    func isNull(_ column: Int32) -> Bool { result.isNull(row, Int(column)) }

    func int(_ column: Int32) -> Int64 {
        switch type(column) {
        case .smallint, .integer, .bigint, .boolean: result.integer(row, Int(column))
        default: Self.clamped(double(column))
        }
    }

    /// The whole part; the nearest integer for a number that none is.
    private static func clamped(_ number: Double) -> Int64 {
        if number.isNaN { return 0 }
        return Int64(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
    }

    func double(_ column: Int32) -> Double {
        switch type(column) {
        case .double: result.floating(row, Int(column))
        case .timestamp: PostgreSQLTime.seconds(result.integer(row, Int(column)))
        case .numeric: digits(column).flatMap { Double($0) } ?? .nan
        case .smallint, .integer, .bigint, .boolean: Double(result.integer(row, Int(column)))
        default: Double(text(column) ?? "") ?? 0
        }
    }

    func text(_ column: Int32) -> String? {
        guard let bytes = result.field(row, Int(column)) else { return nil }
        switch type(column) {
        case .numeric: return digits(column)
        case .uuid: return uuid(column)?.uuidString
        case .smallint, .integer, .bigint, .boolean: return String(int(column))
        case .double, .timestamp: return NSNumber(value: double(column)).stringValue
        default: return String(decoding: bytes, as: UTF8.self)
        }
    }

    func decimal(_ column: Int32) throws -> String {
        switch type(column) {
        case .numeric: try result.numeric(row, Int(column)) ?? ""
        case .double: decimal(of: double(column))
        default: text(column) ?? ""
        }
    }

    /// The digits of a double; `NaN` for one that no decimal has. Foundation makes no decimal of an infinite one: it
    /// ends the program.
    private func decimal(of value: Double) -> String {
        guard value.isFinite, let decimal = Decimal(string: "\(value)", locale: Locale(identifier: "en_US_POSIX"))
        else {
            return "NaN"
        }
        return NSDecimalNumber(decimal: decimal).description(withLocale: nil)
    }

    /// The digits of a decimal; nil for one that is infinite, or no number, as another program may have written it.
    private func digits(_ column: Int32) -> String? { (try? result.numeric(row, Int(column))) ?? nil }

    func blob(_ column: Int32) -> Data? { result.field(row, Int(column)).map { Data($0) } }

    func uuid(_ column: Int32) -> UUID? {
        guard let bytes = result.field(row, Int(column)) else { return nil }
        return bytes.count == 16
            ? UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
            : UUID(uuidString: String(decoding: bytes, as: UTF8.self))
    }

    func value(_ column: Int32) -> SQLValue {
        if isNull(column) { return .null }
        switch type(column) {
        case .smallint, .integer, .bigint, .boolean: return .int(int(column))
        case .double, .timestamp: return .double(double(column))
        case .numeric: return .double(double(column))
        case .bytes, .uuid: return blob(column).map { .blob($0) } ?? .null
        case .text, nil: return text(column).map { .text($0) } ?? .null
        }
    }
}

extension PostgreSQLType {
    /// Whether a reader of this type's values can read those of another one. Integers are read by their length.
    func isRead(from type: PostgreSQLClient.PostgreSQLType) -> Bool {
        let integers: [PostgreSQLType] = [.smallint, .integer, .bigint]
        guard let type = PostgreSQLType(type) else { return false }
        return type == self || integers.contains(type) && integers.contains(self)
    }

    /// The type of a result's column; nil for one that the framework does not use.
    init?(_ type: PostgreSQLClient.PostgreSQLType) {
        switch type {
        case .bool: self = .boolean
        case .bytea: self = .bytes
        case .int8: self = .bigint
        case .int2: self = .smallint
        case .int4: self = .integer
        case .text, .varchar: self = .text
        case .float8: self = .double
        case .timestamptz: self = .timestamp
        case .numeric: self = .numeric
        case .uuid: self = .uuid
        default: return nil
        }
    }
}
