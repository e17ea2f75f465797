import Foundation

extension NotificationCenter {
    /// The notifications with a name, as they are posted from now on.
    ///
    /// ```swift
    /// for await notification in NotificationCenter.default.notifications(named: .NSManagedObjectContextDidSave) {
    ///     print(notification.userInfo ?? [:])
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - object: What posts them; nil: anything.
    public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Notifications {
        Notifications(self, name, object)
    }

    /// Notifications as an asynchronous sequence, which never ends by itself.
    ///
    /// Each iterator observes from the moment that it is made until it goes away, and keeps what it has not yet given.
    public final class Notifications: AsyncSequence, @unchecked Sendable {
        // Unchecked: immutable; the object is compared with only.

        public typealias Element = Notification
        public typealias Failure = Never

        private let center: NotificationCenter
        private let name: Notification.Name
        private let object: AnyObject?

        fileprivate init(_ center: NotificationCenter, _ name: Notification.Name, _ object: AnyObject?) {
            (self.center, self.name, self.object) = (center, name, object)
        }

        /// An iterator, which observes from now on.
        public func makeAsyncIterator() -> Iterator { Iterator(center, name, object) }

        /// Waits for one notification after the other.
        public struct Iterator: AsyncIteratorProtocol {
            private var arrivals: AsyncStream<Arrival>.AsyncIterator
            private let observer: Observer

            fileprivate init(_ center: NotificationCenter, _ name: Notification.Name, _ object: AnyObject?) {
                let (stream, continuation) = AsyncStream.makeStream(of: Arrival.self)
                arrivals = stream.makeAsyncIterator()
                observer = Observer(
                    center,
                    center.addObserver(forName: name, object: object, queue: nil) {
                        continuation.yield(Arrival(notification: $0))
                    })
            }

            /// The next notification; nil once the task is cancelled.
            public mutating func next() async -> Notification? { await arrivals.next()?.notification }

            /// The next notification; nil once the task is cancelled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
                await arrivals.next(isolation: actor)?.notification
            }
        }
    }
}

/// A notification on its way from the code that posts it to the code that waits.
private struct Arrival: @unchecked Sendable {
    // Unchecked: as with every observer, what the notification holds is for the app to share safely.
    let notification: Notification
}

/// Observes until it goes away.
private final class Observer {
    private let center: NotificationCenter
    private let token: any NSObjectProtocol

    init(_ center: NotificationCenter, _ token: any NSObjectProtocol) { (self.center, self.token) = (center, token) }

    deinit { center.removeObserver(token) }
}
