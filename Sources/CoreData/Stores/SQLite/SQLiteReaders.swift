import Dispatch
import Foundation

/// The connections by which a store is read beside its writer, made as they are needed and kept for the next read.
///
/// In write-ahead-log mode readers wait for no writer and no writer waits for them: each read sees what was committed when it
/// began. There are at most as many connections as `NSPersistentStoreConnectionPoolMaxSizeKey` says; who comes when all are in
/// use waits for the first that is given back.
final class SQLiteReaders: @unchecked Sendable {
    // Unchecked: everything is under the lock; a session is used by the thread alone that has it.

    private let lock = NSLock()
    /// Those who wait, the first first.
    private var waiting: [DispatchSemaphore] = []
    /// 0: the store is read by its writer's connection.
    private var most = 0
    private var make: (() throws -> SQLiteSession)?
    private var idle: [SQLiteSession] = []
    private var busy: [SQLiteSession] = []
    /// How many connections are being opened.
    private var coming = 0
    private var isClosed = false

    /// Serves reads from now on.
    ///
    /// - Parameters:
    ///   - most: The greatest number of connections; 0: none.
    ///   - make: Opens one. Called on any thread.
    func open(most: Int, make: @escaping () throws -> SQLiteSession) {
        lock.withLock { (self.most, self.make, isClosed) = (most, make, false) }
    }

    /// A session for the calling thread alone, until it gives it back; nil: the store is to be read by its writer's connection.
    ///
    /// - Throws: ``StoreIsClosed``; ``SQLiteError`` where a connection can't be opened.
    func take() throws -> SQLiteSession? {
        lock.lock()
        defer { lock.unlock() }
        while true {
            if isClosed { throw StoreIsClosed() }
            if most == 0 { return nil }
            if let session = idle.popLast() { return lend(session) }
            // A thread that reads while it reads can't wait for itself.
            if busy.count + coming < most || isHolding { return lend(try another()) }
            LockWaits.measuring { wait() }
        }
    }

    func giveBack(_ session: SQLiteSession) {
        lock.lock()
        defer { lock.unlock() }
        session.holder = nil
        if let place = busy.lastIndex(where: { $0 === session }) { busy.remove(at: place) }
        keep(session)
        wake()
    }

    /// Whether there are, or can be, connections of their own.
    var areOpen: Bool { lock.withLock { !isClosed && most > 0 } }

    /// A session that leaves the pool, for as long as somebody wants it.
    ///
    /// - Throws: ``StoreIsClosed``; ``SQLiteError`` where a connection can't be opened.
    func detach() throws -> SQLiteSession {
        lock.lock()
        defer { lock.unlock() }
        if isClosed || most == 0 { throw StoreIsClosed() }
        return try idle.popLast() ?? another()
    }

    /// Takes back a session that had left.
    func adopt(_ session: SQLiteSession) {
        lock.lock()
        defer { lock.unlock() }
        keep(session)
        wake()
    }

    /// Closes all connections, when those who have one have given it back.
    func close() {
        lock.lock()
        defer { lock.unlock() }
        isClosed = true
        // Who has one himself gives it back, closed, when he is done.
        while coming > 0 || busy.contains(where: { $0.holder.map { pthread_equal($0, pthread_self()) == 0 } ?? false })
        {
            wait()
        }
        idle.forEach { $0.close() }
        idle.removeAll()
        wakeAll()
    }

    private func lend(_ session: SQLiteSession) -> SQLiteSession {
        session.holder = pthread_self()
        busy.append(session)
        return session
    }

    private func keep(_ session: SQLiteSession) {
        if isClosed || idle.count + busy.count + coming >= most {
            session.close()
            // Who closes the store waits for all.
            if isClosed { wakeAll() }
        } else {
            idle.append(session)
        }
    }

    /// Opens a connection, without the lock.
    private func another() throws -> SQLiteSession {
        guard let make else { throw StoreIsClosed() }
        coming += 1
        lock.unlock()
        defer {
            lock.lock()
            coming -= 1
            wakeAll()
        }
        return try make()
    }

    // MARK: Waiting

    /// Waits, without the lock, until something has changed.
    private func wait() {
        let turn = DispatchSemaphore(value: 0)
        waiting.append(turn)
        lock.unlock()
        turn.wait()
        lock.lock()
    }

    private func wake() { if !waiting.isEmpty { waiting.removeFirst().signal() } }

    private func wakeAll() {
        waiting.forEach { $0.signal() }
        waiting.removeAll()
    }

    private var isHolding: Bool { busy.contains { $0.holder.map { pthread_equal($0, pthread_self()) != 0 } ?? false } }
}

/// A store was asked that has been closed, or that is being moved.
struct StoreIsClosed: Error {}
