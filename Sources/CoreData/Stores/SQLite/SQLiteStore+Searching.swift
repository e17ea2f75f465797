extension SQLiteStore: SearchedStore {
    func hasSearchIndex(of layout: EntityLayout) throws -> Bool {
        guard let table = try schema.searchTable(of: layout) else { return false }
        return schema.searchTables?.contains(table.name) ?? false
    }
}
