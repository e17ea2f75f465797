import Foundation

extension SQLiteStore {
    func rows(rootedAt root: EntityLayout, keys: [Int64]) throws -> [RowSnapshot] {
        try reading { try $0.rows(rootedAt: root, keys: keys) }
    }

    func members(of source: ObjectReference, slot: PropertySlot) throws -> [ObjectReference] {
        try reading { try $0.members(of: source, slot: slot) }
    }
}

extension SQLiteSession {
    func rows(rootedAt root: EntityLayout, keys: [Int64]) throws -> [RowSnapshot] {
        try cocoa {
            let reader = reader(for: root, includesSubentities: true)
            if keys.count == 1 {
                let statement = try reader.byKey ?? byKey(reader, root)
                statement.bind(1, int: keys[0])
                return try reader.readAll(statement).drained()
            }
            let select = selection(reader, root)
            return try KeyBatches(keys).flatMap { batch in
                let statement = try connection.statement(select + " IN (\(batch.placeholders))")
                batch.bind(to: statement)
                return try reader.readAll(statement).drained()
            }
        }
    }

    private func selection(_ reader: RowReader, _ root: EntityLayout) -> String {
        "SELECT \(reader.columnList) FROM \(SQLSchema.name(schema.table(of: root).name)) WHERE Z_PK"
    }

    private func byKey(_ reader: RowReader, _ root: EntityLayout) throws -> SQLiteStatement {
        let statement = try connection.statement(selection(reader, root) + " = ?")
        reader.byKey = statement
        return statement
    }

    func members(of source: ObjectReference, slot: PropertySlot) throws -> [ObjectReference] {
        guard let link = schema.link(of: layouts[source.entity], slot: slot.index) else { return [] }
        return try cocoa {
            let statement = try connection.statement(membersQuery(link, destination: layouts[slot.destination]))
            statement.bind(1, int: source.key)
            var members: [ObjectReference] = []
            while try statement.step() {
                let entity = schema.layoutNumber(of: statement.int(1)) ?? slot.destination
                members.append(ObjectReference(key: statement.int(0), entity: entity, store: source.store))
            }
            return members
        }
    }

    /// The keys and exact entities of the members, in order. A pair whose target's row is gone counts for nothing.
    private func membersQuery(_ link: SQLLink, destination: EntityLayout) -> String {
        let target = SQLSchema.name(schema.table(of: destination).name)
        let source = SQLSchema.name(link.sourceColumn)
        let order = link.orderColumn.map { "l." + SQLSchema.name($0) + ", " } ?? ""
        if case .joinTable(let name, _, let targetColumn, _) = link {
            return "SELECT t.Z_PK, t.Z_ENT FROM \(SQLSchema.name(name)) l "
                + "JOIN \(target) t ON t.Z_PK = l.\(SQLSchema.name(targetColumn)) "
                + "WHERE l.\(source) = ? ORDER BY \(order)t.Z_PK"
        }
        return "SELECT l.Z_PK, l.Z_ENT FROM \(target) l WHERE l.\(source) = ? ORDER BY \(order)l.Z_PK"
    }
}

/// Keys in lists of few lengths, so that few statements serve all numbers of keys.
struct KeyBatches: Sequence {
    struct Batch {
        fileprivate let keys: ArraySlice<Int64>
        fileprivate let size: Int

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
    private static let sizes = [4, 16, 64, 256]

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
