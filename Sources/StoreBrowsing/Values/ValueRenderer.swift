import CoreData
import Foundation
import ModelDocument

/// Shows values as JSON the way the user asked for.
package struct ValueRenderer {
    package var dates = DateStyle.utc
    /// Whether property lists and keyed archives become JSON.
    package var decodes = false
    /// Where binary data goes; nil: into the output, as base64.
    package var blobs: BlobFolder?
    /// Whether data that is neither decoded nor written to a file is shown as its size: for the eye.
    package var abbreviatesData = false

    package init(dates: DateStyle = .utc, decodes: Bool = false, blobs: BlobFolder? = nil) {
        (self.dates, self.decodes, self.blobs) = (dates, decodes, blobs)
    }

    /// The JSON form of a value of an attribute.
    ///
    /// - Parameter place: Object and attribute, `Player/p3.photo`.
    /// - Throws: ``ToolFailure`` where a blob can't be written.
    package func json(_ value: SQLValue, as type: Model.AttributeType, at place: String) throws -> JSONValue {
        guard type == .binary || type == .transformable, decodes || blobs != nil || abbreviatesData else {
            return value.json(as: type, dates: dates)
        }
        switch value {
        case .blob(let data): return try json(data, at: place)
        case .text(let text): return try json(Data(text.utf8), at: place)
        case .null, .int, .double: return value.json(as: type, dates: dates)
        }
    }

    /// Whether values of this kind have the form that `SQLValue.json` gives them, with dates in UTC.
    package func isPlain(_ kind: SlotKind) -> Bool {
        switch kind {
        case .binary, .transformable: !decodes && blobs == nil && !abbreviatesData
        case .date: dates == .utc
        default: true
        }
    }

    private func json(_ data: Data, at place: String) throws -> JSONValue {
        let decoded = decodes ? ArchivedJSON.decode(data, dates: dates) : nil
        guard let blobs else {
            return decoded ?? .string(abbreviatesData ? "<\(data.count) bytes>" : data.base64EncodedString())
        }
        var members = try blobs.write(data, for: place)
        members["value"] = decoded
        return .object(members)
    }

    /// A date as text.
    package func date(_ seconds: Double) -> String { ISODate.text(.double(seconds), style: dates) ?? "\(seconds)" }
}
