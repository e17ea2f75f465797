import FoundationGaps

extension NSManagedObjectContext {
    /// Settles conflicts as a standard merge policy does.
    ///
    /// - Throws: What reading rows ran into.
    static func settle(_ conflicts: [NSMergeConflict], by type: NSMergePolicyType) throws {
        var rest = conflicts.filter { $0.sourceObject.contextStorage != nil }
        while let context = rest.first?.sourceObject.contextStorage {
            let own = rest.filter { $0.sourceObject.contextStorage === context }
            rest.removeAll { $0.sourceObject.contextStorage === context }
            var settlement = RowSettlement(context)
            for conflict in own {
                let object = conflict.sourceObject
                settlement.add(
                    object, try conflict.foundRow ?? context.source.freshRow(for: object.reference), type)
            }
            settlement.run()
            for conflict in own where conflict.sourceObject.contextStorage != nil {
                conflict.sourceObject.awake(fromSnapshotEvents: .mergePolicy)
            }
        }
    }

    /// After a policy has settled conflicts: what is still changed is changed against the rows as they are now.
    func rebase(_ conflicts: [NSMergeConflict]) {
        var settlement = RowSettlement(self)
        for conflict in conflicts {
            let object = conflict.sourceObject
            guard object.contextStorage === self, let row = conflict.foundRow,
                row != nil || !object.state.contains(.inserted), row?.version != object.snapshot?.version
            else { continue }
            settlement.add(object, row, .mergeByPropertyObjectTrumpMergePolicyType)
        }
        settlement.run()
        forgetUnchanged()
    }
}
