import CoreData

/// Values that are to have one type: the sides of a comparison, the branches of a choice.
struct PostgreSQLUnion {
    private let terms: [PostgreSQLTerm]

    init(_ terms: [PostgreSQLTerm]) { self.terms = terms }

    /// All values as ones of the same type, and the type; nil where all are NULL.
    func unified() -> (all: [SQLExpression], type: PostgreSQLType?) {
        guard let type = type.type else { return (terms.map(\.expression), nil) }
        return (terms.map { converted($0, to: type) }, type)
    }

    /// Integers of all sizes compare with each other, so that an index of a column answers.
    private func converted(_ term: PostgreSQLTerm, to type: PostgreSQLType) -> SQLExpression {
        if term.constant == nil, type.isInteger, term.type?.isInteger == true { return term.expression }
        return term.converted(to: type)
    }

    /// The type, and whether each constant is a value of it.
    var type: (type: PostgreSQLType?, isExact: Bool) {
        let known = terms.compactMap { $0.constant == nil ? $0.type : nil }
        let constants = terms.compactMap { $0.constant == .null ? nil : $0.constant }
        let first = common(known)
        guard let first else { return (natural(constants), true) }
        for type in first.wider where constants.allSatisfy({ $0.converted(to: type) != nil }) { return (type, true) }
        return (first, constants.isEmpty)
    }

    /// The type in which all values of some types have a place.
    private func common(_ types: [PostgreSQLType]) -> PostgreSQLType? {
        guard let first = types.first else { return nil }
        return types.dropFirst().reduce(first) { Self.common($0, $1) }
    }

    private static func common(_ a: PostgreSQLType, _ b: PostgreSQLType) -> PostgreSQLType {
        if a == b { return a }
        let both = [a, b]
        if both.contains(.text) { return .text }
        if both.contains(.bytes) || both.contains(.uuid) { return .bytes }
        if both.contains(.timestamp) || both.contains(.double) { return .double }
        if both.contains(.numeric) { return .numeric }
        return a.bits > b.bits ? a : b == .boolean ? .integer : b
    }

    /// The type of constants alone.
    private func natural(_ constants: [SQLValue]) -> PostgreSQLType? { common(constants.compactMap(\.naturalType)) }
}

extension PostgreSQLType {
    /// The types, this one first, in which all values of this one have a place, and more constants.
    fileprivate var wider: [PostgreSQLType] {
        switch self {
        case .boolean: [.boolean, .integer, .bigint, .double, .numeric]
        case .smallint: [.smallint, .bigint, .double, .numeric]
        case .integer: [.integer, .bigint, .double, .numeric]
        // Doubles do not have all large integers.
        case .bigint: [.bigint, .numeric]
        case .timestamp: [.timestamp, .double]
        case .double, .numeric, .text, .bytes: [self]
        case .uuid: [.uuid, .bytes]
        }
    }
}
