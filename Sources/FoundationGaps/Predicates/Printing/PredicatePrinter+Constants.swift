import Foundation

extension PredicatePrinter {
    mutating func print(_ value: PredicateValue) {
        switch value {
        case .null: write("nil")
        case .integer(let number): write(String(number))
        case .double(let number): print(number)
        case .decimal(let number): write(number.description)
        case .string(let string): write(Self.quoted(string))
        case .date(let date):
            write("CAST(")
            print(date.timeIntervalSinceReferenceDate)
            write(", \"NSDate\")")
        case .data(let data): write("<\(data.map { Self.hexadecimal($0) }.joined())>")
        case .uuid(let uuid): write(uuid.uuidString)
        case .url(let url): write(url.absoluteString)
        case .collection(let collection): print(collection)
        case .object(let object): write("\(object)")
        case .other(let value): write("\(value)")
        }
    }

    /// Without a fraction where there is none, as `NSNumber` describes itself.
    private mutating func print(_ number: Double) {
        if let whole = Int64(exactly: number), whole.magnitude < 1 << 53 {
            write(String(whole))
        } else {
            write(String(number))
        }
    }

    private mutating func print(_ collection: PredicateCollection) {
        write("{")
        for (index, element) in collection.elements.enumerated() {
            if index > 0 { write(", ") }
            switch PredicateValue(element) {
            // Inside a constant collection Apple prints dates by their description.
            case .date(let date): write(date.description)
            case let value: print(value)
            }
        }
        write("}")
    }

    private static func quoted(_ string: String) -> String {
        var text = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return byte < 16 ? "0" + digits : digits
    }
}
