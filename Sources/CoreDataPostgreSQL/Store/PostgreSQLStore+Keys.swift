import CoreData
import PostgreSQLClient

extension PostgreSQLStore: GappedKeyStore {
    /// The sequences of tables of other programs are not the store's alone.
    var hasGapsInKeys: Bool { session.mapping != nil }

    func allocateKeys(for entity: EntityLayout, count: Int) throws -> Int64 {
        try requireWritable()
        return try successiveKeys(for: entity, count: count, nil)
    }

    func keys(for entity: EntityLayout, count: Int) throws -> [Int64] {
        try requireWritable()
        return try keys(for: entity, count: count, nil)
    }

    /// - Parameter connection: That of a transaction, inside of which there may be no other one; nil for any.
    func keys(for entity: EntityLayout, count: Int, _ connection: PostgreSQLConnection?) throws -> [Int64] {
        if let table = session.mapping?.tables[entity.rootNumber] {
            return try connected(connection) { try PostgreSQLKeys.single(count, of: table, $0) }
        }
        let first = try successiveKeys(for: entity, count: count, connection)
        return (0..<count).map { first + Int64($0) }
    }

    private func successiveKeys(
        for entity: EntityLayout, count: Int, _ connection: PostgreSQLConnection?
    ) throws -> Int64 {
        let root = layouts[entity.rootNumber]
        if let table = session.mapping?.tables[root.number] {
            guard count == 1 else { defect("A table of another program has no successive keys.") }
            return try connected(connection) { try PostgreSQLKeys.single(1, of: table, $0)[0] }
        }
        let sequence = PostgreSQLCreation.sequence(of: session.schema.table(of: root))
        return try keys.take(count, root: root.number) { blocks in
            try connected(connection) { try PostgreSQLKeys.blocks(blocks, of: sequence, $0) }
        }
    }

    private func connected<R>(
        _ connection: PostgreSQLConnection?, _ body: (PostgreSQLConnection) throws -> R
    ) throws -> R {
        if let connection { return try body(connection) }
        return try session.connected(body)
    }
}
