import CoreData
import Foundation

extension ValueRenderer {
    /// The JSON form of a value as an object has it.
    ///
    /// - Parameter place: Object and attribute, `Player/p3.photo`.
    /// - Throws: ``ToolFailure`` where a blob can't be written.
    package func json(_ value: Any?, at place: String) throws -> JSONValue {
        switch value {
        case nil, is NSNull: .null
        case let text as String: .string(text)
        case let date as Date: .string(self.date(date.timeIntervalSinceReferenceDate))
        case let data as Data: try json(.blob(data), as: .binary, at: place)
        case let uuid as UUID: .string(uuid.uuidString)
        case let url as URL: .string(url.absoluteString)
        case let decimal as NSDecimalNumber: .string(decimal.description(withLocale: nil))
        case let number as NSNumber: Self.json(number)
        case let value?: .string("\(value)")
        }
    }

    private static func json(_ number: NSNumber) -> JSONValue {
        if let integer = Int64(number.stringValue) { return .int(integer) }
        return number.doubleValue.isFinite ? .double(number.doubleValue) : .string(number.stringValue)
    }
}

extension NSManagedObjectID {
    /// Entity and key: `Player/p12`.
    package var shortIdentifier: String { uriRepresentation().pathComponents.suffix(2).joined(separator: "/") }
}
