import FoundationGaps

/// What can be read of a store, or of one state of it.
package protocol StoreReader {
    /// Runs a fetch.
    func fetch(_ fetch: StoreFetch) throws -> StoreFetchResult

    /// Adds what this store has to the dictionaries of several.
    func add(to merge: DictionaryMerge) throws

    /// The row with this key in one entity tree, with a reference to hand on; nil if there is none.
    func row(rootedAt root: EntityLayout, key: Int64) throws -> Unmanaged<RowSnapshot>?

    /// The rows with these keys, all different, in one entity tree, in any order; keys without a row are left out.
    func rows(rootedAt root: EntityLayout, keys: [Int64]) throws -> [RowSnapshot]

    /// Parts of the rows with these keys, in any order; keys without a row are left out.
    func rows(_ part: RowPart, keys: [Int64]) throws -> [RowSnapshot]

    /// The members of a to-many relationship, in their order where it is ordered, else by key.
    func members(of source: ObjectReference, slot: PropertySlot) throws -> [ObjectReference]

    /// The members of a to-many relationship of many objects, each source's in their order.
    ///
    /// - Parameters:
    ///   - sources: The keys of objects of one entity tree.
    ///   - layout: The entity that declares the relationship.
    ///   - slot: The relationship.
    func members(ofAll sources: [Int64], in layout: EntityLayout, slot: PropertySlot) throws -> StoreMembers
}

/// What the runtime asks of a store that works row by row (SQLite; PostgreSQL and the atomic stores speak it too).
///
/// Reads (``fetch(_:)``, ``row(rootedAt:key:)``, ``rows(rootedAt:keys:)``, ``rows(_:keys:)``, ``members(of:slot:)``,
/// ``members(ofAll:in:slot:)``, ``add(to:)``, ``externalData(_:)``) may come from many threads at a time and while something is written: a store that can't do
/// both lets them wait, by the lock in ``turns``. All other calls come under that lock, one at a time. Snapshots that go out
/// are immutable.
package protocol ObjectStore: NSPersistentStore, StoreReader {
    /// The lock that a thread holds while it changes the store: a coordinator puts its own here before it uses the store.
    var turns: NSRecursiveLock { get set }

    /// The layouts of the model that the store was opened with.
    var layouts: ModelLayout { get }

    /// Hands out `count` successive keys in the entity's tree and returns the first.
    func allocateKeys(for entity: EntityLayout, count: Int) throws -> Int64

    /// Writes everything in one transaction, or nothing, and the store's metadata where they were set.
    ///
    /// - Parameters:
    ///   - changes: What to write.
    ///   - willCommit: Called when everything is written but not yet committed; where it throws, nothing is.
    /// - Returns: The new snapshots of inserted and updated rows, in the order of `changes.inserts + changes.updates`; then
    ///   those of other rows that the store itself changed on the way, as triggers of derived attributes do.
    /// - Throws: `NSFileWriteNoPermissionError` (513) for a read-only store; ``StoreConflicts`` where rows changed or vanished behind our back or a constraint is violated;
    ///   CocoaError codes for what SQLite reports.
    func save(_ changes: StoreChanges, willCommit: () throws -> Void) throws -> [RowSnapshot]

    /// Whether metadata were set that are not saved yet. Asked without the lock, too.
    var hasUnsavedMetadata: Bool { get }

    /// Goes on with the store at another place, and closes this one. A store in memory only takes the URL.
    ///
    /// - Throws: What opening throws; the store is then as it was.
    func reopen(at url: URL, model: StoreModel) throws

    /// Lets go of the file. Nothing is asked of the store afterwards.
    func close() throws

    /// Turns the raw bytes of an attribute with external storage into its data, reading a file where they name one.
    func externalData(_ raw: Data) throws -> Data?
}

/// A fetch as a store sees it: checked against the model, without contexts and pending changes.
package struct StoreFetch {
    package enum Output {
        /// Whole rows.
        case rows
        /// Parts of rows.
        case parts(RowPart)
        /// References only.
        case references
        case count
        /// Dictionaries with these columns, grouped and filtered.
        case dictionaries([StoreColumn], groupBy: [StoreColumn], having: NSPredicate?, distinct: Bool)
    }

    package var entity: EntityLayout
    package var includesSubentities = true
    /// Its variables are bound; its objects and object IDs belong to this coordinator.
    package var predicate: NSPredicate?
    package var sortDescriptors: [NSSortDescriptor] = []
    /// 0: no limit.
    package var limit = 0
    package var offset = 0
    package var output: Output

    package init(entity: EntityLayout, output: Output) {
        self.entity = entity
        self.output = output
    }
}

/// A column of a dictionary result.
package struct StoreColumn {
    package let name: String
    package let expression: NSExpression
    /// What the value is delivered as; undefined: as the expression's own type.
    package let type: NSAttributeType

    package init(name: String, expression: NSExpression, type: NSAttributeType) {
        self.name = name
        self.expression = expression
        self.type = type
    }
}

package enum StoreFetchResult {
    case rows(RowBatch)
    case references([ObjectReference])
    case count(Int)
    case dictionaries([NSDictionary])
}

/// The members of a to-many relationship of many objects.
package final class StoreMembers {
    // Exclusive access is not checked while the program runs: no method calls foreign code while it changes a property.

    /// All members, by the object that they are members of, and each one's in their order.
    @exclusivity(unchecked) package private(set) var references: [ObjectReference] = []
    /// The rows of ``references``, where the query that found the members could read them too; else empty.
    package let rows: RowBatch
    /// Which of ``references`` are whose members.
    @exclusivity(unchecked) package private(set) var runs: [(source: Int64, members: Range<Int>)] = []

    package init() { rows = RowBatch() }

    /// The members of one object, by their rows.
    package init(_ rows: RowBatch, store: Int32, of source: Int64) {
        self.rows = rows
        references.reserveCapacity(rows.count)
        rows.forEach {
            references.append(ObjectReference(key: $0.key, entity: $0.table.pointee.number, store: store))
        }
        if rows.count > 0 { runs = [(source, 0..<rows.count)] }
    }

    /// Appends a member; all members of a source come one after the other.
    package func append(_ member: ObjectReference, of source: Int64) {
        references.append(member)
        if let last = runs.last, last.source == source {
            runs[runs.count - 1].members = last.members.lowerBound..<references.count
        } else {
            runs.append((source, references.count - 1..<references.count))
        }
    }

    /// Appends a member by its row, and takes over the row's reference.
    package func append(_ row: Unmanaged<RowSnapshot>, store: Int32, of source: Int64) {
        let (table, key) = row._withUnsafeGuaranteedRef { ($0.table, $0.key) }
        append(ObjectReference(key: key, entity: table.pointee.number, store: store), of: source)
        rows.append(row)
    }
}
