import FoundationGaps

/// What stands before a snapshot's cells.
package struct RowHeader {
    /// The exact entity's layout; the layouts outlive every snapshot (the store holds its model).
    let table: UnsafePointer<LayoutTable>
    package let key: Int64
    /// The row's version for optimistic locking (`Z_OPT` in SQLite stores).
    package let version: Int64
    /// How many bytes stand behind the cells; the highest bit marks a row of which some values only were read.
    fileprivate let size: UInt32
    /// Looked at and set by the row cache, under the coordinator's lock.
    var readTime = ReadTime.unknown

    @inline(__always)
    fileprivate init(
        table: UnsafePointer<LayoutTable>, key: Int64, version: Int64, byteCount: Int, isPartial: Bool
    ) {
        (self.table, self.key, self.version) = (table, key, version)
        size = UInt32(byteCount) | (isPartial ? Self.partialMark : 0)
    }

    var byteCount: Int { Int(size & ~Self.partialMark) }

    /// The bytes of a row that is large, and 0 of others.
    var largeByteCount: Int { byteCount > Self.mostOfSmall ? byteCount : 0 }

    /// What a row may have without being large: it takes no more memory than others that are kept.
    private static let mostOfSmall = 16 << 10

    fileprivate static let partialMark: UInt32 = 1 << 31
}

/// The stored values of one row, packed and immutable, shared by the row cache and all contexts.
///
/// One allocation: the header, a bit per cell that says whether it is null, the cells of eight bytes, then the bytes of
/// strings and data. A string is made when a property is read, not when the row is. Reference counting gives a
/// snapshot its life: objects that read from it, and the row cache while it keeps the row warm.
package final class RowSnapshot: ManagedBuffer<RowHeader, UInt64> {
    /// Makes a snapshot and lets `fill` write it.
    ///
    /// - Parameter byteCount: The sum of the lengths of all variable values, in bytes.
    @inline(__always)
    package static func make(
        layout: EntityLayout, key: Int64, version: Int64, byteCount: Int, fill: (inout RowWriter) -> Void
    ) -> RowSnapshot {
        let table = UnsafePointer<LayoutTable>(layout.table!)
        return make(table, key: key, version: version, byteCount: byteCount, fill: fill).takeRetainedValue()
    }

    /// Makes a snapshot of a row of the table's entity. It is retained once, for the caller.
    @inline(__always)
    package static func make(
        _ table: UnsafePointer<LayoutTable>, key: Int64, version: Int64, byteCount: Int, isPartial: Bool = false,
        fill: (inout RowWriter) -> Void
    ) -> Unmanaged<RowSnapshot> {
        let cellCount = table.pointee.cellCount
        let nullWords = nullWords(cellCount)
        let words = nullWords + cellCount + (byteCount + 7) / 8
        // Nothing touches the buffer as an object from here on: no counting of references is left around the writing.
        let snapshot = Unmanaged.passRetained(
            create(minimumCapacity: words) { buffer in
                let start = UnsafeRawPointer(Unmanaged.passUnretained(buffer).toOpaque())
                buffer.withUnsafeMutablePointerToElements {
                    precondition(UnsafeRawPointer($0) - start == elementsOffset, "unexpected layout of snapshots")
                }
                return RowHeader(
                    table: table, key: key, version: version, byteCount: byteCount, isPartial: isPartial)
            }
        ).toOpaque()
        let elements = (snapshot + elementsOffset).assumingMemoryBound(to: UInt64.self)
        // All null until the writer says otherwise. Mostly it is one word, and a call costs more than to write that.
        if nullWords == 1 { elements.pointee = ~0 } else { elements.update(repeating: ~0, count: nullWords) }
        var writer = RowWriter(elements: elements, cellCount: cellCount)
        fill(&writer)
        precondition(writer.length <= byteCount, "a row's values are longer than announced")
        return .fromOpaque(snapshot)
    }

    @inline(__always)
    static func nullWords(_ cells: Int) -> Int { (cells + 63) / 64 }

    // Read through the header's address: of `header` itself exclusive access would be checked while the program runs.
    package var table: UnsafePointer<LayoutTable> { withUnsafeMutablePointerToHeader { $0.pointee.table } }
    package var key: Int64 { withUnsafeMutablePointerToHeader { $0.pointee.key } }
    package var version: Int64 { withUnsafeMutablePointerToHeader { $0.pointee.version } }
    package var layout: EntityLayout { table.pointee.layout.takeUnretainedValue() }

    /// Whether only some values of the row were read. No more than that is looked at: the row cache may be setting the
    /// time.
    var isPartial: Bool { withUnsafeMutablePointerToHeader { $0.pointee.size } & RowHeader.partialMark != 0 }

    /// The bytes of a row that is large, as one with a picture, and 0 of others.
    var largeByteCount: Int { withUnsafeMutablePointerToHeader { $0.pointee.largeByteCount } }

    /// When the row cache last learnt that the row is what its store has.
    var readTime: ReadTime {
        get { withUnsafeMutablePointerToHeader { $0.pointee.readTime } }
        set { withUnsafeMutablePointerToHeader { $0.pointee.readTime = newValue } }
    }

    @inline(__always)
    package func isNull(_ cell: Int) -> Bool {
        withUnsafeMutablePointerToElements { $0[cell >> 6] & (1 << UInt64(cell & 63)) != 0 }
    }

    @inline(__always)
    package func int(_ cell: Int) -> Int64 { Int64(bitPattern: word(cell)) }

    @inline(__always)
    package func double(_ cell: Int) -> Double { Double(bitPattern: word(cell)) }

    /// Calls `body` with the bytes of a variable value, which are valid only meanwhile.
    @inline(__always)
    package func withBytes<R>(_ cell: Int, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        let cells = table.pointee.cellCount
        let place = word(cell)
        return try withUnsafeMutablePointerToElements { elements in
            let bytes = UnsafeRawPointer(elements + Self.nullWords(cells) + cells)
            return try body(UnsafeRawBufferPointer(start: bytes + Int(place >> 32), count: Int(place & 0xffff_ffff)))
        }
    }

    package func string(_ cell: Int) -> String { withBytes(cell) { String(decoding: $0, as: UTF8.self) } }

    package func data(_ cell: Int) -> Data { withBytes(cell) { Data($0) } }

    package func uuid(_ cell: Int) -> UUID? {
        withBytes(cell) { $0.count == 16 ? UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) : nil }
    }

    /// The destination of a to-one; the entity's number stands in the cell behind the key.
    package func reference(_ cell: Int, store: Int32) -> ObjectReference {
        // Above the entity's number stands that of the store, where it is another one: see `RowWriter.set(_:_:)`.
        let entity = int(cell + 1)
        let other = Int32(truncatingIfNeeded: entity >> 32)
        return ObjectReference(
            key: int(cell), entity: Int32(truncatingIfNeeded: entity), store: other == 0 ? store : other - 2)
    }

    /// Calls `body` with the place of the row's values, which stay there meanwhile.
    @inline(__always)
    package func withCells<R>(_ body: (RowCells) throws -> R) rethrows -> R {
        let cellCount = table.pointee.cellCount
        return try withUnsafeMutablePointerToElements { try body(RowCells($0, cellCount: cellCount)) }
    }

    @inline(__always)
    private func word(_ cell: Int) -> UInt64 {
        let cells = table.pointee.cellCount
        return withUnsafeMutablePointerToElements { $0[Self.nullWords(cells) + cell] }
    }
}

