import Testing

@testable import CoreData

@Suite("Models that are looked through for a class")
struct EntityLookupTests {
    /// Another thread may release a model at any time.
    @Test("a model is kept while its entities are looked at, and goes afterwards")
    func keeping() {
        weak var model: NSManagedObjectModel?
        var owner: NSPersistentStoreCoordinator? = NSPersistentStoreCoordinator(
            managedObjectModel: CoreDataTests.model(entity("Looked for", [])))
        model = owner?.managedObjectModel
        EntityLookup.shared.reading { models in
            owner = nil
            #expect(model != nil)
            #expect(models.contains { $0.layout(named: "Looked for")?.entity.name == "Looked for" })
        }
        #expect(model == nil)
        EntityLookup.shared.reading { #expect(!$0.contains { $0.layout(named: "Looked for") != nil }) }
    }
}
