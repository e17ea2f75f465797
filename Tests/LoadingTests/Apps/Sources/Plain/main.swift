import CoreData
import Report

final class PlainThing: NSManagedObject {}

print(report("Plain", module: .module, PlainThing.self))
