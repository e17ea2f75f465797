import Foundation

/// A database that deletes the rows of a batch, inside of its transaction.
package protocol BatchDeletionTarget {
    var store: NSPersistentStore { get }
    var schema: SQLSchema { get }

    /// The references of the rows that a fetch finds.
    func references(foundBy fetch: StoreFetch) throws -> [ObjectReference]

    /// Runs a statement about some keys, once or in parts.
    ///
    /// - Parameter tree: The statement; nil where there is nothing to be done.
    func run(
        about keys: [Int64], _ tree: (SQLKeyList) -> SQLStatement?, forEachRow body: (any SQLResultRow) throws -> Void
    ) throws

    /// Called before rows go: for what is told of them elsewhere.
    func willDelete(_ keys: [Int64], of layout: EntityLayout) throws
}

extension BatchDeletionTarget {
    fileprivate var layouts: ModelLayout { schema.layouts }

    fileprivate func run(about keys: [Int64], _ tree: (SQLKeyList) -> SQLStatement?) throws {
        try run(about: keys, tree) { _ in }
    }
}

/// Deletes the rows of a batch, and does what delete rules ask for.
package final class BatchDeletion<Target: BatchDeletionTarget> {
    private let target: Target
    /// The keys of the rows that are to go, by the number of their entity.
    private var doomed: [Int32: [Int64]] = [:]
    /// The same keys by the number of their tree's root.
    private var known: [Int32: Set<Int64>] = [:]
    private var references: [ObjectReference] = []

    package init(_ target: Target) { self.target = target }

    /// - Returns: The rows that the fetch found, and behind them those that rules deleted.
    package func run(_ deletion: StoreBatchDeletion) throws -> StoreBatchResult {
        try cascade(from: try target.references(foundBy: deletion.fetch))
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
            .map { (target.layouts[$0.key], $0.value.map(\.key)) }
    }

    private func root(of reference: ObjectReference) -> Int32 { target.layouts.rootNumber(of: reference.entity) }

    private func isDoomed(_ reference: ObjectReference) -> Bool {
        known[root(of: reference)]?.contains(reference.key) ?? false
    }

    private func destinations(
        of keys: [Int64], _ slot: PropertySlot, _ layout: EntityLayout
    ) throws -> [ObjectReference] {
        let statements = SQLDeletionStatements(layout, schema: target.schema)
        var found: [ObjectReference] = []
        try target.run(about: keys) {
            statements.destinations(slot, $0)
        } forEachRow: { row in
            let entity = target.schema.layoutNumber(of: row.int(1)) ?? slot.destination
            found.append(ObjectReference(key: row.int(0), entity: entity, store: target.store.token.number))
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
        let destination = target.layouts[member.entity].name
        return .cocoa(
            code, "The batch can't delete objects of \(layout.name): \(layout.name).\(slot.name) forbids it.",
            reason:
                "Of \(slot.name), \(reason) an object of \(destination) that stays (key \(member.key)). Nothing was deleted.",
            userInfo: [NSValidationKeyErrorKey: slot.name, NSAffectedStoresErrorKey: [target.store]])
    }

    // MARK: What lets go of the rows

    private func release() throws {
        try forEachDoomed { layout, keys in
            let statements = SQLDeletionStatements(layout, schema: target.schema)
            for slot in layout.storedRelationships {
                if slot.deleteRule == .nullifyDeleteRule { try nullify(slot, layout, keys) }
                guard slot.kind.isToMany else { continue }
                for place in statements.linkRemovals(slot, .array(parameter: 1)).indices {
                    try target.run(about: keys) { statements.linkRemovals(slot, $0)[place] }
                }
            }
        }
    }

    private func nullify(_ slot: PropertySlot, _ layout: EntityLayout, _ keys: [Int64]) throws {
        let statements = SQLDeletionStatements(layout, schema: target.schema)
        guard slot.inverse >= 0 else { return }
        let inverse = target.layouts[slot.destination].slots[slot.inverse]
        if inverse.kind == .toOne, !inverse.isOptional,
            let member = try destinations(of: keys, slot, layout).first(where: { !isDoomed($0) })
        {
            throw failure(
                NSValidationMissingMandatoryPropertyError, slot, layout, member,
                "the inverse \(inverse.name) is mandatory, and can't become nil in")
        }
        try target.run(about: keys) { statements.release(slot, $0) }
    }

    // MARK: The rows themselves

    private func delete() throws {
        try forEachDoomed { layout, keys in
            let statements = SQLDeletionStatements(layout, schema: target.schema)
            try target.willDelete(keys, of: layout)
            try target.run(about: keys) { statements.deletion($0) }
        }
    }

    private func forEachDoomed(_ body: (EntityLayout, [Int64]) throws -> Void) throws {
        for (entity, keys) in doomed.sorted(by: { $0.key < $1.key }) { try body(target.layouts[entity], keys) }
    }
}

extension EntityLayout {
    /// The relationships that the store has.
    fileprivate var storedRelationships: [PropertySlot] {
        slots.filter { $0.kind.isRelationship && !$0.isTransient }
    }

    /// Whether a deletion of the entity's rows has to look at other rows, or at files.
    package var needsCareInDeletions: Bool {
        slots.contains { $0.isExternal && $0.isStoredInRow }
            || storedRelationships.contains { slot in
                slot.kind.isToMany || slot.isPair || slot.deleteRule == .cascadeDeleteRule
                    || slot.deleteRule == .denyDeleteRule
            }
    }
}
