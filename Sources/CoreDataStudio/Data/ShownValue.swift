import CoreData
import Foundation
import StoreBrowsing

/// Values of attributes as the page gets them: bounded in size, exact, and as text where JavaScript's numbers are not.
struct ShownValue {
    /// How many characters of a text are sent.
    var longest: Int

    /// - Returns: null, a truth value or a text; `{"text", "length"}` for what is cut; `{"date", "iso"}` for dates, in
    ///   seconds since 2001 and in UTC; `{"bytes", "kind", "width", "height", "color"}` for data.
    func json(_ value: Any?, _ type: NSAttributeType) -> JSON {
        switch value {
        case nil, is NSNull: return .null
        case let text as String: return cut(text)
        case let date as Date: return json(date)
        case let data as Data: return json(data)
        case let uuid as UUID: return .text(uuid.uuidString)
        case let url as URL: return cut(url.absoluteString)
        case let decimal as NSDecimalNumber: return .text(decimal.description(withLocale: nil))
        case let number as NSNumber: return json(number, type)
        case let value?: return cut("\(value)")
        }
    }

    private func cut(_ text: String) -> JSON {
        guard text.utf8.count > longest else { return .text(text) }
        let length = text.unicodeScalars.count
        guard length > longest else { return .text(text) }
        let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(longest)))
        return ["text": .text(start), "length": .integer(length)]
    }

    private func json(_ date: Date) -> JSON {
        let seconds = date.timeIntervalSinceReferenceDate
        return ["date": .text("\(seconds)"), "iso": .optional(ISODate.text(.double(seconds)))]
    }

    private func json(_ data: Data) -> JSON {
        let start = data.prefix(1 << 16)
        let kind = DataKind(of: start, isWhole: start.count == data.count)
        var members: [String: JSON] = ["bytes": .integer(data.count), "kind": .text(kind.rawValue)]
        if let size = RasterSize(of: data, kind) {
            members["width"] = .integer(size.width)
            members["height"] = .integer(size.height)
        }
        // A transformable colour is an archive in the store.
        if [.propertyList, .xml].contains(kind), let color = ArchivedColor.text(of: data) {
            members["color"] = .text(color)
        }
        return .object(members)
    }

    private func json(_ number: NSNumber, _ type: NSAttributeType) -> JSON {
        switch type {
        case .booleanAttributeType: .bool(number.boolValue)
        case .floatAttributeType: .text("\(number.floatValue)")
        case .doubleAttributeType: .text("\(number.doubleValue)")
        default: .text(number.stringValue)
        }
    }
}
