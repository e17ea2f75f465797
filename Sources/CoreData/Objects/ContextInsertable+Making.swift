extension ContextInsertable {
    /// Makes an object of the class's entity in the context's model, and inserts it.
    ///
    /// ```swift
    /// let player = Player(context: context)
    /// player.lastName = "Bird"
    /// try context.save()
    /// ```
    ///
    /// The class may be a generic parameter, `Self`, or known at run time only. `init(entity:insertInto:)` of the class
    /// is called, and then ``NSManagedObject/awakeFromInsert()``. A class that overrides ``NSManagedObject/entity()``
    /// decides itself which entity it is.
    ///
    /// Traps if the model has no entity of the class, or several: then use `init(entity:insertInto:)`. Traps for an
    /// abstract entity and for a context without a coordinator, too.
    ///
    /// - Parameter moc: The context that the object is inserted into.
    @_silgen_name("coredata_object_in_context")
    public init(context moc: NSManagedObjectContext)
}

extension ContextInsertable {
    /// The same as ``init(context:)``, for a class that is known at run time only.
    ///
    /// An initialiser of a protocol does not know the class that it was called on. A method does, and is called in the
    /// same way.
    @_silgen_name("coredata_object_in_context")
    public static func _object(context moc: __owned NSManagedObjectContext) -> Self {
        guard let type = self as? NSManagedObject.Type else {
            programmerError("\(self) is no managed object class; NSManagedObject alone is ContextInsertable.")
        }
        return unsafeBitCast(type.make(moc.entity(for: type), in: moc), to: Self.self)
    }
}

extension NSManagedObject {
    /// `init(_coreDataEntity:in:)` of the very class that it is called on.
    @_silgen_name("$s8CoreData15NSManagedObjectC05_coreB6Entity2inAcA19NSEntityDescriptionC_AA0cD7ContextCtcfC")
    static func make(_ entity: __owned NSEntityDescription, in context: __owned NSManagedObjectContext)
        -> NSManagedObject
}
