import CoreData

/// What a store still says of objects that are gone.
extension StoreInspection {
    /// A deletion in the persistent history.
    package struct Deletion: Sendable {
        /// The `Z_ENT` and the `Z_PK` of the row that was deleted.
        package let entity: Int64
        package let key: Int64
        package let transaction: Int64?
        /// Seconds since 2001.
        package let timestamp: Double?
        package let author: String?
        package let contextName: String?
        package let bundle: String?
        package let process: String?
        /// What was kept of the object's values, by column.
        package let tombstone: [String: SQLValue]
    }

    /// Whether the store has the tables of a persistent history.
    package var hasHistory: Bool { columns["ACHANGE"] != nil && columns["ATRANSACTION"] != nil }

    /// The deletions in the history, in their order; none in a store without history.
    package func deletions() throws -> [Deletion] {
        guard hasHistory, let changes = columns["ACHANGE"] else { return [] }
        let tombstones = changes.map(\.name).filter { $0.hasPrefix("ZTOMBSTONE") }
        let kept = tombstones.map { ", c." + $0.quotedForSQL }.joined()
        let sql =
            "SELECT c.ZENTITY, c.ZENTITYPK, c.ZTRANSACTIONID, t.ZTIMESTAMP, \(string("ZAUTHOR")), "
            + "\(string("ZCONTEXTNAME")), \(string("ZBUNDLEID")), \(string("ZPROCESSID"))\(kept) FROM ACHANGE c "
            + "LEFT JOIN ATRANSACTION t ON t.Z_PK = c.ZTRANSACTIONID WHERE c.ZCHANGETYPE = 2 ORDER BY c.Z_PK"
        return try SQLiteFile.cocoa(url) {
            let row = try SQLiteStatement(sql, on: connection)
            var deletions: [Deletion] = []
            while try row.step() { deletions.append(Deletion(row, tombstones)) }
            return deletions
        }
    }

    /// A text of a transaction: by key in newer stores, inline in older ones.
    private func string(_ name: String) -> String {
        let columns = Set(self.columns["ATRANSACTION", default: []].map(\.name))
        let inline = columns.contains(name) ? "t.\(name)" : "NULL"
        guard columns.contains(name + "TS"), self.columns["ATRANSACTIONSTRING"] != nil else { return inline }
        return "ifnull((SELECT ZNAME FROM ATRANSACTIONSTRING x WHERE x.Z_PK = t.\(name)TS), \(inline))"
    }

    /// How many keys that were handed out in an entity's table have no row: objects that were deleted, or never saved.
    ///
    /// - Returns: nil where the table or its row in `Z_PRIMARYKEY` is missing.
    package func vacantKeyCount(of table: String, root: Int64) throws -> Int64? {
        guard columns[table] != nil else { return nil }
        return try SQLiteFile.cocoa(url) {
            let statement = try SQLiteStatement(
                "SELECT max(ifnull(Z_MAX, 0), (SELECT ifnull(max(Z_PK), 0) FROM \(table.quotedForSQL))) "
                    + "- (SELECT count(*) FROM \(table.quotedForSQL)) FROM Z_PRIMARYKEY WHERE Z_ENT = ?", on: connection
            )
            statement.bind(1, int: root)
            return try statement.step() ? statement.int(0) : nil
        }
    }
}

extension StoreInspection.Deletion {
    fileprivate init(_ row: SQLiteStatement, _ tombstones: [String]) {
        (entity, key) = (row.int(0), row.int(1))
        transaction = row.isNull(2) ? nil : row.int(2)
        timestamp = row.isNull(3) ? nil : row.double(3)
        (author, contextName, bundle, process) = (row.text(4), row.text(5), row.text(6), row.text(7))
        var kept: [String: SQLValue] = [:]
        for (index, name) in tombstones.enumerated() where !row.isNull(Int32(8 + index)) {
            kept[name] = SQLValue(row, Int32(8 + index))
        }
        tombstone = kept
    }
}
