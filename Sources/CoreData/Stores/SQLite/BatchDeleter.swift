import Foundation

/// Deletes the rows of a batch, inside of its transaction, and does what delete rules ask for.
final class BatchDeleter {
    private let store: SQLiteStore
    private let files: ExternalFiles
    private let history: HistoryRecorder?
    /// The keys of the rows that are to go, by the number of their entity.
    private var doomed: [Int32: [Int64]] = [:]
    /// The same keys by the number of their tree's root.
    private var known: [Int32: Set<Int64>] = [:]
    private var references: [ObjectReference] = []

    init(_ store: SQLiteStore, _ files: ExternalFiles, _ history: HistoryRecorder?) {
        (self.store, self.files, self.history) = (store, files, history)
    }

    /// - Returns: The rows that the fetch found, and behind them those that rules deleted.
    func run(_ deletion: StoreBatchDeletion) throws -> StoreBatchResult {
        let entity = deletion.fetch.entity
        if history == nil, !entity.selfAndDescendants.contains(where: \.needsCareInDeletions) {
            let query = try store.main.translator.translate(deletion)
            return try store.change(query, entity, wantsReferences: deletion.wantsReferences)
        }
        try cascade(from: try OwnedRows(store).found(by: deletion.fetch))
        try checkDenials()
        try release()
        try delete()
        return StoreBatchResult(count: references.count, references: deletion.wantsReferences ? references : [])
    }

    // MARK: Which rows go

    private func cascade(from found: [ObjectReference]) throws {
        var waiting = add(found)
        while !waiting.isEmpty {
            var next: [ObjectReference] = []
            for (layout, keys) in byEntity(waiting) {
                for slot in layout.storedRelationships where slot.deleteRule == .cascadeDeleteRule {
                    next += try destinations(of: keys, slot, layout)
                }
            }
            waiting = add(next)
        }
    }

    /// Notes rows that are to go.
    ///
    /// - Returns: Those that were not noted before.
    private func add(_ found: [ObjectReference]) -> [ObjectReference] {
        let new = found.filter { known[root(of: $0), default: []].insert($0.key).inserted }
        for reference in new { doomed[reference.entity, default: []].append(reference.key) }
        references += new
        return new
    }

    private func byEntity(_ references: [ObjectReference]) -> [(EntityLayout, [Int64])] {
        Dictionary(grouping: references, by: \.entity).sorted { $0.key < $1.key }
            .map { (store.layouts[$0.key], $0.value.map(\.key)) }
    }

    private func root(of reference: ObjectReference) -> Int32 { store.layouts.rootNumber(of: reference.entity) }

    private func isDoomed(_ reference: ObjectReference) -> Bool {
        known[root(of: reference)]?.contains(reference.key) ?? false
    }

    private func destinations(
        of keys: [Int64], _ slot: PropertySlot, _ layout: EntityLayout
    ) throws -> [ObjectReference] {
        let statements = SQLDeletionStatements(layout, schema: store.schema)
        var found: [ObjectReference] = []
        try store.main.forEachRow(keys) {
            statements.destinations(slot, $0)
        } _: { row in
            found.append(store.reference(row, store.layouts[slot.destination]))
        }
        return found
    }

    // MARK: What forbids it

    private func checkDenials() throws {
        try forEachDoomed { layout, keys in
            for slot in layout.denySlots where !slot.isTransient {
                if let member = try destinations(of: keys, slot, layout).first(where: { !isDoomed($0) }) {
                    throw failure(
                        NSValidationRelationshipDeniedDeleteError, slot, layout, member,
                        "its delete rule is Deny, and it leads to")
                }
            }
        }
    }

    private func failure(
        _ code: Int, _ slot: PropertySlot, _ layout: EntityLayout, _ member: ObjectReference, _ reason: String
    ) -> NSError {
        let destination = store.layouts[member.entity].name
        return .cocoa(
            code, "The batch can't delete objects of \(layout.name): \(layout.name).\(slot.name) forbids it.",
            reason:
                "Of \(slot.name), \(reason) an object of \(destination) that stays (key \(member.key)). Nothing was deleted.",
            userInfo: [NSValidationKeyErrorKey: slot.name, NSAffectedStoresErrorKey: [store]])
    }

    // MARK: What lets go of the rows

    private func release() throws {
        try forEachDoomed { layout, keys in
            let statements = SQLDeletionStatements(layout, schema: store.schema)
            for slot in layout.storedRelationships {
                if slot.deleteRule == .nullifyDeleteRule { try nullify(slot, layout, keys) }
                guard slot.kind.isToMany else { continue }
                for place in statements.linkRemovals(slot, .array(parameter: 1)).indices {
                    try store.main.forEachRow(keys) { statements.linkRemovals(slot, $0)[place] }
                }
            }
            try discardFiles(layout, keys)
        }
    }

    private func nullify(_ slot: PropertySlot, _ layout: EntityLayout, _ keys: [Int64]) throws {
        let statements = SQLDeletionStatements(layout, schema: store.schema)
        guard slot.inverse >= 0 else { return }
        let inverse = store.layouts[slot.destination].slots[slot.inverse]
        if inverse.kind == .toOne, !inverse.isOptional,
            let member = try destinations(of: keys, slot, layout).first(where: { !isDoomed($0) })
        {
            throw failure(
                NSValidationMissingMandatoryPropertyError, slot, layout, member,
                "the inverse \(inverse.name) is mandatory, and can't become nil in")
        }
        try store.main.forEachRow(keys) { statements.release(slot, $0) }
    }

    private func discardFiles(_ layout: EntityLayout, _ keys: [Int64]) throws {
        let slots = layout.slots.filter { $0.isExternal && $0.isStoredInRow }
        if slots.isEmpty { return }
        try OwnedRows(store).discardFiles(of: keys, slots: slots, in: layout, files)
    }

    // MARK: The rows themselves

    private func delete() throws {
        try forEachDoomed { layout, keys in
            let statements = SQLDeletionStatements(layout, schema: store.schema)
            if let history { for key in keys { try history.noteDeletion(key, layout) } }
            try store.main.forEachRow(keys) { statements.deletion($0) }
        }
    }

    private func forEachDoomed(_ body: (EntityLayout, [Int64]) throws -> Void) throws {
        for (entity, keys) in doomed.sorted(by: { $0.key < $1.key }) { try body(store.layouts[entity], keys) }
    }
}

extension EntityLayout {
    /// The relationships that the store has.
    fileprivate var storedRelationships: [PropertySlot] {
        slots.filter { $0.kind.isRelationship && !$0.isTransient }
    }

    /// Whether a deletion of the entity's rows has to look at other rows, or at files.
    fileprivate var needsCareInDeletions: Bool {
        slots.contains { $0.isExternal && $0.isStoredInRow }
            || storedRelationships.contains { slot in
                slot.kind.isToMany || slot.isPair || slot.deleteRule == .cascadeDeleteRule
                    || slot.deleteRule == .denyDeleteRule
            }
    }
}
