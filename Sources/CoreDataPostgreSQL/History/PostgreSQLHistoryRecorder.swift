import CoreData
import Foundation
import PostgreSQLClient

/// Records what one transaction changes, inside of it. Without a change nothing is recorded.
///
/// Changes of the same kind are one statement for each entity, and for each set of changed properties.
final class PostgreSQLHistoryRecorder {
    private let history: PostgreSQLHistory
    private let session: PostgreSQLSession
    private let connection: PostgreSQLConnection
    private let origin: ChangeOrigin?
    /// Where statements go; nil to execute each at once.
    private var pipeline: PostgreSQLPipeline?
    private var identifier: Int64?
    private var hasRecorded = false

    init(
        _ history: PostgreSQLHistory, _ session: PostgreSQLSession, _ connection: PostgreSQLConnection,
        _ origin: ChangeOrigin?
    ) {
        (self.history, self.session, self.connection, self.origin) = (history, session, connection, origin)
    }

    // MARK: Round trips

    /// Asks for all that is needed to record a transaction. Without it, the first change asks for that.
    func prepare() throws { identifier = try identifier ?? history.identifier(connection) }

    /// Records with a pipeline what `body` notes. The recorder is prepared for that.
    func sending(to pipeline: PostgreSQLPipeline, _ body: () throws -> Void) rethrows {
        self.pipeline = pipeline
        defer { self.pipeline = nil }
        try body()
    }

    private func execute(_ text: String, _ parameters: PostgreSQLParameters) throws {
        hasRecorded = true
        if let pipeline {
            try pipeline.add(preparing: text, parameters)
        } else {
            try connection.execute(preparing: text, parameters)
        }
    }

    // MARK: Changes

    /// Changes of one kind to rows of one entity.
    private struct Group: Hashable {
        let kind: StoreTransactionChange.Kind
        let entity: Int32
        let properties: [String]?
    }

    func noteInsertions(_ keys: [Int64], _ layout: EntityLayout) throws {
        try note(Group(kind: .insertion, entity: layout.number, properties: nil), keys)
    }

    func noteUpdates(_ keys: [Int64], _ layout: EntityLayout, _ changed: [Int]) throws {
        guard !changed.isEmpty else { return }
        let columns = history.columns(of: layout)
        let names = columns.properties(of: columns.mask(changed))
        try note(Group(kind: .update, entity: layout.number, properties: names), keys)
    }

    /// Records deletions of rows that are still there.
    func noteDeletions(_ keys: [Int64], _ layout: EntityLayout) throws {
        let group = Group(kind: .deletion, entity: layout.number, properties: nil)
        guard let text = history.deletions(of: layout, session.schema) else { return try note(group, keys) }
        guard let parameters = try parameters(group, keys) else { return }
        try execute(text, parameters)
    }

    /// Records what a save deletes. It comes before the deletions.
    func noteDeletions(of changes: StoreChanges) throws {
        var groups = Groups()
        for index in 0..<changes.deletes.count {
            let row = try changes.deletes.identity(index)
            groups.add(row.key, to: Group(kind: .deletion, entity: row.layout.number, properties: nil))
        }
        for (group, keys) in groups.inOrder {
            try noteDeletions(keys, session.schema.layouts[group.entity])
        }
    }

    /// Records what a save inserts and updates.
    func note(_ changes: StoreChanges) throws {
        var groups = Groups()
        for index in 0..<changes.inserts.count {
            let row = try changes.inserts.identity(index)
            groups.add(row.key, to: Group(kind: .insertion, entity: row.layout.number, properties: nil))
        }
        try addUpdates(changes.updates, to: &groups)
        if let unwritten = changes.history?.unwritten { try addUpdates(unwritten, to: &groups) }
        for (group, keys) in groups.inOrder { try note(group, keys) }
    }

    private func addUpdates(_ updates: RowChanges, to groups: inout Groups) throws {
        for index in 0..<updates.count {
            let change = try updates(index)
            let changed = change.values.setSlots + change.members.map(\.slot.index)
            if changed.isEmpty { continue }
            let columns = history.columns(of: change.layout)
            let names = columns.properties(of: columns.mask(changed))
            groups.add(
                change.reference.key, to: Group(kind: .update, entity: change.layout.number, properties: names))
        }
    }

    /// Keys by the kind of change, in the order in which the kinds came.
    private struct Groups {
        private var places: [Group: Int] = [:]
        private(set) var inOrder: [(Group, keys: [Int64])] = []

        mutating func add(_ key: Int64, to group: Group) {
            if let place = places[group] {
                inOrder[place].keys.append(key)
            } else {
                places[group] = inOrder.count
                inOrder.append((group, [key]))
            }
        }
    }

    // MARK: Rows of history

    private func note(_ group: Group, _ keys: [Int64]) throws {
        guard var parameters = try parameters(group, keys) else { return }
        if let properties = group.properties {
            try parameters.append(texts: properties)
        } else {
            parameters.appendNull()
        }
        try execute(PostgreSQLHistoryTables.changes, parameters)
    }

    /// The parameters that all statements have; nil where there is nothing to record.
    private func parameters(_ group: Group, _ keys: [Int64]) throws -> PostgreSQLParameters? {
        let layout = session.schema.layouts[group.entity]
        guard !keys.isEmpty, let number = session.schema.number(of: layout) else { return nil }
        try prepare()
        guard let identifier else { return nil }
        var parameters = PostgreSQLParameters()
        parameters.append(int64: identifier)
        parameters.append(int16: Int16(group.kind.rawValue))
        parameters.append(int32: Int32(number))
        try parameters.append(int64s: keys)
        return parameters
    }

    /// The parameters that enter the transaction; nil where nothing was recorded.
    func transaction() throws -> PostgreSQLParameters? {
        guard hasRecorded, let identifier else { return nil }
        var parameters = PostgreSQLParameters()
        parameters.append(int64: identifier)
        for label in [origin?.author, Self.bundleID, origin?.contextName, Self.processName] {
            if let label { try parameters.append(text: label) } else { parameters.appendNull(as: .text) }
        }
        return parameters
    }

    private static let processName = ProcessInfo.processInfo.processName
    /// Programs without a bundle have none: the program's name stands in.
    private static let bundleID = Bundle.main.bundleIdentifier ?? processName
}
