import CoreData
import Foundation
import ModelDocument
import StoreBrowsing

extension Model.Attribute {
    /// The default in the form in which a stored value of the attribute would be printed.
    var defaultJSON: JSONValue {
        if let data = defaultValueData { return .string(data.base64EncodedString()) }
        if type == .date {
            return defaultDateTimeInterval.flatMap(Double.init).map { SQLValue.double($0).json(as: .date) } ?? .null
        }
        guard let text = defaultValueString else { return .null }
        return defaultValue(text).json(as: type)
    }

    private func defaultValue(_ text: String) -> SQLValue {
        switch type {
        case .integer16, .integer32, .integer64: Int64(text).map(SQLValue.int) ?? number(text)
        case .double: number(text)
        // As many digits as the stored double has.
        case .float: Float(text).map { .double(Double($0)) } ?? .text(text)
        case .boolean: .int(Self.isTrue(text) ? 1 : 0)
        default: .text(text)
        }
    }

    private func number(_ text: String) -> SQLValue { Double(text).map(SQLValue.double) ?? .text(text) }

    /// Xcode writes YES and NO; documents by hand say other things too.
    private static func isTrue(_ text: String) -> Bool { ["yes", "true", "1"].contains(text.lowercased()) }
}
