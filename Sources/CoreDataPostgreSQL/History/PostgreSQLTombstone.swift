import CoreData
import Foundation

/// The values of a deleted object that history keeps: a JSON object with texts, by the attributes' names.
///
/// The names let other programs read it, and let it outlive a change of the model.
struct PostgreSQLTombstone: SQLResultRow {
    private let values: [String?]

    /// - Parameters:
    ///   - json: What ``expression(of:)`` made.
    ///   - names: The attributes, in the order of the columns that are asked for.
    init(_ json: String, names: [String]) {
        let object = (try? JSONSerialization.jsonObject(with: Data(json.utf8))) as? [String: Any] ?? [:]
        values = names.map { object[$0] as? String }
    }

    /// A column's value as text.
    static func expression(of column: SQLColumn, _ slot: PropertySlot) -> String {
        let name = PostgreSQLDialect().identifier(column.name)
        switch PostgreSQLType(slot.kind) {
        case .text: return name
        case .boolean: return "\(name)::integer::text"
        case .timestamp:
            return "(extract(epoch FROM \(name)) - \(Int(Date.timeIntervalBetween1970AndReferenceDate)))::text"
        case .bytes: return "encode(\(name), 'hex')"
        case .smallint, .integer, .bigint, .double, .numeric, .uuid: return "\(name)::text"
        }
    }

    func isNull(_ column: Int32) -> Bool { values[Int(column)] == nil }
    func text(_ column: Int32) -> String? { values[Int(column)] }
    func int(_ column: Int32) -> Int64 { text(column).flatMap { Int64($0) } ?? 0 }
    func double(_ column: Int32) -> Double { text(column).flatMap { Double($0) } ?? 0 }
    func decimal(_ column: Int32) -> String { text(column) ?? "" }
    func uuid(_ column: Int32) -> UUID? { text(column).flatMap { UUID(uuidString: $0) } }
    func value(_ column: Int32) -> SQLValue { text(column).map { .text($0) } ?? .null }

    func blob(_ column: Int32) -> Data? {
        guard let digits = text(column).map({ Array($0.utf8) }) else { return nil }
        return Data(
            stride(from: 0, to: digits.count - 1, by: 2).compactMap { place in
                UInt8(String(decoding: digits[place...place + 1], as: UTF8.self), radix: 16)
            })
    }
}
