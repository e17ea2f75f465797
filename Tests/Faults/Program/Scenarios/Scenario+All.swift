extension Scenario {
    /// All scenarios. A new one joins a list of these.
    static let all =
        saves + externalData + journalModes + storeFiles + openings + fileStores + severalStores + migrations
        + history + randomSaves + randomMigrations
}
