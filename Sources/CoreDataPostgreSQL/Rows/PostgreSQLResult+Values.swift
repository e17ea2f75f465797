import CoreData
import PostgreSQLClient

extension PostgreSQLResult {
    /// An integer, or a boolean as 0 or 1; 0 for null.
    func int(_ row: Int, _ column: Int) throws -> Int64 {
        if type(ofColumn: column) == .bool { return try bool(row, column) ?? false ? 1 : 0 }
        return try int64(row, column) ?? 0
    }

    /// The bytes of a value, which are valid as long as the result lives; nil for null. The result has the row and the
    /// column: only for others the client throws.
    func field(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? { (try? bytes(row, column)) ?? nil }

    /// An integer, a time in microseconds or a boolean, by its length; 0 for null. The column's type is known.
    func integer(_ row: Int, _ column: Int) -> Int64 {
        guard let bytes = field(row, column) else { return 0 }
        return switch bytes.count {
        case 8: Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        case 4: Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case 2: Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        case 1: Int64(bytes[0])
        default: 0
        }
    }

    /// A floating-point number; 0 for null. The column's type is known.
    func floating(_ row: Int, _ column: Int) -> Double {
        Double(bitPattern: UInt64(bitPattern: integer(row, column)))
    }

    /// A text; the empty one for null.
    func text(_ row: Int, _ column: Int) throws -> String { try string(row, column) ?? "" }
}

extension PostgreSQLParameters {
    mutating func append(data: Data) throws { try data.withUnsafeBytes { try append(bytes: $0) } }
}
