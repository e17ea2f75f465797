/// An object's URI taken apart: `x-coredata://STORE-UUID/Entity/pN`, where no character is escaped.
struct CanonicalURI {
    let store: String
    let entity: String
    let key: Int64

    private static let scheme: StaticString = "x-coredata://"

    init?(_ text: String) {
        var text = text
        guard let parts = text.withUTF8(Self.parts) else { return nil }
        (store, entity, key) = parts
    }

    private static func parts(_ text: UnsafeBufferPointer<UInt8>) -> (String, String, Int64)? {
        guard text.count > scheme.utf8CodeUnitCount,
            zip(text, UnsafeBufferPointer(start: scheme.utf8Start, count: scheme.utf8CodeUnitCount)).allSatisfy(==)
        else { return nil }
        let path = text.dropFirst(scheme.utf8CodeUnitCount)
        let slash = UInt8(ascii: "/")
        guard let first = path.firstIndex(of: slash), let last = path.lastIndex(of: slash), first < last else {
            return nil
        }
        // A third slash would stand in the entity.
        let (store, entity, name) = (path[..<first], path[(first + 1)..<last], path[(last + 1)...])
        guard store.allSatisfy(\.isUnreservedInURLs), entity.allSatisfy(\.isUnreservedInURLs),
            name.first == UInt8(ascii: "p"), let key = number(name.dropFirst())
        else { return nil }
        return (String(decoding: store, as: UTF8.self), String(decoding: entity, as: UTF8.self), key)
    }

    /// A number above zero, of as many digits as cannot be too many.
    private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
        guard (1...18).contains(digits.count) else { return nil }
        var number: Int64 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        return number > 0 ? number : nil
    }
}

extension UInt8 {
    /// Whether the byte is an ASCII character that stands for itself in every part of a URL.
    var isUnreservedInURLs: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
