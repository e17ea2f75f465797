import Foundation

extension SQLiteDialect {
    /// Lists up to this length are written out, longer ones go as one JSON array.
    private static let longestList = 8

    /// Writes `expression IN (…)` so that lists of similar length share a statement.
    ///
    /// A short list is filled up to a power of two with its last value. A longer one is one parameter, a JSON array: an
    /// index on the column still answers it, and ten thousand values are no more than one.
    package func writeMembership(of expression: SQLExpression, in values: [SQLValue], to writer: inout SQLWriter) {
        guard values.count > Self.longestList else { return writeList(expression, values, to: &writer) }
        let groups = Dictionary(grouping: values, by: ListClass.init).sorted { $0.key.rawValue < $1.key.rawValue }
        writer.write(groups.count > 1 ? "(" : "")
        writer.list(groups, separator: " OR ") { writer, group in
            if hasJSON, group.key != .parameters {
                writeArray(expression, group.value, group.key, to: &writer)
            } else {
                writeList(expression, group.value, to: &writer)
            }
        }
        writer.write(groups.count > 1 ? ")" : "")
    }

    package func writeMembership(of expression: SQLExpression, in keys: SQLKeyList, to writer: inout SQLWriter) {
        writer.operand(expression)
        writer.write(" IN (")
        switch keys {
        case .array(let parameter):
            writer.write("SELECT value FROM json_each(")
            writer.parameter(parameter)
            writer.write(")")
        case .parameters(let count): writer.list(1...count, separator: ",") { $0.parameter($1) }
        }
        writer.write(")")
    }

    private func writeList(_ expression: SQLExpression, _ values: [SQLValue], to writer: inout SQLWriter) {
        guard let last = values.last else { return writer.write("0") }
        var count = 1
        while count < values.count { count *= 2 }
        // Filling up must not be what breaks the limit.
        if count > maximumParameters / 2 { count = values.count }
        writer.operand(expression)
        writer.write(" IN (")
        writer.list(0..<count) { $0.bind($1 < values.count ? values[$1] : last) }
        writer.write(")")
    }

    private func writeArray(
        _ expression: SQLExpression, _ values: [SQLValue], _ kind: ListClass, to writer: inout SQLWriter
    ) {
        writer.operand(expression)
        let element =
            switch kind {
            case .double: "\(name(of: .doubleFromBits))(value)"
            case .blob: "\(name(of: .blobFromHex))(value)"
            case .int, .text, .parameters: "value"
            }
        writer.write(" IN (SELECT \(element) FROM json_each(")
        writer.bind(.text(Self.jsonArray(values)))
        writer.write("))")
    }

    static func jsonArray(_ values: [SQLValue]) -> String {
        var json = "["
        for (index, value) in values.enumerated() {
            if index > 0 { json += "," }
            switch value {
            case .int(let number): json += String(number)
            // The text of a double may come back as its neighbour; its bits don't.
            case .double(let number): json += String(Int64(bitPattern: number.bitPattern))
            case .text(let text): append(text, to: &json)
            case .blob(let data): json += "\"" + SQLHex.encoded(data) + "\""
            case .null: json += "null"
            }
        }
        return json + "]"
    }

    private static func append(_ text: String, to json: inout String) {
        json += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": json += "\\\""
            case "\\": json += "\\\\"
            case "\u{1}"..."\u{1F}": json += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: json.unicodeScalars.append(scalar)
            }
        }
        json += "\""
    }
}

/// How the values of a list are written.
private enum ListClass: Int {
    case int, double, text, blob
    /// Values that only parameters can carry: a text with a NUL inside.
    case parameters

    init(_ value: SQLValue) {
        switch value {
        case .int: self = .int
        case .double: self = .double
        case .blob: self = .blob
        case .text(let text): self = text.utf8.contains(0) ? .parameters : .text
        case .null: self = .parameters
        }
    }
}
