import CoreData
import CoreDataPostgreSQL
import Foundation
import Testing

@Suite("What PostgreSQL makes of a fetch")
struct ExplanationTests {
    /// A context over 20,000 albums of 100 bands, which the server has looked at.
    private func open(_ model: NSManagedObjectModel) throws -> NSManagedObjectContext {
        let store = try NamedStore()
        let context = try store.open(model)
        try context.performAndWait {
            let bands = (0..<100).map { context.insert("Band", ["name": "Band \($0)"]) }
            try context.save()
            let keys = bands.map { Int($0.objectID.uriRepresentation().lastPathComponent.dropFirst()) ?? 0 }
            try store.run(
                """
                INSERT INTO "Album" ("_key", "_entity", "_version", "title", "year", "band")
                SELECT n, (SELECT "number" FROM "_coredata_entities" WHERE "name" = 'Album'), 1, 'Album ' || n,
                1950 + n % 70, \(keys[0]) FROM generate_series(1, 20000) AS n
                """, "ANALYZE")
        }
        return context
    }

    private func explain(
        _ context: NSManagedObjectContext, _ format: String, sortedBy key: String? = nil
    ) throws -> FetchExplanation {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Album")
        request.predicate = NSPredicate(format: format)
        request.sortDescriptors = key.map { [NSSortDescriptor(key: $0, ascending: true)] }
        return try #require(try context.performAndWait { try context.explain(request) }.first)
    }

    @Test("a scan of all rows is told, with the fetch index that would help, and the plan")
    func scan() throws {
        let found = try explain(try open(NamedModel().make()), "title == 'Album 7'", sortedBy: "year")
        #expect(found.text.hasPrefix("SELECT"))
        #expect(found.parameterMark == "$")
        #expect(found.bindings.count == 1)
        #expect(found.plan.contains { $0.contains("Seq Scan on \"Album\" t0") })
        #expect(
            found.sentences == [
                "Sorts what it found.", "Looks at every row of the table Album to find objects of Album.",
                "A fetch index of Album over title, year would help.",
            ])
    }

    @Test("an index of the model that answers is named")
    func index() throws {
        let model = NamedModel().make()
        let album = try #require(model.entitiesByName["Album"])
        let title = try #require(album.attributesByName["title"])
        album.indexes = [
            NSFetchIndexDescription(
                name: "byTitle", elements: [NSFetchIndexElementDescription(property: title, collationType: .binary)])
        ]
        let context = try open(model)
        #expect(try explain(context, "title == 'Album 7'").sentences == ["Finds Album by the index Z_Album_byTitle."])
        // Nearly all rows fit: the server reads the table, and no other index would change that.
        let most = try explain(context, "title > 'Album'").sentences
        #expect(
            most == [
                "Looks at every row of the table Album to find objects of Album.",
                "The index byTitle of Album is over title, but the database prefers this way.",
            ])
    }

    @Test("a table that is asked for as a whole, and one on the way")
    func tables() throws {
        let context = try open(NamedModel().make())
        #expect(
            try explain(context, "TRUEPREDICATE").sentences == [
                "Reads the whole table Album, as it is asked for all of Album."
            ])
        let joined = try explain(context, "band.name == 'Band 1'").sentences
        #expect(joined.contains("Looks at every row of the table Band on the way."))
    }
}
