@_exported import CoreData
@_exported import OpenCombine
import OpenCombineFoundation

/// Managed objects are observable objects: a view that shows one is told before it changes.
///
/// ```swift
/// player.objectWillChange.sink { redraw() }.store(in: &cancellables)
/// ```
extension NSManagedObject: ObservableObject {
    public typealias ObjectWillChangePublisher = ObservableObjectPublisher

    /// Publishes before each change of a property: by an accessor, from the other side of a relationship, by a refresh or a
    /// rollback.
    public var objectWillChange: ObservableObjectPublisher {
        changeCompanion({ ObservableObjectPublisher() }, willChange: { $0.send() })
    }
}

extension NotificationCenter {
    /// Publishes the notifications of a name, of one object or of any.
    public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> OCombine.Publisher {
        ocombine.publisher(for: name, object: object)
    }
}
