import CoreData
import Foundation
import PostgreSQLClient
import Synchronization

/// Tells of the commits of all clients, by a connection of its own that the server sends notifications to.
///
/// After a lost connection it connects again, and tells once: there may have been commits meanwhile. A machine that is
/// gone does not end a connection that only listens. So the watch asks the server for a sign of life now and then.
final class PostgreSQLWatch: Sendable {
    private let place: PostgreSQLPlace
    private let channel: String
    private let told: @Sendable (_ lastTransaction: Int64?) -> Void
    private let pings: Pings
    private let state: Mutex<State>

    private struct State {
        var connection: PostgreSQLConnection?
        var isEnded = false
        /// How long to wait before the next attempt to connect.
        var pause = PostgreSQLWatch.pauses.first
        /// When the server last said something.
        var lastSign = ContinuousClock.now
    }

    /// When the server is asked for a sign of life.
    struct Pings {
        /// How long the server may say nothing before.
        var idle: Duration = .seconds(15)
        /// How long the answer may take. Later the connection counts as lost.
        var timeout: Duration = .seconds(10)
    }

    /// How long to wait before the next attempt to connect, at first and at most.
    private static let pauses = (first: 0.05, longest: 2.0)

    /// - Parameter told: Called on a thread of its own.
    /// - Throws: What opening a connection throws.
    init(
        _ place: PostgreSQLPlace, channel: String, pings: Pings = Pings(),
        told: @escaping @Sendable (_ lastTransaction: Int64?) -> Void
    ) throws {
        (self.place, self.channel, self.pings, self.told) = (place, channel, pings, told)
        let connection = try place.cocoa(isOpening: true) {
            try Self.listen(place, channel)
        }
        state = Mutex(State(connection: connection))
        let thread = Thread { [weak self] in
            while let self, let pause = wait() { Thread.sleep(forTimeInterval: pause) }
        }
        thread.name = "NSPersistentStoreRemoteChange"
        thread.start()
    }

    /// - Throws: 134080 behind a pooler: it would keep the notifications to itself.
    private static func listen(_ place: PostgreSQLPlace, _ channel: String) throws -> PostgreSQLConnection {
        let connection = try place.connection()
        try place.requireSession(connection, for: "tell of the commits of other programs")
        try connection.listen(to: channel)
        return connection
    }

    /// Ends the watch. No call of `told` begins afterwards.
    func end() {
        state.withLock { state in
            state.isEnded = true
            state.connection?.wake()
        }
    }

    deinit { state.withLock { $0.connection }?.close() }

    /// Waits for notifications for a while.
    ///
    /// - Returns: How long to wait before the next time; nil at the end.
    private func wait() -> Double? {
        guard let connection = state.withLock({ $0.isEnded ? nil : $0.connection }) else {
            return state.withLock { $0.isEnded } ? nil : connectAgain()
        }
        do {
            // The reference to this object ends now and then: where nothing else has one, the watch ends.
            let found = try connection.waitForNotifications(timeout: min(.seconds(1), pings.idle))
            try noteSign(of: connection, isHeard: !found.isEmpty)
            if let last = found.last(where: { $0.channel == channel }) { tell(Int64(last.payload)) }
            return 0
        } catch {
            state.withLock { $0.connection = nil }
            connection.close()
            return 0
        }
    }

    /// - Throws: Where the server has said nothing for too long, and does not answer.
    private func noteSign(of connection: PostgreSQLConnection, isHeard: Bool) throws {
        let isDue = state.withLock { $0.lastSign + pings.idle <= .now && !$0.isEnded }
        guard isHeard || isDue else { return }
        if !isHeard { try connection.ping(timeout: pings.timeout) }
        state.withLock { $0.lastSign = .now }
    }

    private func connectAgain() -> Double {
        guard let connection = try? Self.listen(place, channel) else {
            return state.withLock { state in
                defer { state.pause = min(2 * state.pause, Self.pauses.longest) }
                return state.pause
            }
        }
        state.withLock { state in
            state.connection = connection
            state.pause = Self.pauses.first
            state.lastSign = .now
        }
        tell(nil)
        return 0
    }

    private func tell(_ number: Int64?) {
        if !state.withLock({ $0.isEnded }) { told(number) }
    }
}
