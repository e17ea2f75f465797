import Foundation
import MappingDocument

/// The values of attributes as XML stores spell them.
enum XMLValues {
    /// The name of an attribute's type.
    static func typeName(_ kind: SlotKind) -> String {
        switch kind {
        case .boolean: "bool"
        case .transformable: "binary"
        default: "\(kind)"
        }
    }

    /// - Throws: ``DamagedStore`` for a text that is no value of the type.
    static func slot(_ value: XMLStoreDocument.Value, _ slot: PropertySlot, _ layout: EntityLayout) throws -> Slot {
        let found: Slot? =
            switch value {
            case .data(let data): slot.kind == .binary || slot.kind == .transformable ? .data(data) : nil
            case .text(let text): self.slot(text, slot.kind)
            }
        guard let found else {
            throw DamagedStore("A value of \(layout.name).\(slot.name) is none of the type \(slot.kind).")
        }
        return found
    }

    private static func slot(_ text: String, _ kind: SlotKind) -> Slot? {
        switch kind {
        case .int16: Int16(text).map { .int(Int64($0)) }
        case .int32: Int32(text).map { .int(Int64($0)) }
        case .int64: Int64(text).map { .int($0) }
        case .boolean:
            ["0", "NO", "false"].contains(text) ? .int(0) : ["1", "YES", "true"].contains(text) ? .int(1) : nil
        case .double, .date: Double(text).map { .double($0) }
        // What is stored is a float.
        case .float: Float(text).map { .double(Double($0)) }
        case .decimal: Decimal(string: text).map { .object(DecimalNumber(decimal: $0)) }
        case .string: .string(text)
        case .uuid: UUID(uuidString: text).map { .uuid($0) }
        case .uri: NSURL(stored: text).map { .object($0) }
        case .objectID: .data(Data(text.utf8))
        case .binary, .transformable:
            Data(base64Encoded: text, options: .ignoreUnknownCharacters).map { .data($0) }
        case .undefined, .composite, .toOne, .toMany, .orderedToMany, .fetched: nil
        }
    }

    /// - Throws: ``UnwritableStore`` for a text with a character that XML does not have.
    static func value(_ value: Slot, _ slot: PropertySlot, _ layout: EntityLayout) throws -> XMLStoreDocument.Value {
        switch value {
        case .int(let number): return .text(String(number))
        case .double(let number): return .text(slot.kind == .float ? "\(Float(number))" : "\(number)")
        case .string(let text): return .text(try checked(text, slot, layout))
        case .data(let data): return slot.kind == .objectID ? .text(String(decoding: data, as: UTF8.self)) : .data(data)
        case .uuid(let uuid): return .text(uuid.uuidString)
        case .object(let object): return .text(StoredText.of(object, slot.kind))
        case .unset, .null, .reference: return .text("")
        }
    }

    private static func checked(_ text: String, _ slot: PropertySlot, _ layout: EntityLayout) throws -> String {
        guard let bad = text.unicodeScalars.first(where: { !$0.isXMLCharacter }) else { return text }
        let number = String(bad.value, radix: 16, uppercase: true)
        throw UnwritableStore(
            "\(layout.name).\(slot.name) has the character U+\(number), which XML does not have: “\(text.prefix(40))”. "
                + "A binary attribute can hold it, and so can stores of other types.")
    }
}

extension Unicode.Scalar {
    fileprivate var isXMLCharacter: Bool {
        switch value {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}