/// Where a snapshot's values lie, for loops that look at all of them.
package struct RowCells {
    private let nulls: UnsafePointer<UInt64>
    private let cells: UnsafePointer<UInt64>
    private let texts: UnsafeRawPointer

    @inline(__always)
    fileprivate init(_ elements: UnsafeMutablePointer<UInt64>, cellCount: Int) {
        nulls = UnsafePointer(elements)
        cells = nulls + RowSnapshot.nullWords(cellCount)
        texts = UnsafeRawPointer(cells + cellCount)
    }

    @inline(__always)
    package func isNull(_ cell: Int) -> Bool { nulls[cell >> 6] & (1 << UInt64(cell & 63)) != 0 }

    @inline(__always)
    package func int(_ cell: Int) -> Int64 { Int64(bitPattern: cells[cell]) }

    @inline(__always)
    package func double(_ cell: Int) -> Double { Double(bitPattern: cells[cell]) }

    /// The number of a to-one's exact destination entity, which stands behind the key.
    @inline(__always)
    package func entity(_ cell: Int) -> Int32 { Int32(truncatingIfNeeded: int(cell + 1)) }

    @inline(__always)
    package func bytes(_ cell: Int) -> UnsafeRawBufferPointer {
        let place = cells[cell]
        return UnsafeRawBufferPointer(start: texts + Int(place >> 32), count: Int(place & 0xffff_ffff))
    }
}

/// Writes a new snapshot's cells, each at most once; what is not written is null.
package struct RowWriter {
    private let elements: UnsafeMutablePointer<UInt64>
    private let cells: UnsafeMutablePointer<UInt64>
    private let bytes: UnsafeMutableRawPointer
    private let cellCount: Int
    /// How many bytes of variable values have been written.
    private(set) var length = 0

    init(elements: UnsafeMutablePointer<UInt64>, cellCount: Int) {
        self.elements = elements
        self.cellCount = cellCount
        cells = elements + RowSnapshot.nullWords(cellCount)
        bytes = UnsafeMutableRawPointer(cells + cellCount)
    }

    @inline(__always)
    package mutating func set(_ cell: Int, int: Int64) { set(cell, UInt64(bitPattern: int)) }

    @inline(__always)
    package mutating func set(_ cell: Int, double: Double) { set(cell, double.bitPattern) }

    @inline(__always)
    package mutating func set(_ cell: Int, bytes source: UnsafeRawBufferPointer) {
        if let base = source.baseAddress { (bytes + length).copyMemory(from: base, byteCount: source.count) }
        set(cell, UInt64(length) << 32 | UInt64(source.count))
        length += source.count
    }

    @inline(__always)
    package mutating func set(_ cell: Int, key: Int64, entity: Int32) {
        set(cell, int: key)
        set(cell + 1, int: Int64(entity))
    }

    /// Marks all values as unread: see `RowSnapshot.isPartial`.
    mutating func markAsUnread() { cells.update(repeating: ~0, count: cellCount) }

    /// Marks a value as read, be it null.
    mutating func markAsRead(_ cell: Int) { cells[cell] = 0 }

    @inline(__always)
    private mutating func set(_ cell: Int, _ word: UInt64) {
        cells[cell] = word
        elements[cell >> 6] &= ~(1 << UInt64(cell & 63))
    }
}
