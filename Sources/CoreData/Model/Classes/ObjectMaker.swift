import CSwiftRuntime
import FoundationGaps

extension EntityLayout {
    /// Makes an instance of the entity's class, in no context.
    func makeObject() -> NSManagedObject { ObjectMaker().make(UnsafePointer(table)) }
}

/// Makes many objects. What neighbours of one entity share is done once for many: finding the class, and counting the
/// references to entity and model that each initialiser takes.
///
/// A class, for an initialiser may be an app's, which may have its context make more objects.
final class ObjectMaker {
    private static let batch: UInt32 = 256

    // Exclusive access is not checked at run time: a maker is used on the queue of its context. It changes its
    // properties before it calls an initialiser, which may be the app's, and not meanwhile.

    @exclusivity(unchecked) private var table: UnsafePointer<LayoutTable>?
    @exclusivity(unchecked) private var type: NSManagedObject.Type = NSManagedObject.self
    /// The table's layout is a layout of the context's model, which keeps its entities.
    @exclusivity(unchecked) private var entity: Unmanaged<NSEntityDescription>?
    /// References to the entity that wait for an initialiser, which consumes one.
    @exclusivity(unchecked) private var waiting: UInt32 = 0
    /// References to the model that initialisers took for objects without a context.
    @exclusivity(unchecked) private var superfluous: UInt32 = 0

    deinit { releaseSurplus() }

    /// Makes an instance of the class that the table's entity has, in no context.
    func make(_ table: UnsafePointer<LayoutTable>) -> NSManagedObject {
        if table != self.table { turn(to: table) }
        let entity = entity.unsafelyUnwrapped
        if waiting == 0 {
            releaseSurplus()
            coredata_retain_many(entity.toOpaque(), Self.batch)
            waiting = Self.batch
        }
        waiting -= 1
        superfluous += 1
        let object = type.make(entity.takeRetainedValue())
        // The context that it joins keeps the model.
        object.state.remove(.ownsModel)
        return object
    }

    private func turn(to table: UnsafePointer<LayoutTable>) {
        releaseSurplus()
        let layout = table.pointee.layout.takeUnretainedValue()
        (self.table, type, entity) = (table, layout.managedClass, .passUnretained(layout.entity))
    }

    private func releaseSurplus() {
        if waiting > 0, let entity { coredata_release_many(entity.toOpaque(), waiting) }
        if superfluous > 0, let model = table?.pointee.model { coredata_release_many(model.toOpaque(), superfluous) }
        (waiting, superfluous) = (0, 0)
    }
}

extension NSManagedObject {
    /// `init(_coreDataEntity:)` of the very class that it is called on.
    ///
    /// A metatype value can only call `required` initialisers, and requiring one would break the classes of existing
    /// apps. The convenience initialiser's allocating entry does what is wanted, so it is reached by its symbol.
    @_silgen_name("$s8CoreData15NSManagedObjectC05_coreB6EntityAcA19NSEntityDescriptionC_tcfC")
    static func make(_ entity: __owned NSEntityDescription) -> NSManagedObject
}
