import Foundation

extension NSPersistentStoreCoordinator {
    /// Copies a store of this coordinator to another place, and compares the copy with what was read. The copy has a
    /// UUID of its own; keys, versions and metadata are the source's.
    ///
    /// A copy into a kind that takes pages is written in many transactions. One that was broken off goes on when the
    /// store is copied to the same place again. Other kinds write all at once.
    ///
    /// - Parameters:
    ///   - store: The source. It is read in one state, where its kind can keep one.
    ///   - url: Where nothing is, or an unfinished copy of the source.
    ///   - archive: The model as a keyed archive, which the copy is to have in it; nil: the coordinator's.
    ///   - told: Called after each page.
    /// - Throws: 516 where something else is at the URL; 134070 where the source has changed since the copy began, or
    ///   the copy is not what was read; 134000 for a kind without places; 134080 for a URL of something else than
    ///   a file, where the kind's stores are files; what the stores throw.
    package func copyStore(
        _ store: NSPersistentStore, to url: URL, type storeType: String, archive: Data? = nil,
        told: @escaping (StoreCopyProgress) -> Void = { _ in }
    ) throws -> StoreCopyReport {
        guard let source = store as? any ObjectStore, persistentStores.contains(store) else {
            throw NSError.cocoa(NSPersistentStoreOperationError, "The store is not one of this coordinator's.")
        }
        let kind = try StoreKinds.placedKind(of: storeType, at: url)
        if store.type == storeType, store.isAt(url) {
            throw NSError.cocoa(
                NSPersistentStoreOperationError, "The store can't be copied to its own place.")
        }
        var model = try managedObjectModel.storeModel(configuration: source.namedConfiguration, for: self)
        if let archive { model.archive = { archive } }
        guard kind.copiesInPages else { return try copyAtOnce(source, model, to: url, kind, told) }
        let copy = try kind.open(
            model, configurationName: source.namedConfiguration, at: url,
            options: [StoreCopyOption: source.token.identifier])
        guard let target = copy as? any PagedStore else { defect("A store of \(storeType) takes no pages.") }
        let report: StoreCopyReport
        do { report = try PagedCopy(from: source, to: target, told: told).run() } catch {
            try? target.close()
            throw error
        }
        try target.close()
        return report
    }

    private func copyAtOnce(
        _ source: any ObjectStore, _ model: StoreModel, to url: URL, _ kind: any PlacedStoreKind,
        _ told: @escaping (StoreCopyProgress) -> Void
    ) throws -> StoreCopyReport {
        let target = try kind.copy(source, model, to: url, options: nil)
        let report: StoreCopyReport
        do {
            report = try StoreCopy(from: source, to: target).compare(told)
            try target.close()
        } catch {
            try? target.close()
            try? kind.destroy(url, options: nil)
            throw error
        }
        return report
    }
}
