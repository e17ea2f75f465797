import CoreData

/// Looks for a model in every way, and says which ways don't lead to it.
///
/// - Parameters:
///   - name: The model's name; its entity is called `NAMEThing`.
///   - module: The resource bundle of the target that holds the model.
///   - type: The class of the entity.
/// - Returns: The ways that failed, a line each; "every way" if none did.
public func report(_ name: String, module: Bundle, _ type: NSManagedObject.Type) -> String {
    func at(_ url: URL?) -> NSManagedObjectModel? { url.flatMap { NSManagedObjectModel(contentsOf: $0) } }
    let own = Bundle(for: type)
    let ways: [(String, NSManagedObjectModel?)] = [
        ("Bundle.main, momd", at(Bundle.main.url(forResource: name, withExtension: "momd"))),
        ("Bundle.main, mom", at(Bundle.main.url(forResource: name, withExtension: "mom"))),
        ("Bundle.main, path", at(Bundle.main.path(forResource: name, ofType: "momd").map { URL(fileURLWithPath: $0) })),
        ("Bundle(for:), momd", at(own.url(forResource: name, withExtension: "momd"))),
        ("Bundle.module, momd", at(module.url(forResource: name, withExtension: "momd"))),
        ("Bundle.module, mom", at(module.url(forResource: name, withExtension: "mom"))),
        ("mergedModel(from: nil)", .mergedModel(from: nil)),
        ("mergedModel(from: main)", .mergedModel(from: [Bundle.main])),
        ("mergedModel(from: class)", .mergedModel(from: [own])),
        ("mergedModel(from: module)", .mergedModel(from: [module])),
        ("mergedModel(from: allBundles)", .mergedModel(from: Bundle.allBundles)),
        ("NSManagedObjectModel(byMerging:)", NSManagedObjectModel(byMerging: nil)),
        ("NSPersistentContainer(name:)", NSPersistentContainer(name: name).managedObjectModel),
    ]
    let failed = ways.filter { $0.1?.entitiesByName[name + "Thing"] == nil }.map(\.0)
    let object = thing(name, type)
    return (failed + [object].compactMap { $0 }).isEmpty
        ? "every way" : (failed + [object ?? ""]).joined(separator: "\n")
}

/// Saves an object of the class that the model names, in memory.
private func thing(_ name: String, _ type: NSManagedObject.Type) -> String? {
    let container = NSPersistentContainer(name: name)
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))]
    container.loadPersistentStores { _, error in if let error { print(error) } }
    let context = container.viewContext
    let thing = NSEntityDescription.insertNewObject(forEntityName: name + "Thing", into: context)
    thing.setValue("one", forKey: "name")
    do { try context.save() } catch { return "save: \(error)" }
    return Swift.type(of: thing) == type ? nil : "the object is a \(Swift.type(of: thing))"
}
