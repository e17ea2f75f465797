import Foundation

extension SQLiteStore {
    /// The row with a key in one entity tree, retained once for the caller.
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

    func rows(rootedAt root: EntityLayout, after key: Int64, most: Int) throws -> [RowSnapshot] {
        try reading { try $0.rows(rootedAt: root, after: key, most: most) }
    }

    func members(of source: ObjectReference, slot: PropertySlot) throws -> [ObjectReference] {
        try reading(for: .lookup) { try $0.members(of: source, slot: slot) }
    }
}

extension SQLiteSession {
    /// The row with a key in one entity tree, retained once for the caller.
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

    /// The rows of an entity tree with the least keys behind one.
    func rows(rootedAt root: EntityLayout, after key: Int64, most: Int) throws -> [RowSnapshot] {
        try cocoa {
            let reader = reader(for: root, includesSubentities: true)
            let statements = SQLRowStatements(table: schema.table(of: root).name)
            let statement = try connection.statement(statements.selectionBehind(reader.columns))
            statement.bind(1, int: key)
            defer { statement.reset() }
            var rows: [RowSnapshot] = []
            while rows.count < most, try statement.step() {
                if let row = reader.read(statement) { rows.append(row.takeRetainedValue()) }
            }
            return rows
        }
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

    private func byKey(_ reader: RowReader, _ root: EntityLayout) throws -> SQLiteStatement {
        let rows = SQLRowStatements(table: schema.table(of: root).name)
        let statement = try connection.statement(rows.selection(reader.columns))
        reader.byKey = statement
        return statement
    }

    private func byKeys(
        _ reader: RowReader, _ root: EntityLayout, _ batch: KeyBatches.Batch
    ) throws -> SQLiteStatement {
        let lookup = SQLRowLookup(table: schema.table(of: root).name, columns: reader.columns, count: batch.size)
        let statement = try connection.statement(.lookUp(lookup))
        reader.byKeys[batch.size] = statement
        return statement
    }

    func members(of source: ObjectReference, slot: PropertySlot) throws -> [ObjectReference] {
        guard let link = schema.link(of: layouts[source.entity], slot: slot.index) else { return [] }
        return try cocoa {
            // A pair whose target's row is gone counts for nothing.
            let select = SQLMembersSelect(link, target: schema.table(of: layouts[slot.destination]).name)
            let statement = try connection.statement(select.ofOne(["Z_PK", "Z_ENT"]))
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

extension [Int64] {
    /// Whether each is greater than the one before.
    fileprivate var isRising: Bool { indices.dropFirst().allSatisfy { self[$0 - 1] < self[$0] } }

    /// Without those that are the same as the one before.
    fileprivate var withoutRepetitions: [Int64] {
        indices.filter { $0 == startIndex || self[$0 - 1] != self[$0] }.map { self[$0] }
    }
}

/// Keys in lists of few lengths, so that few statements serve all numbers of keys: in rising order, each once.
struct KeyBatches: Sequence {
    struct Batch {
        fileprivate let keys: ArraySlice<Int64>
        let size: Int

        /// Binds the keys from the first parameter on; places that are left over get null, which no row has.
        func bind(to statement: SQLiteStatement) {
            var index: Int32 = 0
            for key in keys {
                index += 1
                statement.bind(index, int: key)
            }
            while index < size {
                index += 1
                statement.bindNull(index)
            }
        }
    }

    private let keys: [Int64]
    // To look for null takes time too: little is to be there for nothing.
    private static let sizes =
        Array(stride(from: 4, through: 64, by: 4)) + Array(stride(from: 80, through: 256, by: 16))

    init(_ keys: [Int64]) { self.keys = keys.isRising ? keys : keys.sorted().withoutRepetitions }

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
