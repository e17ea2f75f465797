import Dispatch
import Foundation

/// What a connection is for that reads beside a store's writer.
enum ReadPurpose {
    /// Queries that may go through whole tables, each page of which they need once.
    case search
    /// Looking up rows by their keys, all over the file and again and again.
    case lookup
}

/// The connections by which a store is read beside its writer, made as they are needed and kept for the next read.
///
/// In write-ahead-log mode readers wait for no writer and no writer waits for them: each read sees what was committed
/// when it began. There are at most as many connections as `NSPersistentStoreConnectionPoolMaxSizeKey` says; a thread
/// that comes when all are in use waits for the first that is given back.
///
/// Each is made for one purpose, and serves the other one too when there can't be more.
///
/// Reads that follow one another share a transaction (``SQLiteReadTransaction``), for a tenth of a second at most.
final class SQLiteReaders: @unchecked Sendable {
    // Unchecked: everything is under the lock; a session is used by the thread alone that has it.

    // Exclusive access is not checked at run time: no method calls foreign code while it changes a property.

    private let lock = NSLock()
    /// The threads that wait, in the order in which they came.
    @exclusivity(unchecked) private var waiting: [DispatchSemaphore] = []
    /// 0: the store is read by its writer's connection.
    @exclusivity(unchecked) private var most = 0
    private var make: ((ReadPurpose) throws -> SQLiteSession)?
    @exclusivity(unchecked) private var idle: [SQLiteSession] = []
    @exclusivity(unchecked) private var busy: [SQLiteSession] = []
    /// How many connections are being opened.
    @exclusivity(unchecked) private var coming = 0
    @exclusivity(unchecked) private var isClosed = false

    /// Whether transactions may stay open between reads.
    @exclusivity(unchecked) private var keepsTransactions = true
    /// Whether those that are kept will be ended in a moment.
    @exclusivity(unchecked) private var endIsNear = false

    /// How long a transaction is kept, at most, and then to the end of a read that is under way.
    private static let life = DispatchTimeInterval.milliseconds(100)

    /// Serves reads from now on.
    ///
    /// - Parameters:
    ///   - most: The greatest number of connections; 0: none.
    ///   - make: Opens one for a purpose. Called on any thread.
    func open(most: Int, make: @escaping (ReadPurpose) throws -> SQLiteSession) {
        lock.withLock { (self.most, self.make, isClosed) = (most, make, false) }
    }

    /// A session for the calling thread alone, until it gives it back; nil: the store is to be read by its writer's
    /// connection.
    ///
    /// - Throws: ``StoreIsClosed``; ``SQLiteError`` where a connection can't be opened.
    func take(for purpose: ReadPurpose) throws -> SQLiteSession? {
        lock.lock()
        defer { lock.unlock() }
        while true {
            if isClosed { throw StoreIsClosed() }
            if most == 0 { return nil }
            // Most often the one that was given back last.
            if idle.last?.purpose == purpose { return lend(idle.removeLast()) }
            if let place = idle.lastIndex(where: { $0.purpose == purpose }) { return lend(idle.remove(at: place)) }
            if idle.count + busy.count + coming < most { return lend(try another(for: purpose)) }
            if let session = idle.popLast() { return lend(session) }
            // A thread that reads while it reads can't wait for itself.
            if isHolding { return lend(try another(for: purpose)) }
            LockContention.measuring { wait() }
        }
    }

    func giveBack(_ session: SQLiteSession) {
        lock.lock()
        defer { lock.unlock() }
        session.holder = nil
        if session.keepsTransaction() {
            if keepsTransactions, !session.isWorn { endSoon() } else { session.endTransaction() }
        }
        session.isWorn = false
        if busy.last === session {
            busy.removeLast()
        } else if let place = busy.lastIndex(where: { $0 === session }) {
            busy.remove(at: place)
        }
        keep(session)
        wake()
    }

    /// Whether there are, or can be, connections of their own.
    var areOpen: Bool { lock.withLock { !isClosed && most > 0 } }

    /// A session that leaves the pool, for as long as its user wants it.
    ///
    /// - Throws: ``StoreIsClosed``; ``SQLiteError`` where a connection can't be opened.
    func detach() throws -> SQLiteSession {
        lock.lock()
        defer { lock.unlock() }
        if isClosed || most == 0 { throw StoreIsClosed() }
        let place = idle.lastIndex { $0.purpose == .search } ?? idle.indices.last
        let session = try place.map { idle.remove(at: $0) } ?? another(for: .search)
        session.endTransaction()
        return session
    }

    /// Takes back a session that had left.
    func adopt(_ session: SQLiteSession) {
        lock.lock()
        defer { lock.unlock() }
        keep(session)
        wake()
    }

    /// Closes all connections, when all threads have given theirs back.
    func close() {
        lock.lock()
        defer { lock.unlock() }
        isClosed = true
        // A thread that has one itself gives it back, closed, when it is done.
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
            // The thread that closes the store waits for all.
            if isClosed { wakeAll() }
        } else {
            idle.append(session)
        }
    }

    /// Opens a connection, without the lock.
    private func another(for purpose: ReadPurpose) throws -> SQLiteSession {
        guard let make else { throw StoreIsClosed() }
        coming += 1
        lock.unlock()
        defer {
            lock.lock()
            coming -= 1
            wakeAll()
        }
        return try make(purpose)
    }

    // MARK: Transactions

    /// Ends the transactions that are kept: for code that is about to write, so that they don't keep the log from being
    /// written back.
    func endTransactions() { lock.withLock { idle.forEach { $0.endTransaction() } } }

    /// Runs `body` while no transaction is kept: only reads that are under way have one.
    func withoutTransactions<R>(_ body: () throws -> R) rethrows -> R {
        lock.withLock {
            keepsTransactions = false
            idle.forEach { $0.endTransaction() }
        }
        defer { lock.withLock { keepsTransactions = true } }
        return try body()
    }

    /// Has the transactions that are kept end, without any reader or writer having to see to it: others, in other
    /// processes too, may want to begin the log anew.
    private func endSoon() {
        guard !endIsNear else { return }
        endIsNear = true
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.life) { [weak self] in self?.endKept() }
    }

    private func endKept() {
        lock.withLock {
            endIsNear = false
            idle.forEach { $0.endTransaction() }
            busy.forEach { $0.isWorn = true }
        }
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
