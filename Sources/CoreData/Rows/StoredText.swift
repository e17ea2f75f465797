import FoundationGaps

/// Values that are objects in memory and text in a row.
enum StoredText {
    static func of(_ object: AnyObject, _ kind: SlotKind) -> String {
        switch object {
        case let number as NSDecimalNumber: number.description(withLocale: nil)
        case let url as NSURL: url.absoluteString
        default: defect("A \(kind) attribute can't be stored from a \(type(of: object)).")
        }
    }
}
