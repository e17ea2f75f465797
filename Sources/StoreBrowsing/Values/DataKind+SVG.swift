import Foundation

extension DataKind {
    /// As many bytes as may stand before the element.
    private static let mostBeforeElement = 1 << 16

    /// Whether data begin as an SVG picture does: with the element `svg`, behind an XML declaration, comments and a
    /// document type, of which there may be none.
    static func isSVG(_ data: Data) -> Bool {
        var rest = data.prefix(mostBeforeElement)
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        while true {
            rest = rest.drop(while: JSONBeginning.isBlank)
            let end: Data.Index?
            if rest.starts(with: Array("<?".utf8)) {
                end = rest.range(of: Data("?>".utf8))?.upperBound
            } else if rest.starts(with: Array("<!--".utf8)) {
                end = rest.dropFirst(4).range(of: Data("-->".utf8))?.upperBound
            } else if rest.starts(with: Array("<!DOCTYPE".utf8)) {
                end = documentTypeEnd(rest)
            } else {
                break
            }
            guard let end else { return false }
            rest = rest[end...]
        }
        guard rest.starts(with: Array("<svg".utf8)), let next = rest.dropFirst(4).first else { return false }
        return JSONBeginning.isBlank(next) || next == UInt8(ascii: ">") || next == UInt8(ascii: "/")
    }

    /// Where a document type ends; nil where that is not at hand. Quotes and brackets in it may have marks of its end.
    private static func documentTypeEnd(_ text: Data) -> Data.Index? {
        var (depth, quote): (Int, UInt8?) = (0, nil)
        for place in text.indices {
            let byte = text[place]
            if let open = quote {
                if byte == open { quote = nil }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ">") where depth == 0: return place + 1
            default: break
            }
        }
        return nil
    }
}
