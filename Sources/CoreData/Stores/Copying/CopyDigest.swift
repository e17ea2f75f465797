import Foundation
import ModelArchive

/// A digest over the objects of a store, by which two stores are compared: the same for all kinds of stores.
///
/// What the kinds store in different ways counts as equal: dates within a microsecond, 0 and -0, and decimals with and
/// without zeros at the end.
struct CopyDigest {
    private var stream = SHA256Stream()
    private var bytes: [UInt8] = []
    private(set) var count = 0

    private static let mostBytes = 1 << 16

    /// SHA-256 of everything that came.
    var value: Data {
        var stream = stream
        stream.update(bytes)
        return Data(stream.digest())
    }

    // MARK: Rows

    /// Takes in a row with all its values.
    ///
    /// - Returns: How many bytes the row has.
    mutating func add(_ row: RowSnapshot, _ reader: any StoreReader) throws -> Int {
        let start = bytes.count
        let layout = row.layout
        add(UInt64(layout.number))
        add(UInt64(bitPattern: row.key))
        add(UInt64(bitPattern: row.version))
        for slot in layout.slots where slot.isStoredInRow {
            if row.isNull(slot.cell) {
                bytes.append(0)
            } else {
                bytes.append(1)
                try add(slot, row, reader)
            }
        }
        let size = bytes.count - start
        count += 1
        flush()
        return size
    }

    private mutating func add(_ slot: PropertySlot, _ row: RowSnapshot, _ reader: any StoreReader) throws {
        let cell = slot.cell
        switch slot.kind {
        case .boolean: bytes.append(row.int(cell) == 0 ? 0 : 1)
        case .double, .float: add(Self.bits(row.double(cell)))
        case .date: add(Self.microseconds(row.double(cell)))
        case .decimal: add(Array(Self.digits(of: row.string(cell)).utf8))
        case _ where slot.isExternal: add(Array(try reader.requiredData(of: slot, row)))
        case _ where slot.kind.isVariable: row.withBytes(cell) { add($0) }
        default: add(UInt64(bitPattern: row.int(cell)))
        }
    }

    private static func bits(_ number: Double) -> UInt64 {
        number == 0 ? 0 : number.isNaN ? Double.nan.bitPattern : number.bitPattern
    }

    private static func microseconds(_ seconds: Double) -> UInt64 {
        Microseconds.nearest(to: seconds).map { UInt64(bitPattern: $0) } ?? bits(seconds)
    }

    /// A decimal as its sign, its digits without zeros at both ends, and an exponent.
    static func digits(of text: String) -> String {
        let parts = text.uppercased().split(separator: "E", maxSplits: 1)
        guard let first = parts.first, var exponent = parts.count > 1 ? Int(parts[1]) : 0 else { return text }
        let isNegative = first.hasPrefix("-")
        let sides = first.drop { "+-".contains($0) }.split(separator: ".", omittingEmptySubsequences: false)
        let fraction = sides.count > 1 ? sides[1] : ""
        exponent -= fraction.count
        var digits = ((sides.first ?? "") + fraction).drop { $0 == "0" }
        guard sides.count <= 2, digits.allSatisfy(\.isNumber) else { return text }
        while digits.last == "0" {
            digits.removeLast()
            exponent += 1
        }
        return digits.isEmpty ? "0" : "\(isNegative ? "-" : "")\(digits)E\(exponent)"
    }

    // MARK: Members

    /// Takes in the members of the relationships of some objects.
    mutating func add(_ members: CopiedMembers) {
        members.forEach { row, relationship, list in
            add(UInt64(relationship.declaring))
            add(UInt64(relationship.slot.index))
            add(UInt64(bitPattern: row.key))
            add(UInt64(list.count))
            for member in list { add(UInt64(bitPattern: member.key)) }
            flush()
        }
    }

    // MARK: Bytes

    private mutating func add(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func add(_ text: some Collection<UInt8>) {
        add(UInt64(text.count))
        bytes.append(contentsOf: text)
    }

    private mutating func flush() {
        guard bytes.count >= Self.mostBytes else { return }
        stream.update(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}
