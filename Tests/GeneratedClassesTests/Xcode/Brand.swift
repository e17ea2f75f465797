import CoreData

@objcMembers
class Brand: NSManagedObject {
    @NSManaged var name: String?
    @NSManaged var jars: NSSet

    var initial: String { String(name?.prefix(1) ?? "?") }

    // As Xcode 7 wrote them.
    @NSManaged func addJarsObject(value: Jar)
    @NSManaged func removeJarsObject(value: Jar)
    @NSManaged func addJars(value: Set<Jar>)
}
