import CoreData
import PostgreSQLClient

/// Inserts the rows of a batch, inside of its transaction.
///
/// Without a merge policy for uniqueness the rows go to the server as one `COPY`. With one, each row is looked up by
/// its unique values first. Rows for another program's tables are inserted one by one.
final class PostgreSQLBatchInserter {
    private let batch: PostgreSQLBatch
    private let insertion: StoreBatchInsertion
    private let writer: PostgreSQLEntityWriter
    private var keys: PostgreSQLBatchKeys
    private var count = 0
    private var references: [ObjectReference] = []
    /// Keys that history is to know of.
    private var unrecorded: [Int64] = []

    init(_ batch: PostgreSQLBatch, _ insertion: StoreBatchInsertion) throws {
        (self.batch, self.insertion) = (batch, insertion)
        writer = try batch.session.writer(for: insertion.entity)
        keys = PostgreSQLBatchKeys(batch, insertion.entity)
    }

    func run() throws -> StoreBatchResult {
        let constraints = insertion.entity.allUniquenessConstraints
        // A COPY has no other types than the table's.
        let canCopy = batch.session.mapping == nil
        if canCopy, constraints.isEmpty || insertion.conflict == .isAnError {
            try copyAll()
        } else {
            while let row = try insertion.next() { try insert(row, constraints) }
        }
        try batch.recorder?.noteInsertions(unrecorded, insertion.entity)
        return StoreBatchResult(count: count, references: references)
    }

    /// A `COPY` for each range of keys: while rows are copied, the connection can't be asked for keys.
    private func copyAll() throws {
        var isDone = false
        while !isDone {
            try keys.refill()
            try batch.connection.copyIn(writer.copy) { table in
                var parameters = PostgreSQLParameters()
                while !keys.isEmpty, !isDone {
                    guard let row = try insertion.next() else {
                        isDone = true
                        break
                    }
                    parameters.removeAll()
                    let key = try keys.take()
                    try writer.append(key, row.values, to: &parameters)
                    try table.write(parameters)
                    note(key)
                }
            }
        }
    }

    private func note(_ key: Int64) {
        count += 1
        if insertion.wantsReferences { references.append(reference(key)) }
        if batch.recorder != nil { unrecorded.append(key) }
    }

    private func reference(_ key: Int64) -> ObjectReference {
        ObjectReference(key: key, entity: insertion.entity.number, store: batch.owner.token.number)
    }

    // MARK: Uniqueness

    private func insert(_ row: BatchRow, _ constraints: [[String]]) throws {
        var parameters = PostgreSQLParameters()
        let key = try keys.take()
        let new = try writer.insert(key, row.values, &parameters)
        var others: Set<ObjectReference> = []
        var refused: [String] = []
        for constraint in constraints {
            guard let other = try batch.reader.twin(of: new, constraint) else { continue }
            if refused.isEmpty { refused = constraint }
            others.insert(other)
        }
        if others.isEmpty {
            try batch.connection.execute(preparing: writer.insertion.plain, parameters)
            return note(key)
        }
        switch insertion.conflict {
        case .isAnError: throw failure(refused)
        case .keepsTheOldRow: return
        case .setsGivenValues: try update(others, with: row.given, refused)
        case .setsAllValues: try update(others, with: row.values, refused)
        }
    }

    /// Gives the row that has the values already those of the new row.
    private func update(_ others: Set<ObjectReference>, with values: ChangeRecord, _ constraint: [String]) throws {
        let layouts = batch.session.schema.layouts
        let root = layouts[insertion.entity.rootNumber]
        guard let other = others.first, others.count == 1, other.entity == insertion.entity.number,
            let old = try batch.reader.rows(rootedAt: root, keys: [other.key]).first
        else { throw failure(constraint) }
        var parameters = PostgreSQLParameters()
        let (text, _) = try writer.update(old, values, &parameters)
        let result = try batch.connection.execute(preparing: text.plain, parameters)
        guard result.affectedRows == 1 else { throw failure(constraint) }
        count += 1
        if insertion.wantsReferences { references.append(other) }
        try batch.recorder?.noteUpdates([other.key], insertion.entity, values.setSlots)
    }

    /// A row that can't be inserted: other rows have its values.
    private func failure(_ constraint: [String]) -> NSError {
        let (name, values) = (insertion.entity.name, constraint.joined(separator: ", "))
        return .cocoa(
            NSManagedObjectConstraintMergeError,
            "A row for \(name) has the same \(values) as another; nothing was inserted.",
            reason: "The model asks for unique values. A merge policy of the context decides otherwise.",
            userInfo: ["entity": name, "constraint": constraint])
    }
}

/// The keys of the rows that a batch inserts. It is not known how many rows will come: each time more keys are taken.
/// What is left of the last ones stays unused.
struct PostgreSQLBatchKeys {
    private let batch: PostgreSQLBatch
    private let entity: EntityLayout
    private let mostKeys: Int
    private var size = PostgreSQLKeys.blockSize
    private var rest: ArraySlice<Int64> = []

    init(_ batch: PostgreSQLBatch, _ entity: EntityLayout) {
        (self.batch, self.entity) = (batch, entity)
        // Another program's keys may have 32 bits, and its rows are inserted one by one.
        mostKeys = batch.owner.hasGapsInKeys ? PostgreSQLKeys.blockSize : 16_000
    }

    var isEmpty: Bool { rest.isEmpty }

    /// Takes new keys, if the last ones are used up.
    mutating func refill() throws {
        guard rest.isEmpty else { return }
        rest = try batch.owner.keys(for: entity, count: size, batch.connection)[...]
        size = min(2 * size, mostKeys)
    }

    mutating func take() throws -> Int64 {
        try refill()
        return rest.removeFirst()
    }
}
