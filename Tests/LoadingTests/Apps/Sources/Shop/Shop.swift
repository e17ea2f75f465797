import CoreData
import Report

public func shopReport() -> String { report("Shop", module: .module, ShopThing.self) }
