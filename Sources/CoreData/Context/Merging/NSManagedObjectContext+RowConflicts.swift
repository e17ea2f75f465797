import FoundationGaps

extension NSManagedObjectContext {
    /// Resolves conflicts of rows as a standard merge policy does.
    ///
    /// - Throws: What reading rows ran into.
    static func resolveRowConflicts(_ conflicts: [NSMergeConflict], by type: NSMergePolicyType) throws {
        var rest = conflicts.filter { $0.sourceObject.contextStorage != nil }
        while let context = rest.first?.sourceObject.contextStorage {
            let own = rest.filter { $0.sourceObject.contextStorage === context }
            rest.removeAll { $0.sourceObject.contextStorage === context }
            var merge = RowMerge(context)
            for conflict in own {
                let object = conflict.sourceObject
                merge.add(
                    object, try conflict.foundRow ?? context.source.freshRow(for: object.reference), type)
            }
            merge.run()
            for conflict in own where conflict.sourceObject.contextStorage != nil {
                conflict.sourceObject.awake(fromSnapshotEvents: .mergePolicy)
            }
        }
    }

    /// After a policy has resolved conflicts: what is still changed is changed against the rows as they are now.
    func rebase(_ conflicts: [NSMergeConflict]) {
        var merge = RowMerge(self)
        for conflict in conflicts {
            let object = conflict.sourceObject
            guard object.contextStorage === self, let row = conflict.foundRow,
                row != nil || !object.state.contains(.inserted), row?.version != object.snapshot?.version
            else { continue }
            merge.add(object, row, .mergeByPropertyObjectTrumpMergePolicyType)
        }
        merge.run()
        forgetUnchanged()
    }
}
