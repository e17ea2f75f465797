@_exported import CoreData
@_exported import OpenCombine
import OpenCombineFoundation

/// Managed objects are observable objects: a view that shows one is told before it changes.
///
/// ```swift
/// player.objectWillChange.sink { redraw() }.store(in: &cancellables)
/// ```
extension NSManagedObject: ObservableObject {
    /// The publisher of ``objectWillChange``, OpenCombine's standard one.
    public typealias ObjectWillChangePublisher = ObservableObjectPublisher

    /// Publishes before each change of a property: by an accessor, from the other side of a relationship, by a refresh
    /// or a rollback.
    ///
    /// The property still has its old value then, so read the new one later, in the next turn. It publishes on the
    /// queue of the object's context. An object has one publisher, made at the first use. The publisher lives as long
    /// as the object, and from then on each change costs a little more.
    public var objectWillChange: ObservableObjectPublisher {
        changeCompanion({ ObservableObjectPublisher() }, willChange: { $0.send() })
    }
}

extension NotificationCenter {
    /// Publishes the notifications of a name, of one object or of any.
    ///
    /// ```swift
    /// NotificationCenter.default
    ///     .publisher(for: NSManagedObjectContext.didSaveObjectsNotification, object: context)
    ///     .sink { _ in redraw() }
    ///     .store(in: &cancellables)
    /// ```
    ///
    /// The notifications come on the thread that posts them: for a context, on its queue. Use `receive(on:)` to go to
    /// another one.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - object: What posts them; nil means any object.
    public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> OCombine.Publisher {
        ocombine.publisher(for: name, object: object)
    }
}
