import Foundation
import ModelFormat
import PropertyLists

extension PropertyListValue {
    /// Reads a property list, binary or XML.
    ///
    /// `PropertyListSerialization` is for lists that one has written oneself: on Linux some damaged ones end the
    /// process.
    ///
    /// - Throws: `CocoaError.fileReadCorruptFile` (259) where the data is no property list. Time and memory are bounded
    ///   by the data's size.
    package init(propertyList data: Data) throws {
        if data.starts(with: "bplist".utf8) {
            self = try PropertyListValue(binary: data)
        } else {
            self.init(try Self.xml(data))
        }
    }

    private static func xml(_ data: Data) throws -> Model.UserInfoValue {
        do {
            return try Model.UserInfoValue(propertyListData: data)
        } catch {
            throw corruptArchive("The data is no property list: \((error as NSError).localizedDescription)")
        }
    }

    private init(_ value: Model.UserInfoValue) {
        switch value {
        case .string(let text): self = .string(text)
        case .integer(let number): self = .integer(number)
        case .real(let number): self = .real(number)
        case .boolean(let flag): self = .boolean(flag)
        case .date(let seconds): self = .date(seconds)
        case .data(let bytes): self = .data(bytes)
        case .array(let elements): self = .array(elements.map { Self($0) })
        case .dictionary(let entries): self = .dictionary(entries.mapValues { Self($0) })
        }
    }

    /// The list of a file as Foundation's values: strings, numbers, dates, data, and arrays and dictionaries of these.
    ///
    /// - Throws: As ``init(propertyList:)``; also where the list refers to one container so often that its values would
    ///   be more than the file has bytes.
    package static func foundationValue(of data: Data) throws -> Any {
        var room = data.count
        return try PropertyListValue(propertyList: data).foundationValue(&room)
    }

    private func foundationValue(_ room: inout Int) throws -> Any {
        room -= 1
        guard room >= 0 else { throw corruptArchive("The property list repeats its parts without end.") }
        switch self {
        case .null: return NSNull()
        case .boolean(let flag): return NSNumber(value: flag)
        case .integer(let number): return NSNumber(value: number)
        case .unsigned(let number): return NSNumber(value: number)
        case .real(let number): return NSNumber(value: number)
        case .date(let seconds): return Date(timeIntervalSinceReferenceDate: seconds)
        case .data(let bytes): return bytes
        case .string(let text): return text
        case .uid: throw corruptArchive("The property list holds references of a keyed archive.")
        case .array(let elements): return try elements.map { try $0.foundationValue(&room) }
        case .dictionary(let entries): return try entries.mapValues { try $0.foundationValue(&room) }
        }
    }

    /// A value of Foundation's or Swift's: a string, number, date, data, or an array or dictionary of these.
    ///
    /// `PropertyListSerialization` refuses arrays in programs that have the standard library linked into them.
    ///
    /// - Throws: `CocoaError.propertyListWriteInvalid` (3852) for anything else.
    package init(foundation value: Any) throws {
        switch value {
        case let text as String: self = .string(text)
        case let number as NSNumber: self.init(number)
        case let date as Date: self = .date(date.timeIntervalSinceReferenceDate)
        case let data as Data: self = .data(data)
        case let elements as [Any]: self = .array(try elements.map { try Self(foundation: $0) })
        case let entries as [String: Any]: self = .dictionary(try entries.mapValues { try Self(foundation: $0) })
        default:
            throw CocoaError(
                .propertyListWriteInvalid,
                userInfo: [NSDebugDescriptionErrorKey: "A property list can't hold a \(type(of: value))."])
        }
    }

    private init(_ number: NSNumber) {
        switch String(cString: number.objCType) {
        // Foundation on Linux has this code for `Bool` and `Int8`.
        case "c", "B":
            self = [0, 1].contains(number.intValue) ? .boolean(number.boolValue) : .integer(number.int64Value)
        case "d", "f": self = .real(number.doubleValue)
        case "Q" where number.uint64Value > Int64.max: self = .unsigned(number.uint64Value)
        default: self = number is NSDecimalNumber ? .real(number.doubleValue) : .integer(number.int64Value)
        }
    }
}
