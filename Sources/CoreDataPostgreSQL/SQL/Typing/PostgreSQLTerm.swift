import CoreData
import FoundationGaps

/// An expression with the type that its value has in PostgreSQL.
struct PostgreSQLTerm {
    var expression: SQLExpression
    /// Nil for NULL, and for a constant, which takes the type of what it meets.
    var type: PostgreSQLType?
    /// The value of a constant.
    var constant: SQLValue?
    /// Whether the constant stands in the text, as an index's do.
    var isLiteral = false
    /// Whether the constant meets values of rows only. Then it may be one that PostgreSQL can't store.
    var isCompared = false
    /// A bound for an integer: it is less than 2 to this power.
    var bits = 63
    /// What SQLite would turn a value into that meets this one.
    var affinity = Affinity.none

    /// How SQLite compares a text with a number: as what the column is.
    enum Affinity { case none, number, text }

    init(_ expression: SQLExpression, _ type: PostgreSQLType?, affinity: Affinity = .none) {
        (self.expression, self.type, self.affinity) = (expression, type, affinity)
        bits = type?.bits ?? 63
    }

    /// A value that is known by now. What is no number is NULL, as in SQLite.
    init(constant: SQLValue, isLiteral: Bool, isCompared: Bool = false) {
        let constant = constant.isNotANumber ? .null : constant
        expression = isLiteral ? .constant(constant) : .value(constant)
        (self.constant, self.isLiteral, self.isCompared) = (constant, isLiteral, isCompared)
        if case .int(let value) = constant { bits = value.magnitude < 1 << 31 ? 31 : 63 }
    }

    static let null = PostgreSQLTerm(.null, nil)

    /// The values of a text column whose texts are compared byte by byte anyway.
    var isColumn: Bool {
        switch expression {
        case .column, .outerColumn: true
        default: false
        }
    }

    var isNull: Bool { expression == .null || constant == .null }

    /// What kind of value it is; nil for NULL.
    var kind: Kind? {
        switch constant {
        case .int, .double: return .number
        case .text: return .text
        case .blob: return .bytes
        case .null: return nil
        case nil: break
        }
        switch type {
        case .boolean, .smallint, .integer, .bigint, .double, .numeric, .timestamp: return .number
        case .text: return .text
        case .uuid, .bytes: return .bytes
        case nil: return nil
        }
    }

    /// The kinds in their order: SQLite says that every number is less than every text.
    enum Kind: Int { case number, text, bytes }
}

extension PostgreSQLType {
    var isInteger: Bool { self == .smallint || self == .integer || self == .bigint }

    var bits: Int {
        switch self {
        case .boolean: 1
        case .smallint: 15
        case .integer: 31
        default: 63
        }
    }
}

// MARK: Conversions

extension PostgreSQLTerm {
    /// The value as one of a type, where that loses nothing, or is what SQLite would do.
    ///
    /// A constant that the type does not have is converted by the database.
    func converted(to target: PostgreSQLType) -> SQLExpression {
        if let constant { return self.constant(constant, as: target) }
        guard let type, type != target else { return type == nil ? .form("NULL::\(target.rawValue)", []) : expression }
        switch (type, target) {
        case (.smallint, .integer), (.smallint, .bigint), (.integer, .bigint): return cast(target)
        case (.boolean, .integer): return cast(.integer)
        case (.boolean, _) where target.isInteger || target == .double || target == .numeric:
            return .form("@::integer::\(target.rawValue)", [expression])
        case (_, .boolean): return .form("(@ <> 0)", [numeric.expression])
        case (.timestamp, .double): return seconds
        case (.timestamp, _) where target != .text: return PostgreSQLTerm(seconds, .double).converted(to: target)
        case (_, .timestamp): return .form("coredata.date(@)", [converted(to: .double)])
        case (.text, .double): return .form("coredata.leading_number(@)", [expression])
        case (.text, _) where target != .bytes && target != .uuid:
            return PostgreSQLTerm(converted(to: .double), .double).converted(to: target)
        case (.double, _) where target.isInteger, (.numeric, _) where target.isInteger:
            return .form("coredata.whole(@)", [expression])
        case (.double, .numeric): return .form("coredata.decimal(@)", [expression])
        case (.uuid, .bytes): return .form("uuid_send(@)", [expression])
        case (.bytes, .uuid): return .form("encode(@, 'hex')::uuid", [expression])
        case (_, .text): return asText
        default: return cast(target)
        }
    }

    private func cast(_ target: PostgreSQLType) -> SQLExpression { .form("@::\(target.rawValue)", [expression]) }

    private var seconds: SQLExpression { .form("coredata.seconds(@)", [expression]) }

    /// The text of a number, as the framework prints it.
    private var asText: SQLExpression {
        switch type {
        case .double: .form("coredata.text(@)", [expression])
        case .timestamp: .form("coredata.text(@)", [seconds])
        case .boolean: .form("@::integer::text", [expression])
        case .numeric: .form("coredata.text(@)", [expression])
        case .bytes: .form("convert_from(@, 'UTF8')", [expression])
        default: .form("@::text", [expression])
        }
    }

    /// The value as a number that PostgreSQL computes with.
    var numeric: PostgreSQLTerm {
        if constant != nil { return self }
        switch type {
        case .boolean: return with(.integer, bits: 1)
        case .timestamp, .text, .bytes, .uuid: return PostgreSQLTerm(converted(to: .double), .double)
        case .smallint, .integer, .bigint, .double, .numeric, nil: return self
        }
    }

    private func with(_ type: PostgreSQLType, bits: Int) -> PostgreSQLTerm {
        var term = PostgreSQLTerm(converted(to: type), type)
        term.bits = bits
        return term
    }

    /// The value with the type that it has by itself.
    var natural: PostgreSQLTerm {
        guard let constant else { return self }
        let type = constant.naturalType
        guard let type else { return .null }
        var term = PostgreSQLTerm(self.constant(constant, as: type), type)
        term.bits = bits
        return term
    }

    private func constant(_ value: SQLValue, as target: PostgreSQLType) -> SQLExpression {
        if let known = value.converted(to: target) { return written(known, target) }
        guard let type = value.naturalType, type != target else { return written(value, target) }
        return PostgreSQLTerm(written(value, type), type).converted(to: target)
    }

    private func written(_ value: SQLValue, _ type: PostgreSQLType) -> SQLExpression {
        let value = isCompared ? value.withoutNUL : value
        if isLiteral { return type.literal(value) }
        if isCompared, isInfinite, type == .numeric {
            return .form("@::numeric", [written(constant ?? value, .double)])
        }
        return .typed(SQLTypedValue(value, as: type.rawValue))
    }
}
