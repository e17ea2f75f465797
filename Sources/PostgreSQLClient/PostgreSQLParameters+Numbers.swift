extension PostgreSQLParameters {
    /// Appends an integer in the form that a parameter's type wants.
    ///
    /// - Parameters:
    ///   - value: The number.
    ///   - type: The type of the parameter: `int2`, `int4`, `int8`, `oid` or `numeric`. No type means `int8`.
    /// - Throws: ``PostgreSQLError`` of the kind `invalidParameter` for a number that the type does not have, and for
    ///   another type.
    @inlinable
    package mutating func append(int value: Int64, as type: PostgreSQLType) throws {
        switch type {
        case .int8, .unspecified: append(value, .int8)
        case .int4: append(try exactly(value, type) as Int32, .int4)
        case .int2: append(try exactly(value, type) as Int16, .int2)
        default: try append(rareInt: value, as: type)
        }
    }

    @usableFromInline
    mutating func append(rareInt value: Int64, as type: PostgreSQLType) throws {
        switch type {
        case .oid: append(try exactly(value, type) as UInt32, .oid)
        case .numeric: try append(numeric: String(value))
        default:
            throw PostgreSQLError(
                .invalidParameter, "Parameter \(next) is of the type \(type.rawValue), which is none of integers.")
        }
    }

    @inlinable
    func exactly<T: FixedWidthInteger>(_ value: Int64, _ type: PostgreSQLType) throws -> T {
        guard let exact = T(exactly: value) else { throw outOfRange(value, type) }
        return exact
    }

    @usableFromInline
    func outOfRange(_ value: Int64, _ type: PostgreSQLType) -> PostgreSQLError {
        let names: [PostgreSQLType: String] = [.int2: "smallint", .int4: "integer", .oid: "oid"]
        return PostgreSQLError(
            .invalidParameter, "Parameter \(next) is \(value), which a \(names[type] ?? "number") can't be.")
    }

    /// Appends a decimal number.
    ///
    /// - Parameter text: A sign, digits with an optional point, an optional exponent: `-12.50`, `.5`, `1e-20`. Zeros at
    ///   the end of a fraction are kept.
    /// - Throws: ``PostgreSQLError`` of the kind `invalidParameter` for another text, and for a number that has more
    ///   digits than the server's `numeric`. `NaN` is none that a decimal number of an app should be.
    package mutating func append(numeric text: String) throws {
        let start = bytes.count
        guard NumericText.append(text[...].utf8, to: &bytes) else {
            bytes.removeSubrange(start...)
            throw PostgreSQLError(.invalidParameter, "Parameter \(next) is no decimal number that PostgreSQL can have.")
        }
        note(.numeric, from: start)
    }
}
