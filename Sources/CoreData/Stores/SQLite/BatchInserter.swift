import Foundation

/// Inserts the rows of a batch, inside of its transaction.
final class BatchInserter {
    private let store: SQLiteStore
    private let insertion: StoreBatchInsertion
    private let files: ExternalFiles
    private let history: HistoryRecorder?
    private let writer: EntityWriter
    private var keys: BatchKeys
    private var count = 0
    private var references: [ObjectReference] = []

    init(
        _ store: SQLiteStore, _ insertion: StoreBatchInsertion, _ files: ExternalFiles, _ history: HistoryRecorder?
    ) throws {
        (self.store, self.insertion, self.files, self.history) = (store, insertion, files, history)
        writer = try store.writer(for: insertion.entity)
        keys = BatchKeys(store, for: insertion.entity)
    }

    func run() throws -> StoreBatchResult {
        while let row = try insertion.next() { try insert(row) }
        try keys.giveBack()
        return StoreBatchResult(count: count, references: references)
    }

    private func insert(_ row: BatchRow) throws {
        let raw = try externals(of: row.values)
        let key = try keys.take()
        do {
            _ = try writer.insert(key, row.values, raw)
            try history?.noteInsertion(key, insertion.entity)
            note(key)
        } catch let error as SQLiteError where error.code == SQLiteError.constraintUnique {
            try resolve(row, raw, key)
        }
    }

    private func note(_ key: Int64) {
        count += 1
        guard insertion.wantsReferences else { return }
        references.append(ObjectReference(key: key, entity: insertion.entity.number, store: store.token.number))
    }

    private func externals(of values: ChangeRecord) throws -> [Int: Data] {
        var raw: [Int: Data] = [:]
        for value in writer.externals {
            if case .data(let data) = values[value.slot] { raw[value.slot] = try files.store(data) }
        }
        return raw
    }

    // MARK: Uniqueness

    /// Settles that another row has the values of a new one.
    private func resolve(_ row: BatchRow, _ raw: [Int: Data], _ key: Int64) throws {
        switch insertion.conflict {
        case .isAnError: throw ConstraintFailure.of(insertion.entity, try conflicts(row, key).constraint)
        case .keepsTheOldRow: raw.values.forEach { $0.withUnsafeBytes { files.discard($0) } }
        case .setsGivenValues: try update(with: row.given, raw, insteadOf: row, key)
        case .setsAllValues: try update(with: row.values, raw, insteadOf: row, key)
        }
    }

    /// Gives the row that has the values already those of the new row.
    private func update(
        with values: ChangeRecord, _ raw: [Int: Data], insteadOf row: BatchRow, _ key: Int64
    ) throws {
        let (constraint, other) = try conflicts(row, key)
        guard let other, other.entity == insertion.entity.number, let old = try current(other),
            try writer.update(old, values, raw) != nil
        else { throw ConstraintFailure.of(insertion.entity, constraint) }
        for value in writer.externals where !values.isUnset(value.slot) && !old.isNull(value.cell) {
            old.withBytes(value.cell) { files.discard($0) }
        }
        try history?.noteUpdate(other.key, insertion.entity, values.setSlots)
        note(other.key)
    }

    /// The constraint that refuses a row, and the row that it is refused for; nil where there are several.
    private func conflicts(_ row: BatchRow, _ key: Int64) throws -> (constraint: [String], other: ObjectReference?) {
        let change = RowChange(
            reference: ObjectReference(key: key, entity: insertion.entity.number, store: store.token.number),
            layout: insertion.entity, snapshot: nil, values: row.values, members: [])
        var constraint: [String] = []
        var others: Set<ObjectReference> = []
        for conflict in try ConstraintFinder(store).conflicts(of: change) {
            guard case .constraint(let properties, let other) = conflict.kind else { continue }
            if constraint.isEmpty { constraint = properties }
            if let other { others.insert(other) }
        }
        return (constraint, others.count == 1 ? others.first : nil)
    }

    private func current(_ reference: ObjectReference) throws -> RowSnapshot? {
        let root = store.layouts[insertion.entity.rootNumber]
        return try store.main.rows(rootedAt: root, keys: [reference.key]).first
    }
}
