import CoreData
import FoundationGaps
import ModelArchive
import PropertyLists

/// The file itself, its metadata, and the model's identity.
extension StoreCheck {
    func checkFile() throws {
        try forEachRow("PRAGMA integrity_check(100)") { row in
            let text = row.text(0) ?? ""
            if text != "ok" { report(.damagedFile, "SQLite says: \(text)") }
        }
    }

    func checkMetadata() throws {
        let count = try connection.integer("SELECT count(*) FROM Z_METADATA") ?? 0
        if count != 1 { report(.metadata, table: "Z_METADATA", "there are \(count) rows instead of one") }
        guard count > 0 else { return }
        let row = try SQLiteStatement("SELECT Z_UUID, Z_PLIST FROM Z_METADATA LIMIT 1", on: connection)
        guard try row.step() else { return }
        checkIdentifier(row.text(0))
        readMetadata(row.blob(1))
        row.reset()
    }

    private func checkIdentifier(_ identifier: String?) {
        guard let identifier, !identifier.isEmpty else {
            return report(.metadata, table: "Z_METADATA", "the store has no UUID")
        }
        if UUID(uuidString: identifier) == nil {
            report(.metadata, table: "Z_METADATA", "“\(identifier)” is no UUID")
        }
    }

    private func readMetadata(_ plist: Data?) {
        guard let plist, !plist.isEmpty else {
            return report(.metadata, table: "Z_METADATA", "the store has no property list of metadata")
        }
        let values = try? PropertyListValue.foundationValue(of: plist)
        guard let values = values as? [String: Any] else {
            return report(.metadata, table: "Z_METADATA", "Z_PLIST is no property list")
        }
        metadata = values
        if let type = values[NSStoreTypeKey] as? String, type != NSSQLiteStoreType {
            report(.metadata, table: "Z_METADATA", "the store’s type is “\(type)” instead of “\(NSSQLiteStoreType)”")
        }
        if values[NSStoreModelVersionHashesKey] as? [String: Data] == nil {
            report(.metadata, table: "Z_METADATA", "the metadata has no version hashes")
        }
    }

    // MARK: The model's identity

    /// Compares the hashes by which the framework decides whether a model fits a store.
    func checkHashes() throws {
        guard let model, let schema, let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data],
            hashesAreOfOurKind
        else { return }
        let names = Set(layouts.map(\.name))
        let hashes = VersionHashes(entities: model.entityVersionHashesByName.filter { names.contains($0.key) })
        for name in Set(stored.keys).union(hashes.entities.keys).sorted(by: { $0.isOrderedByScalars($1) }) {
            compare(stored[name], hashes.entities[name], of: name, schema)
        }
        guard stored == hashes.entities else { return }
        compare("NSStoreModelVersionHashesDigest", with: hashes.digest)
        compare(NSPersistentStoreModelVersionChecksumKey, with: hashes.checksum)
    }

    /// Whether the hashes are computed as ours are; the first releases did it in another way.
    private var hashesAreOfOurKind: Bool {
        (metadata["NSStoreModelVersionHashesVersion"] as? NSNumber)?.intValue ?? 3 == 3
    }

    private func compare(_ stored: Data?, _ computed: Data?, of name: String, _ schema: SQLSchema) {
        guard stored != computed else { return }
        let message =
            stored == nil
            ? "the metadata has no version hash for this entity"
            : computed == nil
                ? "the metadata has a version hash for this entity, which the model does not have"
                : "the version hash in the metadata is not the model’s"
        report(.versionHash, table: "Z_METADATA", entity: name, message)
    }

    private func compare(_ key: String, with computed: String) {
        guard let stored = metadata[key] as? String, stored != computed else { return }
        report(.modelDigest, table: "Z_METADATA", "\(key) is not what follows from the model’s hashes")
    }

    // MARK: Persistent history

    /// The rows of the history and what they refer to.
    func checkHistory() throws {
        guard inspection.columns["ACHANGE"] != nil, inspection.columns["ATRANSACTION"] != nil else { return }
        try forEachRow(
            "SELECT Z_PK, ZTRANSACTIONID FROM ACHANGE c WHERE NOT EXISTS "
                + "(SELECT 1 FROM ATRANSACTION t WHERE t.Z_PK = c.ZTRANSACTIONID)"
        ) { row in
            let transaction = row.text(1).map { "the transaction \($0), which is not there" } ?? "no transaction"
            report(.history, table: "ACHANGE", key: row.int(0), property: "ZTRANSACTIONID", "belongs to \(transaction)")
        }
        try forEachRow(
            "SELECT Z_PK, ZCHANGETYPE FROM ACHANGE WHERE ZCHANGETYPE IS NULL OR ZCHANGETYPE NOT IN (0, 1, 2)"
        ) { row in
            report(
                .history, table: "ACHANGE", key: row.int(0), property: "ZCHANGETYPE",
                "\(row.text(1) ?? "NULL") is no kind of change")
        }
        try forEachRow(
            "SELECT Z_PK, ZENTITY FROM ACHANGE WHERE ZENTITY IS NULL "
                + "OR ZENTITY NOT IN (SELECT Z_ENT FROM Z_PRIMARYKEY)"
        ) { row in
            report(
                .history, table: "ACHANGE", key: row.int(0), property: "ZENTITY",
                "\(row.text(1) ?? "NULL") is the number of no entity")
        }
        try checkTransactionStrings()
    }

    private func checkTransactionStrings() throws {
        guard inspection.columns["ATRANSACTIONSTRING"] != nil else { return }
        let columns = inspection.columns["ATRANSACTION", default: []].map(\.name).filter { $0.hasSuffix("TS") }
        for column in columns {
            try forEachRow(
                "SELECT Z_PK, \(column.quotedForSQL) FROM ATRANSACTION WHERE \(column.quotedForSQL) IS NOT NULL "
                    + "AND \(column.quotedForSQL) NOT IN (SELECT Z_PK FROM ATRANSACTIONSTRING)"
            ) { row in
                report(
                    .history, table: "ATRANSACTION", key: row.int(0), property: column,
                    "names the string \(row.int(1)), which is not there")
            }
        }
    }
}
