import Foundation

extension SQLiteStore {
    func row(rootedAt root: EntityLayout, key: Int64) throws -> Unmanaged<RowSnapshot>? {
        try reading(for: .lookup) { try $0.row(rootedAt: root, key: key) }
    }

    func rows(rootedAt root: EntityLayout, keys: [Int64]) throws -> [RowSnapshot] {
        // Rows that lie side by side are read as by a search.
        try reading(for: keys.areNeighbours ? .search : .lookup) { try $0.rows(rootedAt: root, keys: keys) }
    }

    func rows(_ part: RowPart, keys: [Int64]) throws -> [RowSnapshot] {
        try reading { try $0.rows(part, keys: keys) }
    }

    func members(of source: ObjectReference, slot: PropertySlot) throws -> [ObjectReference] {
        try reading(for: .lookup) { try $0.members(of: source, slot: slot) }
    }
}

extension SQLiteSession {
    /// The row with a key in one entity tree, with a reference to hand on.
    func row(rootedAt root: EntityLayout, key: Int64) throws -> Unmanaged<RowSnapshot>? {
        try cocoa {
            let reader = reader(for: root, includesSubentities: true)
            let statement = try reader.byKey ?? byKey(reader, root)
            statement.bind(1, int: key)
            guard try statement.step() else { return nil }
            defer { statement.reset() }
            return reader.read(statement)
        }
    }

    func rows(rootedAt root: EntityLayout, keys: [Int64]) throws -> [RowSnapshot] {
        try cocoa {
            if keys.count == 1 { return try row(rootedAt: root, key: keys[0]).map { [$0.takeRetainedValue()] } ?? [] }
            return try rows(keys, root, reader(for: root, includesSubentities: true))
        }
    }

    /// Parts of the rows with some keys.
    func rows(_ part: RowPart, keys: [Int64]) throws -> [RowSnapshot] {
        try cocoa { try rows(keys, part.entity, reader(for: part)) }
    }

    private func rows(_ keys: [Int64], _ root: EntityLayout, _ reader: RowReader) throws -> [RowSnapshot] {
        var rows: [RowSnapshot] = []
        rows.reserveCapacity(keys.count)
        for batch in KeyBatches(keys) {
            let statement = try reader.byKeys[batch.size] ?? byKeys(reader, root, batch)
            batch.bind(to: statement)
            rows += try reader.readAll(statement).drained()
        }
        return rows
    }

    private func selection(_ reader: RowReader, _ root: EntityLayout) -> String {
        "SELECT \(reader.columnList) FROM \(SQLSchema.name(schema.table(of: root).name)) WHERE Z_PK"
    }

    private func byKey(_ reader: RowReader, _ root: EntityLayout) throws -> SQLiteStatement {
        let statement = try connection.statement(selection(reader, root) + " = ?")
        reader.byKey = statement
        return statement
    }

    private func byKeys(
        _ reader: RowReader, _ root: EntityLayout, _ batch: KeyBatches.Batch
    ) throws -> SQLiteStatement {
        let statement = try connection.statement(selection(reader, root) + " IN (\(batch.placeholders))")
        reader.byKeys[batch.size] = statement
        return statement
    }

    func members(of source: ObjectReference, slot: PropertySlot) throws -> [ObjectReference] {
        guard let link = schema.link(of: layouts[source.entity], slot: slot.index) else { return [] }
        return try cocoa {
            // A pair whose target's row is gone counts for nothing.
            let query = MembersQuery(link, target: schema.table(of: layouts[slot.destination]).name)
            let statement = try connection.statement(query.ofOne(["Z_PK", "Z_ENT"]))
            statement.bind(1, int: source.key)
            var members: [ObjectReference] = []
            while try statement.step() {
                let entity = schema.layoutNumber(of: statement.int(1)) ?? slot.destination
                members.append(ObjectReference(key: statement.int(0), entity: entity, store: source.store))
            }
            return members
        }
    }
}

extension [Int64] {
    /// Whether most rows between the first key and the last are among these.
    fileprivate var areNeighbours: Bool {
        guard count > 1, let first, let last else { return false }
        let (span, overflows) = last.subtractingReportingOverflow(first)
        return !overflows && span.magnitude < 2 * UInt64(count)
    }
}

/// Keys in lists of few lengths, so that few statements serve all numbers of keys.
struct KeyBatches: Sequence {
    struct Batch {
        fileprivate let keys: ArraySlice<Int64>
        let size: Int

        /// As many question marks as the batch has places.
        var placeholders: String { String(repeating: "?,", count: size - 1) + "?" }

        /// Binds the keys from the first parameter on; places that are left over repeat the last key.
        func bind(to statement: SQLiteStatement) {
            for index in 0..<size {
                let key = keys[Swift.min(keys.startIndex + index, keys.endIndex - 1)]
                statement.bind(Int32(index + 1), int: key)
            }
        }
    }

    private let keys: [Int64]
    // SQLite sorts each list first, which takes almost as long as finding a row for every key: little is to be there for nothing.
    private static let sizes =
        Array(stride(from: 4, through: 64, by: 4)) + Array(stride(from: 80, through: 256, by: 16))

    init(_ keys: [Int64]) { self.keys = keys }

    func makeIterator() -> AnyIterator<Batch> {
        var rest = keys[...]
        return AnyIterator {
            guard !rest.isEmpty else { return nil }
            let size = Self.sizes.first { $0 >= rest.count } ?? 256
            defer { rest = rest.dropFirst(size) }
            return Batch(keys: rest.prefix(size), size: size)
        }
    }
}
