import CoreData
import Foundation
import ModelDocument

extension SQLValue {
    /// The JSON form of a column's value, given the attribute's type.
    ///
    /// A real store may hold any storage class in any column; what the type has no form for is printed as it is stored.
    package func json(as type: Model.AttributeType, dates: DateStyle = .utc) -> JSONValue {
        switch (type, self) {
        case (_, .null): .null
        case (.date, .int), (.date, .double): ISODate.text(self, style: dates).map(JSONValue.string) ?? plainJSON
        case (.decimal, .int(let value)): .string(String(value))
        case (.decimal, .double(let value)): .string(PlainDecimal.text(value.pythonRepresentation))
        case (.decimal, .text(let value)): .string(PlainDecimal.text(value))
        case (.uuid, .blob(let data)) where data.count == 16: .string(Self.uuidText(data))
        case (.binary, .text(let value)), (.transformable, .text(let value)):
            .string(Data(value.utf8).base64EncodedString())
        case (.boolean, .int(let value)): .bool(value != 0)
        case (.boolean, .double(let value)): .bool(value != 0)
        case (.string, .int(let value)), (.uri, .int(let value)): .string(String(value))
        case (.string, .double(let value)), (.uri, .double(let value)):
            .string(value.isFinite ? value.pythonRepresentation : Self.infinity(value))
        default: plainJSON
        }
    }

    /// The value as stored: a number, a text, or base64.
    private var plainJSON: JSONValue {
        switch self {
        case .null: .null
        case .int(let value): .int(value)
        // JSON has no infinity.
        case .double(let value): value.isInfinite ? .string(Self.infinity(value)) : .double(value)
        case .text(let value): .string(value)
        case .blob(let data): .string(data.base64EncodedString())
        }
    }

    private static func infinity(_ value: Double) -> String { value < 0 ? "-inf" : "inf" }

    private static func uuidText(_ data: Data) -> String {
        let digits = data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
        let characters = Array(digits)
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(characters[$0]) }.joined(separator: "-")
    }
}
