import CoreData
import OpenCombine

extension NSObject {
    /// Publishes the value at a key path of a managed object, now and whenever it changes.
    ///
    /// ```swift
    /// let subscription = player.publisher(for: \.name).sink { name in print(name ?? "no name") }
    /// player.name = "Larry"           // It printed the name of before, and now prints Larry.
    /// subscription.cancel()
    /// ```
    ///
    /// Make one by `publisher(for:options:)`. Each subscriber observes on its own, from its subscription until it
    /// cancels. Values come at once, on the queue of the object's context, while the code that changes the property
    /// waits. A subscriber that asked for fewer values gets only the last value that it missed.
    ///
    /// The publisher never finishes and never fails. A subscription holds the object strongly.
    public struct KeyValueObservingPublisher<Subject: NSManagedObject, Value>: Publisher, Equatable {
        /// The value at the key path.
        public typealias Output = Value
        /// The publisher never fails.
        public typealias Failure = Never

        /// The object that is observed. The publisher holds it strongly.
        public let object: Subject
        /// What is observed of the object. The key path may cross to-one relationships, as for
        /// `observe(_:options:changeHandler:)`.
        public let keyPath: KeyPath<Subject, Value>
        /// When values are published: `initial` publishes the value of now first, `prior` also the value before each
        /// change.
        ///
        /// `new` and `old` make no difference here: after each change its value is published.
        public let options: NSKeyValueObservingOptions

        /// Makes the publisher. Nothing is observed before the first subscription.
        ///
        /// Prefer `publisher(for:options:)` of the object. It has no default options.
        public init(object: Subject, keyPath: KeyPath<Subject, Value>, options: NSKeyValueObservingOptions) {
            self.object = object
            self.keyPath = keyPath
            self.options = options
        }

        /// Starts to observe for a subscriber. Subscribe on the queue of the object's context.
        ///
        /// Traps for a key path that cannot be observed, such as a computed property without a known dependency.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
            subscriber.receive(subscription: ChangeSubscription(self, subscriber))
        }

        /// Publishes that the value has changed, without the value.
        ///
        /// With the option `initial`, it publishes once at the subscription, too.
        public func didChange() -> Publishers.Map<KeyValueObservingPublisher<Subject, Value>, Void> { map { _ in } }

        /// Whether two publishers publish the same: the same object, an equal key path and equal options.
        public static func == (lhs: Self, rhs: Self) -> Bool {
            lhs.object === rhs.object && lhs.keyPath == rhs.keyPath && lhs.options == rhs.options
        }
    }
}

extension _KeyValueCodingAndObserving where Self: NSManagedObject {
    /// Publishes the value at a key path, now and whenever it changes.
    ///
    /// ```swift
    /// player.publisher(for: \.team?.name)
    ///     .removeDuplicates()
    ///     .sink { label.text = $0 }
    ///     .store(in: &cancellables)
    /// ```
    ///
    /// The values come on the queue of the object's context. For a view, observe an object of the view context. A
    /// refresh or a rollback publishes the value even if it is the same; `removeDuplicates()` drops it.
    ///
    /// - Parameters:
    ///   - keyPath: What is observed. It may cross to-one relationships.
    ///   - options: `initial` publishes the value of now at the subscription; without it only changes are published.
    /// - Returns: A publisher that never finishes.
    public func publisher<Value>(
        for keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [.initial, .new]
    ) -> NSObject.KeyValueObservingPublisher<Self, Value> {
        NSObject.KeyValueObservingPublisher(object: self, keyPath: keyPath, options: options)
    }
}

/// What an observation tells of a change, whatever the types at the key path's ends are.
private protocol ChangeReceiver: AnyObject, Sendable {
    func valueChanged()
}

/// Hands changes to a subscriber, as many as it asks for; a value that is not asked for yet waits, and only the last of
/// them.
private final class ChangeSubscription<Subject: NSManagedObject, S: Subscriber>: Subscription, ChangeReceiver,
    @unchecked Sendable
where S.Failure == Never {
    // Unchecked: used on the queue of the object's context.

    private let publisher: NSObject.KeyValueObservingPublisher<Subject, S.Input>
    private var subscriber: S?
    private var observation: NSKeyValueObservation?
    private var demand = Subscribers.Demand.none
    private var waiting: S.Input?

    init(_ publisher: NSObject.KeyValueObservingPublisher<Subject, S.Input>, _ subscriber: S) {
        self.publisher = publisher
        self.subscriber = subscriber
        let receiver: any ChangeReceiver = self
        observation = publisher.object.observe(publisher.keyPath, options: publisher.options) { [weak receiver] _, _ in
            receiver?.valueChanged()
        }
    }

    func valueChanged() { publish(publisher.object[keyPath: publisher.keyPath]) }

    func request(_ demand: Subscribers.Demand) {
        self.demand += demand
        guard let value = waiting, self.demand > .none else { return }
        waiting = nil
        publish(value)
    }

    func cancel() {
        observation?.invalidate()
        observation = nil
        subscriber = nil
        waiting = nil
    }

    private func publish(_ value: S.Input) {
        guard let subscriber else { return }
        guard demand > .none else {
            waiting = value
            return
        }
        demand -= 1
        demand += subscriber.receive(value)
    }
}
