import Foundation

@testable import CoreDataStudio

extension JSON {
    /// Reads a text of JSON, many times as fast as a decoder, which throws an error for each kind that a value is not.
    /// A whole number is an integer, also where it is written with a fraction of zero.
    static func read(_ text: Data) throws -> JSON { JSON(parsed: try JSONSerialization.jsonObject(with: text)) }

    /// - Parameter parsed: What Foundation made of a text.
    private init(parsed: Any) {
        switch parsed {
        case let text as String: self = .text(text)
        case let items as [Any]: self = .array(items.map(JSON.init(parsed:)))
        case let members as [String: Any]: self = .object(members.mapValues(JSON.init(parsed:)))
        case let number as NSNumber where number.objCType.pointee == CChar(UInt8(ascii: "c")):
            self = .bool(number.boolValue)
        case let number as NSNumber: self = Int(exactly: number).map(JSON.integer) ?? .number(number.doubleValue)
        default: self = .null
        }
    }

    /// The values of an object by their names.
    var named: [String: JSON] { if case .object(let members) = self { members } else { [:] } }

    var int: Int? { if case .integer(let number) = self { number } else { nil } }
}
