/// What managed objects have so that generic code can make them: `T(context: context)`. Only `NSManagedObject` conforms
/// to it.
///
/// A class's own initialiser would have to be `required`, and then every class of an app that declares `init(context:)`
/// itself would have to say so, too. An initialiser of a protocol asks nothing of classes.
public protocol ContextInsertable {}

extension ContextInsertable {
    /// Makes an object of the entity that this class stands for in the context's model, and inserts it there.
    ///
    /// The class may be a generic parameter, `Self`, or known at run time only. Its `init(entity:insertInto:)` is
    /// called. A class that overrides ``NSManagedObject/entity()`` gives the entity itself. Traps where the model has
    /// no entity of the class, or several.
    ///
    /// - Parameter moc: The context that the object is inserted into.
    @_silgen_name("coredata_object_in_context")
    public init(context moc: NSManagedObjectContext)
}

extension ContextInsertable {
    /// What ``init(context:)`` does. An initialiser of a protocol does not know the class that it was called on where
    /// that is known at run time only; a method does, and is called in the same way.
    @_silgen_name("coredata_object_in_context")
    public static func _object(context moc: __owned NSManagedObjectContext) -> Self {
        guard let type = self as? NSManagedObject.Type else {
            preconditionFailure("\(self) is no managed object class; NSManagedObject alone is ContextInsertable.")
        }
        return unsafeBitCast(type.make(moc.entity(for: type), in: moc), to: Self.self)
    }
}
