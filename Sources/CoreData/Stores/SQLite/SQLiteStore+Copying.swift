import Foundation

extension SQLiteStore: PagedStore {
    func insert(_ page: CopiedPage) throws {
        var changes = StoreChanges()
        changes.inserts = RowChanges(count: page.rows.count) { try page.change(page.rows[$0]) }
        _ = try save(changes)
    }

    func addMembers(_ changes: [RowChange]) throws {
        try committing { _ in try MemberWriter(self).write(changes) }
    }

    func reserveKeys(upTo key: Int64, rootedAt root: EntityLayout) throws {
        guard let number = schema.number(of: root) else { return }
        try cocoa {
            try connection.write {
                let select = try connection.statement(SQLStoreTables.highestKey)
                select.bind(1, int: number)
                let last = try select.step() ? select.int(0) : 0
                select.reset()
                if last < key { try setHighestKey(key, from: last, number) }
            }
        }
    }

    private func setHighestKey(_ key: Int64, from last: Int64, _ number: Int64) throws {
        let update = try connection.statement(SQLStoreTables.keyReturn)
        update.bind(1, int: key)
        update.bind(2, int: number)
        update.bind(3, int: last)
        try update.run()
    }
}

extension SQLiteStore: SteadyStore {
    func steadily<R>(_ body: (any StoreReader) throws -> R) throws -> R {
        if canHold { return try hold().reading(body) }
        return try cocoa { try connection.read { try body(main) } }
    }
}
