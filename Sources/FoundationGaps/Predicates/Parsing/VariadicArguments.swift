import Foundation

/// The arguments of a C function, taken out of its `va_list`.
///
/// Swift can't walk a `va_list`: its layout differs between processors. The C library can: it prints the arguments by
/// the format's own conversions (objects as addresses, floating point in hexadecimal, so that nothing is lost), and the
/// values are read from that text.
struct VariadicArguments {
    let values: [Any]

    init(_ list: CVaListPointer, for format: String) {
        let conversions = Self.conversions(of: format)
        let cFormat = conversions.map(Self.cConversion).joined(separator: "\n")
        // No conversion prints more than 32 characters.
        var buffer = [CChar](repeating: 0, count: conversions.count * 32 + 1)
        vsnprintf(&buffer, buffer.count, cFormat, list)
        let text = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let fields = text.split(separator: "\n", omittingEmptySubsequences: false)
        values = zip(conversions, fields).map { Self.value(String($1), $0) }
    }

    /// What the format's places take; a wrong format is told later, by the parser.
    private static func conversions(of format: String) -> [String] {
        let most = format.utf8.count { $0 == UInt8(ascii: "%") }
        var lexer = PredicateLexer(format, arguments: Array(repeating: 0, count: most))
        _ = try? lexer.tokens()
        return lexer.conversions
    }

    private static func cConversion(_ conversion: String) -> String {
        let isLong = conversion.contains { "lqzjt".contains($0) }
        switch conversion.last {
        case "d", "i", "D": return isLong ? "%lld" : "%d"
        case "u", "x", "X", "o", "O", "U": return isLong ? "%llu" : "%u"
        case "f", "F", "e", "E", "g", "G", "a", "A": return "%a"
        case "c", "C": return "%d"
        default: return "%p"
        }
    }

    private static func value(_ field: String, _ conversion: String) -> Any {
        switch conversion.last {
        case "@", "K": return object(at: field) ?? NSNull()
        case "s", "S": return pointer(field).map { String(cString: $0.assumingMemoryBound(to: CChar.self)) } ?? ""
        case "f", "F", "e", "E", "g", "G", "a", "A": return Double(field) ?? .nan
        default: return Int64(field).map { $0 as Any } ?? UInt64(field) as Any
        }
    }

    private static func pointer(_ field: String) -> UnsafeRawPointer? {
        UInt(field.drop { $0 == "0" || $0 == "x" }, radix: 16).flatMap(UnsafeRawPointer.init(bitPattern:))
    }

    private static func object(at field: String) -> Any? {
        // The caller of the C function vouches for the object behind %@, as everywhere in C.
        guard let pointer = pointer(field) else { return nil }
        let object = Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
        return (object as? ArgumentBox)?.value ?? object
    }
}
