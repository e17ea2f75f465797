import CoreData
import Report

print(report("Plugged", module: .module, PluggedThing.self))
