import CoreData

@objcMembers
class Brand: NSManagedObject {
    @NSManaged var name: String?
    @NSManaged var jars: NSSet

    @NSManaged private var primitiveJars: Set<Jar>

    /// A custom accessor of a to-many relationship.
    var ownJars: Set<Jar> {
        get { jars as? Set<Jar> ?? [] }
        set {
            willChangeValue(forKey: "jars")
            primitiveJars = newValue
            didChangeValue(forKey: "jars")
        }
    }

    var initial: String { String(name?.prefix(1) ?? "?") }

    // As Xcode 7 wrote them.
    @NSManaged func addJarsObject(value: Jar)
    @NSManaged func removeJarsObject(value: Jar)
    @NSManaged func addJars(value: Set<Jar>)
}
