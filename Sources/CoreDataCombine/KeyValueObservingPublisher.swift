import CoreData
import OpenCombine

extension NSObject {
    /// Publishes the value at a key path of a managed object, now and whenever it changes.
    public struct KeyValueObservingPublisher<Subject: NSManagedObject, Value>: Publisher, Equatable {
        public typealias Output = Value
        public typealias Failure = Never

        /// The object that is observed.
        public let object: Subject
        /// What is observed of it.
        public let keyPath: KeyPath<Subject, Value>
        /// Whether the value now is published first, and whether the value before each change is.
        public let options: NSKeyValueObservingOptions

        public init(object: Subject, keyPath: KeyPath<Subject, Value>, options: NSKeyValueObservingOptions) {
            self.object = object
            self.keyPath = keyPath
            self.options = options
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
            subscriber.receive(subscription: ChangeSubscription(self, subscriber))
        }

        /// Publishes that the value has changed, without the value.
        public func didChange() -> Publishers.Map<KeyValueObservingPublisher<Subject, Value>, Void> { map { _ in } }

        public static func == (lhs: Self, rhs: Self) -> Bool {
            lhs.object === rhs.object && lhs.keyPath == rhs.keyPath && lhs.options == rhs.options
        }
    }
}

extension _KeyValueCodingAndObserving where Self: NSManagedObject {
    /// Publishes the value at a key path, now and whenever it changes; see `observe(_:options:changeHandler:)`.
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
