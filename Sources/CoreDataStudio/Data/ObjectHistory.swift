import CoreData
import Foundation
import StoreBrowsing

/// What a store's history has of one object, read from its end on, and what it says of others since a transaction.
struct ObjectHistory {
    /// A change of the object.
    struct Change {
        /// Without its changes.
        let transaction: StoreTransaction
        /// The object, with its own entity.
        let object: ObjectReference
        let kind: StoreTransactionChange.Kind
        /// The names of the properties that an update changed.
        let properties: Set<String>
        /// The values that a deletion kept.
        let kept: [String: Any]
    }

    /// As many transactions as are read at once, and as many of these steps as there are at most.
    private static let (step, mostSteps) = (200, 500)
    /// How many steps go on behind the chosen transaction, for others to choose.
    private static let stepsBehind = 20
    /// As many changes as are listed at most.
    static let mostChanges = 100

    /// The transaction behind which the object is looked at.
    private(set) var chosen: StoreTransaction?
    /// The changes of the object, the newest first; those up to the chosen transaction may be cut.
    private(set) var changes: [Change] = []
    /// What happened to other objects behind the chosen transaction.
    private(set) var others: OtherChanges
    /// Whether older changes were not looked for.
    private(set) var isCut = false

    private let key: Int64
    /// The number of the topmost entity: it and its subentities share their keys.
    private let root: Int32
    private let layouts: ModelLayout
    private let number: Int64?

    /// - Parameters:
    ///   - object: The object.
    ///   - number: The number of the transaction; without one, that of the newest change of the object.
    ///   - isStored: Whether the store has the object now. Of one that is gone the deletion is looked for.
    /// - Throws: `ToolFailure` for a transaction that history lacks, or that is too far back.
    init(
        of object: NSManagedObjectID, at number: Int64?, isStored: Bool, _ store: any HistoryStore
    ) throws {
        (layouts, self.number) = (store.layouts, number)
        (key, root) = (object.reference.key, layouts[object.reference.entity].rootNumber)
        others = OtherChanges(of: object.entity, layouts)
        try read(store, isStored)
        guard chosen == nil else { return }
        if let number { throw ToolFailure(.invalidQuery, "The history has no transaction No. \(number).") }
    }

    /// The changes behind the chosen transaction, the newest first.
    var later: ArraySlice<Change> { changes.prefix { $0.transaction.number > chosen?.number ?? 0 } }

    /// The deletion, wherever it is.
    var deletion: Change? { changes.first { $0.kind == .deletion } }

    private mutating func read(_ store: any HistoryStore, _ isStored: Bool) throws {
        var next: Int64?
        var left = Self.stepsBehind
        for _ in 0..<Self.mostSteps {
            let found = try store.transactions(.last(Self.step, before: next), withChanges: true)
            for transaction in found.reversed() {
                if let number, chosen == nil, transaction.number < number { return }
                take(transaction)
            }
            next = found.first?.number
            guard found.count == Self.step else { return }
            if chosen == nil { continue }
            if changes.count >= Self.mostChanges || (left == 0 && (isStored || deletion != nil)) {
                isCut = true
                return
            }
            left = max(0, left - 1)
        }
        isCut = true
        if chosen == nil, let number {
            throw ToolFailure(
                .invalidQuery,
                "More than \(Self.step * Self.mostSteps) transactions came after No. \(number). That is too far back.")
        }
    }

    private mutating func take(_ transaction: StoreTransaction) {
        let own = transaction.changes.first {
            $0.object.key == key && layouts[$0.object.entity].rootNumber == root
        }
        var bare = transaction
        bare.changes = []
        if chosen == nil, number.map({ $0 == transaction.number }) ?? (own != nil) { chosen = bare }
        if chosen == nil { others.take(transaction) }
        guard let own else { return }
        changes.append(
            Change(
                transaction: bare, object: own.object, kind: own.kind, properties: Set(own.properties ?? []),
                kept: own.tombstone as? [String: Any] ?? [:]))
    }
}

/// What happened to objects that an object's relationships lead to.
///
/// A batch changes one end of a relationship and names the other one nowhere. So a relationship counts as unchanged
/// only if nothing happened to its other end either.
struct OtherChanges {
    /// Whether anything was changed at all.
    private(set) var areThere = false
    /// The relationships that may lead elsewhere, each with the first transaction that may have changed it.
    private(set) var touched: [String: StoreTransaction] = [:]
    /// The to-ones that may have lost their destination, each with the first transaction that deleted one.
    private(set) var emptied: [String: StoreTransaction] = [:]
    /// The objects that were inserted, by the relationships that can lead to them.
    private(set) var inserted: [String: [ObjectReference: StoreTransaction]] = [:]

    private let layouts: ModelLayout
    private let relationships: [NSRelationshipDescription]
    /// The relationships that lead to objects of an entity, by its number.
    private var known: [Int32: [NSRelationshipDescription]] = [:]

    init(of entity: NSEntityDescription, _ layouts: ModelLayout) {
        self.layouts = layouts
        relationships = entity.properties.compactMap { $0 as? NSRelationshipDescription }
    }

    /// Takes a transaction, which is older than those before it.
    fileprivate mutating func take(_ transaction: StoreTransaction) {
        areThere = areThere || !transaction.changes.isEmpty
        var bare = transaction
        bare.changes = []
        for change in transaction.changes {
            for relationship in leading(to: change.object.entity) {
                take(change, bare, relationship)
            }
        }
    }

    private mutating func take(
        _ change: StoreTransactionChange, _ transaction: StoreTransaction,
        _ relationship: NSRelationshipDescription
    ) {
        let name = relationship.name
        guard let back = relationship.inverseRelationship, relationship.isToMany || !back.isToMany else {
            if change.kind == .deletion { emptied[name] = transaction }
            return
        }
        switch change.kind {
        case .insertion: inserted[name, default: [:]][change.object] = transaction
        case .deletion: touched[name] = transaction
        case .update: if change.properties?.contains(back.name) ?? true { touched[name] = transaction }
        }
    }

    private mutating func leading(to number: Int32) -> [NSRelationshipDescription] {
        if let found = known[number] { return found }
        let entity = layouts[number].entity
        let found = relationships.filter { relationship in
            relationship.destinationEntity.map(entity.isKindOf(entity:)) ?? false
        }
        known[number] = found
        return found
    }
}
