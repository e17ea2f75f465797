import CoreData
import PostgreSQLClient

extension PostgreSQLQuery {
    /// The values as the connection sends them.
    var values: PostgreSQLParameters {
        get throws {
            var values = PostgreSQLParameters()
            for parameter in parameters { try parameter.append(to: &values) }
            return values
        }
    }
}

extension PostgreSQLParameter {
    fileprivate func append(to values: inout PostgreSQLParameters) throws {
        if isArray { return try appendArray(to: &values) }
        guard let value = self.values.first else { return values.appendNull() }
        switch (value, type) {
        case (.null, _): values.appendNull()
        case (.int(let number), .boolean): values.append(bool: number != 0)
        case (.int(let number), .smallint): try values.append(int: number, as: .int2)
        case (.int(let number), .integer): try values.append(int: number, as: .int4)
        case (.int(let number), .double): values.append(double: Double(number))
        case (.int(let number), .numeric): try values.append(numeric: String(number))
        case (.int(let number), _): values.append(int64: number)
        case (.double(let seconds), .timestamp): values.append(timestamp: Self.timestamp(seconds))
        case (.double(let number), .numeric): try values.append(numeric: "\(number)")
        case (.double(let number), _): values.append(double: number)
        case (.text(let text), .numeric): try values.append(numeric: text)
        case (.text(let text), _): try values.append(text: text)
        case (.blob(let data), .uuid): try values.append(uuid: Self.uuid(data))
        case (.blob(let data), _): try values.append(data: data)
        }
    }

    /// Appends a list. What a column's type can't have equals no value of the column, and is left out.
    private func appendArray(to values: inout PostgreSQLParameters) throws {
        let elements = self.values
        switch type {
        case .bigint: try values.append(int64s: elements.compactMap(\.integer))
        case .integer: try values.append(int32s: elements.compactMap { $0.integer.flatMap { Int32(exactly: $0) } })
        case .smallint: try values.append(int16s: elements.compactMap { $0.integer.flatMap { Int16(exactly: $0) } })
        case .boolean: try values.append(bools: elements.compactMap { $0.integer.map { $0 != 0 } })
        case .double: try values.append(doubles: elements.compactMap(\.number))
        case .timestamp: try values.append(timestamps: elements.compactMap(\.number).map { Self.timestamp($0) })
        case .numeric: try values.append(numerics: elements.compactMap(\.digits))
        case .text: try values.append(texts: elements.compactMap(\.text))
        case .uuid: try values.append(uuids: elements.compactMap { try $0.data.map { try Self.uuid($0) } })
        case .bytes: try values.append(byteArrays: elements.compactMap { $0.data.map { [UInt8]($0) } })
        }
    }

    /// A date that no column can have is before or after all of them.
    private static func timestamp(_ seconds: Double) -> Int64 {
        PostgreSQLTime.microseconds(seconds) ?? (seconds < 0 ? .min : .max)
    }

    private static func uuid(_ data: Data) throws -> UUID {
        guard data.count == 16 else { defect("A UUID has \(data.count) bytes.") }
        return data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}

extension SQLValue {
    fileprivate var integer: Int64? { if case .int(let value) = self { value } else { nil } }
    /// The digits of a number.
    fileprivate var digits: String? {
        switch self {
        case .text(let text): text
        case .int(let value): String(value)
        case .double(let value): value.isFinite ? "\(value)" : nil
        case .null, .blob: nil
        }
    }

    fileprivate var text: String? { if case .text(let value) = self { value } else { nil } }
    fileprivate var data: Data? { if case .blob(let value) = self { value } else { nil } }
}
