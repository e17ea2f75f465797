import CoreData
import Report

public func shelfReport() -> String { report("Shelf", module: .module, ShelfThing.self) }
