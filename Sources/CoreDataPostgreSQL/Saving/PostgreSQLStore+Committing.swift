import CoreData
import Foundation
import PostgreSQLClient

extension PostgreSQLStore {
    /// Runs a transaction that writes, with the metadata where they were set, and commits it.
    ///
    /// - Parameters:
    ///   - isRepeatable: Whether `write` can run several times. If not, nothing begins anew.
    ///   - isAlone: Whether no other store is saved with this one. If one is, nothing begins anew once it may be saved.
    ///   - willCommit: Called when everything is written but not yet committed; where it throws, nothing is.
    func committing<R>(
        _ origin: @autoclosure () -> ChangeOrigin?, isRepeatable: Bool = true, isAlone: Bool = true,
        willCommit: () throws -> Void = {},
        _ write: (PostgreSQLConnection, PostgreSQLHistoryRecorder?) throws -> R
    ) throws -> R {
        let session = session
        try requireWritable()
        var (metadata, isCommitting): (EditedMetadata.Merged?, Bool) = (nil, false)
        do {
            let result = try settling(session, canBeginAnew: { isRepeatable && !isCommitting }) { connection, end in
                let recorder = history.map { PostgreSQLHistoryRecorder($0, session, connection, origin()) }
                end.result = try write(connection, recorder)
                metadata = try writeChangedMetadata(connection)
                // Other stores may have committed from here on: nothing begins anew.
                isCommitting = !isAlone
                try willCommit()
                try end.commit(connection, recorder)
            }
            noteSavedMetadata(metadata)
            return result
        } catch let error as PostgreSQLError {
            throw error.cocoaError(session.place, isWriting: true)
        }
    }

    /// Writes a small save and commits it in one round trip.
    ///
    /// - Returns: The new snapshots. Nil where the save needs several requests, or where the database refuses a part of
    ///   it: nothing is written then, and ``save(_:willCommit:)`` finds out what is in the way.
    func saveAtOnce(_ changes: StoreChanges) throws -> [RowSnapshot]? {
        let session = session
        guard !isReadOnly, !hasUnsavedMetadata, let save = try PostgreSQLSmallSave(session, changes) else { return nil }
        do {
            return try settling(session, canBeginAnew: { true }) { connection, end in
                let recorder = history.map {
                    PostgreSQLHistoryRecorder($0, session, connection, changes.history?.origin)
                }
                try recorder?.prepare()
                try end.commit(connection, recorder) { pipeline in end.result = try save.send(pipeline, recorder) }
            }
        } catch let error as PostgreSQLError {
            if error.mayBeConflict { return nil }
            throw error.cocoaError(session.place, isWriting: true)
        }
    }

    /// Runs a transaction that writes. It is known afterwards whether it was committed.
    ///
    /// A transaction that the server broke off, or that lost its connection, begins anew. When the connection breaks at
    /// the COMMIT, the store finds out what the server made of it. If it took everything back, the transaction begins
    /// anew once.
    ///
    /// - Parameters:
    ///   - canBeginAnew: Whether `body` can run once more.
    ///   - body: Writes, gives the result to the transaction's end, and commits by it.
    private func settling<R>(
        _ session: PostgreSQLSession, canBeginAnew: () -> Bool,
        _ body: (PostgreSQLConnection, PostgreSQLTransactionEnd<R>) throws -> Void
    ) throws -> R {
        var (contest, wasLost) = (PostgreSQLContest(), false)
        // A save that fails has seen rows of other programs: what is read next is no older.
        var isDone = false
        defer { if !isDone { session.replicas?.freshness.noteCommit() } }
        while true {
            let commit = session.replicas?.freshness.beginCommit()
            let end = PostgreSQLTransactionEnd<R>(
                mark: PostgreSQLMark(client: client, number: nextMark()),
                channel: notifies ? session.channel : nil, commit: commit)
            do {
                try session.pool.withConnection { connection in
                    try connection.transaction { try body(connection, end) }
                }
                if let number = end.number { history?.noteCommit(number) }
            } catch let error as PostgreSQLError {
                if error.kind == .commitIsUnknown {
                    if try !wasCommitted(end.mark, session, error) {
                        // Once: it may be the save itself that brings the server down.
                        wasLost = !wasLost && canBeginAnew()
                        if wasLost { continue }
                        throw error.cocoaErrorOfLostSave(session.place)
                    }
                } else {
                    guard error.mayBeginAnew, canBeginAnew(), contest.mayBeginAnew(after: error) else { throw error }
                    continue
                }
            }
            guard let result = end.result else { defect("A transaction ended that had not begun.") }
            if let commit { session.replicas?.freshness.note(commit) }
            isDone = true
            return result
        }
    }

    /// Finds out what the server made of a transaction. Asks again for a while, as long as there is no connection.
    ///
    /// - Throws: `error`, as an app gets it, where the server can't be asked.
    private func wasCommitted(
        _ mark: PostgreSQLMark, _ session: PostgreSQLSession, _ error: PostgreSQLError
    ) throws -> Bool {
        let limit = ContinuousClock.now + Self.patience
        // The next transaction has a greater number than the one that gives this one up.
        _ = nextMark()
        while true {
            do { return try session.pool.withConnection { try mark.wasCommitted($0) } } catch let failure
                as PostgreSQLError
            {
                guard failure.isConnectionLost || failure.mayConnectLater, ContinuousClock.now < limit else {
                    throw error.cocoaError(session.place, isWriting: true)
                }
            }
        }
    }

    /// For how long a store tries to find out whether it was saved.
    private static var patience: Duration { .seconds(60) }
}
