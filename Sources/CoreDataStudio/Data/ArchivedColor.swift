import Foundation
import StoreBrowsing

/// Colours that apps keep as keyed archives: `NSColor` and `UIColor`. No class is instantiated.
enum ArchivedColor {
    /// An archive of one colour is small.
    static let mostBytes = 16 << 10

    /// The colour as `#RRGGBB`, or as `#RRGGBBAA` where it is not opaque; nil for what is none, and for one that only a
    /// catalogue of the app has.
    static func text(of data: Data) -> String? {
        guard data.count <= mostBytes, let value = ArchivedJSON.decode(data, dates: .utc) else { return nil }
        return text(of: value, depth: 0)
    }

    private static func text(of value: JSONValue, depth: Int) -> String? {
        guard case .object(let fields) = value, case .string(let name)? = fields["$class"],
            ["NSColor", "UIColor"].contains(name), depth < 4
        else { return nil }
        if let parts = components(fields) { return hexadecimal(parts) }
        // A colour of a catalogue has what it was when it was archived.
        return fields["NSColor"].flatMap { text(of: $0, depth: depth + 1) }
    }

    /// Red, green, blue and opacity, from 0 to 1.
    private static func components(_ fields: [String: JSONValue]) -> [Double]? {
        if let red = fields["UIRed"]?.number, let green = fields["UIGreen"]?.number, let blue = fields["UIBlue"]?.number
        {
            return [red, green, blue, fields["UIAlpha"]?.number ?? 1]
        }
        if let white = fields["UIWhite"]?.number { return [white, white, white, fields["UIAlpha"]?.number ?? 1] }
        if let parts = fields["NSRGB"]?.numbers, (3...4).contains(parts.count) {
            return parts.prefix(3) + [parts.opacity(3)]
        }
        if let parts = fields["NSWhite"]?.numbers, (1...2).contains(parts.count) {
            return [parts[0], parts[0], parts[0], parts.opacity(1)]
        }
        if let parts = fields["NSCMYK"]?.numbers, (4...5).contains(parts.count) {
            return parts.prefix(3).map { (1 - $0) * (1 - parts[3]) } + [parts.opacity(4)]
        }
        return nil
    }

    private static func hexadecimal(_ parts: [Double]) -> String? {
        guard parts.allSatisfy(\.isFinite) else { return nil }
        let bytes = parts.map { Int((min(max($0, 0), 1) * 255).rounded()) }
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
        return "#" + (bytes.last == 255 ? digits.dropLast() : digits[...]).joined()
    }
}

extension [Double] {
    /// The number at a place, which says how opaque a colour is; without one it is so wholly.
    fileprivate func opacity(_ place: Int) -> Double { place < count ? self[place] : 1 }
}

extension JSONValue {
    fileprivate var number: Double? {
        switch self {
        case .int(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    /// Numbers between spaces, as archives have them in bytes.
    fileprivate var numbers: [Double]? {
        guard case .string(let text) = self, let data = Data(base64Encoded: text) else { return nil }
        let words = data.prefix { $0 != 0 }.split(separator: UInt8(ascii: " ")).prefix(6)
        let numbers = words.map { Double(String(decoding: $0, as: UTF8.self)) }
        return numbers.contains(nil) ? nil : numbers.compactMap { $0 }
    }
}
