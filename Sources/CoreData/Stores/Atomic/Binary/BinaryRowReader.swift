import Foundation

/// Reads the rows of a binary store.
struct BinaryRowReader {
    private let tables: BinaryTables
    private var reader: ByteReader

    init(_ tables: BinaryTables, _ reader: ByteReader) { (self.tables, self.reader) = (tables, reader) }

    mutating func read(into content: inout AtomicContent) throws {
        var trees: [Int32: [RowSnapshot]] = [:]
        while !reader.isAtEnd {
            let row = try row()
            trees[row.layout.rootNumber, default: []].append(row)
        }
        for (root, rows) in trees {
            let tree = RowTree(rows)
            guard tree.isSound else { throw DamagedStore("Two objects have the same key.") }
            content.set(tree, root: root)
        }
    }

    private mutating func row() throws -> RowSnapshot {
        let table = try tables.table(reader.number())
        let (key, version) = (try reader.number(Int64.self), try reader.number(Int64.self))
        guard key > 0, !table.layout.isAbstract else {
            throw DamagedStore("An object of \(table.layout.name) has the key \(key).")
        }
        var values: [(slot: PropertySlot, value: StoredValue)] = []
        for slot in table.slots {
            if let value = try value(of: slot) { values.append((slot, value)) }
        }
        let byteCount = values.reduce(0) { $0 + $1.value.byteCount }
        return .make(layout: table.layout, key: key, version: version, byteCount: byteCount) { writer in
            for (slot, value) in values { value.write(to: slot.cell, &writer) }
        }
    }

    private mutating func value(of slot: PropertySlot) throws -> StoredValue? {
        if try reader.number(UInt8.self) == 0 { return nil }
        if slot.isExternal { return .bytes(InlineData.raw(try reader.bytes())) }
        if slot.kind.isVariable { return .bytes(try reader.bytes()) }
        guard slot.kind != .toOne else {
            let destination = try reader.object(of: slot, tables)
            return .reference(destination.key, destination.entity)
        }
        let number = try reader.number(Int64.self)
        guard slot.kind.range.contains(number) else {
            throw DamagedStore("A value of \(slot.name) is \(number), and its type \(slot.kind).")
        }
        return .number(number)
    }

    private enum StoredValue {
        case number(Int64)
        case reference(Int64, Int32)
        case bytes(Data)

        var byteCount: Int { if case .bytes(let data) = self { data.count } else { 0 } }

        func write(to cell: Int, _ writer: inout RowWriter) {
            switch self {
            case .number(let number): writer.set(cell, int: number)
            case .reference(let key, let entity): writer.set(cell, key: key, entity: entity)
            case .bytes(let data): data.withUnsafeBytes { writer.set(cell, bytes: $0) }
            }
        }
    }
}

/// Reads the members of a binary store's relationships, and their order.
struct BinaryMemberReader {
    private let tables: BinaryTables
    private var reader: ByteReader

    init(_ tables: BinaryTables, _ reader: ByteReader) { (self.tables, self.reader) = (tables, reader) }

    mutating func read(into content: inout AtomicContent) throws {
        while !reader.isAtEnd {
            let layout = try tables.table(reader.number()).layout
            let name = try reader.text()
            guard let slot = layout.slot(named: name), slot.kind.isToMany else {
                throw DamagedStore("It has the relationship \(layout.name).\(name), which the model does not have.")
            }
            let relationship = ToManyKey(slot, in: layout)
            for _ in 0..<(try reader.count(ofAtLeast: 12)) {
                let source = try reader.number(Int64.self)
                let members = try (0..<(try reader.count(ofAtLeast: 12))).map { _ in try reader.object(of: slot, tables)
                }
                content.setMembers(members, of: source, relationship)
            }
        }
    }
}

extension ByteReader {
    /// The object that a relationship leads to.
    fileprivate mutating func object(of slot: PropertySlot, _ tables: BinaryTables) throws -> ObjectReference {
        let key = try number(Int64.self)
        let layout = try tables.table(number()).layout
        guard key > 0, layout.rootNumber == layout.model[slot.destination].rootNumber else {
            throw DamagedStore("\(slot.name) leads to \(layout.name) \(key).")
        }
        return ObjectReference(key: key, entity: layout.number, store: AtomicContent.ownStore)
    }
}

extension SlotKind {
    /// The numbers that values of the kind may be; of doubles, their bits.
    fileprivate var range: ClosedRange<Int64> {
        switch self {
        case .int16: Int64(Int16.min)...Int64(Int16.max)
        case .int32: Int64(Int32.min)...Int64(Int32.max)
        case .boolean: 0...1
        default: .min ... .max
        }
    }
}
