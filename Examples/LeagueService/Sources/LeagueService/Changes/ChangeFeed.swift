import CoreData
import Logging
import ServiceLifecycle

/// Reads the store's history once for all clients, and gives each of them its events.
///
/// The history has the saves of every process on the store, and a notification tells when there are new ones.
actor ChangeFeed {
    /// A client that reads so many events too slowly is disconnected. It connects again, and the history has what it
    /// missed.
    private static let longestQueue = 256

    private struct Client {
        let events: AsyncStream<ServerSentEvent>.Continuation
        /// Transactions that the client got when it connected. The next reading of the feed has them once more.
        var replayed: Set<Int64>
    }

    private nonisolated let executor: ContextExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private var context: NSManagedObjectContext { executor.context }
    private let coordinator: NSPersistentStoreCoordinator
    private let logger: Logger
    /// The last transaction that the clients have got.
    private var token: NSPersistentHistoryToken?
    private var clients: [Int: Client] = [:]
    private var lastClient = 0
    private var isClosed = false

    init(_ store: LeagueStore, logger: Logger) {
        executor = ContextExecutor(store.newContext())
        coordinator = store.container.persistentStoreCoordinator
        self.logger = logger
    }

    // MARK: Clients

    /// The events of a new client.
    ///
    /// - Parameter text: The id of the last event that the client has got; nil for a client that begins.
    /// - Throws: ``Problem`` 501 for a store without history; 400 for an id that is none.
    func events(after text: String?) throws -> AsyncStream<ServerSentEvent> {
        let last = try text.map { try NSPersistentHistoryToken.read($0) }
        // From here on the client is told of what the feed reads.
        try readNews()
        let (stream, events) = AsyncStream.makeStream(
            of: ServerSentEvent.self, bufferingPolicy: .bufferingOldest(Self.longestQueue))
        var client = Client(events: events, replayed: [])
        if let last { try replay(after: last, to: &client) } else { try begin(client) }
        guard !isClosed else {
            events.finish()
            return stream
        }
        lastClient += 1
        let number = lastClient
        clients[number] = client
        events.onTermination = { [weak self] _ in
            Task { await self?.remove(number) }
        }
        return stream
    }

    private func begin(_ client: Client) throws {
        let id = try token?.text
        client.events.yield(ServerSentEvent(name: .ready, id: id, data: .object(["resumed": .boolean(false)])))
    }

    /// Gives a client what was saved while it was away.
    private func replay(after last: NSPersistentHistoryToken, to client: inout Client) throws {
        defer { context.reset() }
        do {
            guard try count(after: last) < Self.longestQueue else { return try reload(client) }
            let missed = try history(after: last)
            client.events.yield(ServerSentEvent(name: .ready, id: nil, data: .object(["resumed": .boolean(true)])))
            for transaction in missed {
                client.events.yield(try ChangeEvents(context: context).event(of: transaction))
            }
            client.replayed = Set(missed.map(\.transactionNumber))
        } catch let error as NSError where error.isExpiredToken {
            try reload(client)
        }
    }

    private func reload(_ client: Client) throws {
        client.events.yield(ServerSentEvent(name: .reload, id: try token?.text, data: .object([:])))
    }

    private func remove(_ number: Int) { clients[number] = nil }

    var clientCount: Int { clients.count }

    // MARK: Reading

    /// Gives all clients what was saved since the last reading.
    ///
    /// - Throws: ``Problem`` 501 for a store without history.
    private func readNews() throws {
        defer { context.reset() }
        do {
            if token == nil { return try start() }
            let transactions = try history(after: token)
            guard let last = transactions.last else { return }
            for transaction in transactions { tell(transaction) }
            token = last.token
            for number in clients.keys { clients[number]?.replayed = [] }
        } catch let error as NSError where error.isExpiredToken {
            // The history was purged, or the file was replaced. The token comes first: what is saved meanwhile is news.
            token = coordinator.currentPersistentHistoryToken(fromStores: nil)
            for client in clients.values { try reload(client) }
        }
    }

    /// Begins at the end of the history.
    private func start() throws {
        token = coordinator.currentPersistentHistoryToken(fromStores: nil)
        _ = try history(after: token)
    }

    private func tell(_ transaction: NSPersistentHistoryTransaction) {
        let listeners = clients.filter { !$0.value.replayed.contains(transaction.transactionNumber) }
        guard !listeners.isEmpty else { return }
        let event: ServerSentEvent
        do { event = try ChangeEvents(context: context).event(of: transaction) } catch {
            // The objects can't be read at the moment: the clients read them when the store answers again.
            logger.error("The objects of a transaction can't be read.", metadata: ["error": "\(error)"])
            event = ServerSentEvent(name: .reload, id: try? transaction.token.text, data: .object([:]))
        }
        for (number, client) in listeners {
            if case .enqueued = client.events.yield(event) { continue }
            client.events.finish()
            clients[number] = nil
        }
    }

    private func count(after token: NSPersistentHistoryToken) throws -> Int {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        request.resultType = .count
        return (try context.execute(request) as? NSPersistentHistoryResult)?.result as? Int ?? 0
    }

    private func history(after token: NSPersistentHistoryToken?) throws -> [NSPersistentHistoryTransaction] {
        do {
            let result = try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token))
            return (result as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction] ?? []
        } catch let error as NSError where error.code == NSPersistentStoreUnsupportedRequestTypeError {
            throw Problem(
                type: "history", status: .notImplemented, detail: "The store keeps no history, so there are no events.")
        }
    }

    // MARK: Running

    /// Reads what is new, and says whether that worked.
    private func update() -> Bool {
        guard token != nil || !clients.isEmpty else { return true }
        do {
            try readNews()
            return true
        } catch {
            logger.error("The history can't be read.", metadata: ["error": "\(error)"])
            return false
        }
    }

    /// Removes what no client needs any more: one that was away for a week reads its lists anew.
    private func purge() {
        guard token != nil else { return }
        let weekAgo = Date(timeIntervalSinceNow: -7 * 24 * 3600)
        do { try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: weekAgo)) } catch {
            logger.error("The history can't be purged.", metadata: ["error": "\(error)"])
        }
    }

    private func close() {
        isClosed = true
        for client in clients.values { client.events.finish() }
        clients = [:]
    }
}

extension ChangeFeed: Service {
    /// Waits for changes of any process, until the service is to end.
    func run() async throws {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
        ) { _ in wake.yield() }
        defer { NotificationCenter.default.removeObserver(observer) }
        let purging = Task {
            while !Task.isCancelled {
                purge()
                try await Task.sleep(for: .seconds(3600))
            }
        }
        defer { purging.cancel() }
        await withGracefulShutdownHandler {
            for await _ in wakes where !update() {
                // The store can't be reached. What is missed is in the history: try again.
                Task {
                    try await Task.sleep(for: .seconds(1))
                    wake.yield()
                }
            }
        } onGracefulShutdown: {
            wake.finish()
        }
        close()
    }
}

extension NSError {
    /// Whether the history does not go back to a token.
    fileprivate var isExpiredToken: Bool {
        domain == NSCocoaErrorDomain && code == NSPersistentHistoryTokenExpiredError
    }
}
