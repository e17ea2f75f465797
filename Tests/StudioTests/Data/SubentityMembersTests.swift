import CoreData
import Foundation
import Testing

@testable import CoreDataStudio

/// Members of a relationship whose destination has a subentity, with it and without it.
@Suite("Members with subentities folded and apart") struct SubentityMembersTests {
    private static let member = RowQuery.Membership(object: "Album/p1", relationship: "items")

    private func query(_ includesSubentities: Bool?, predicate: String? = nil, sort: String? = nil) -> RowQuery {
        RowQuery(
            entity: "Item", includesSubentities: includesSubentities, predicate: predicate,
            sort: sort.map { [RowQuery.Sort(key: $0, ascending: true)] }, member: Self.member)
    }

    /// The names of a query's rows. They are as many as its total says.
    private func names(_ session: StoreSession, _ query: RowQuery) async throws -> [String] {
        let answer = try await session.rows(RowsRequest(query: query, from: 0, count: 50, columns: ["name"]))
        let names = (answer["rows"]?.array ?? []).compactMap { $0["cells"]?.array?.first?.text }
        #expect(try await session.total(query) == ["total": .integer(names.count)])
        return names
    }

    @Test(
        "The check box leaves members of subentities out, in the order of the relationship", arguments: [false, true])
    func members(isEdited: Bool) async throws {
        let store = try SampleStore.album()
        let session = try StoreSession(.file(store.url), isEdited: isEdited)
        let all = ["a photo", "b item", "c photo", "d item", "e photo"]
        #expect(try await names(session, query(nil)) == all)
        #expect(try await names(session, query(true)) == all)
        #expect(try await names(session, query(false)) == ["b item", "d item"])
        #expect(try await names(session, query(false, predicate: "name > \"c\"")) == ["d item"])
        #expect(try await names(session, query(false, sort: "name")) == ["b item", "d item"])
        #expect(try await names(session, RowQuery(entity: "Item", includesSubentities: false)) == ["b item", "d item"])
        #expect(try await names(session, RowQuery(entity: "Photo")).count == 3)
        // Members of another entity are none of its rows.
        let photos = RowQuery(entity: "Photo", member: Self.member)
        #expect(try await names(session, photos) == ["a photo", "c photo", "e photo"])
        try await session.close()
    }

    @Test("Members that are not saved are left out, too") func staged() async throws {
        let store = try SampleStore.album()
        let session = try StoreSession(.file(store.url), isEdited: true)
        for entity in ["Item", "Photo"] {
            let action = StoreAction.create(entity: entity, owner: "Album/p1", relationship: "items")
            let id = try #require(try await session.edit(EditRequest(action: action))["created"]?.array?.first?.text)
            _ = try await session.edit(
                EditRequest(action: .set(object: id, key: "name", value: .text("new \(entity)"))))
        }
        #expect(try await names(session, query(true)).count == 7)
        #expect(try await names(session, query(false)) == ["b item", "d item", "new Item"])
        try await session.close()
    }
}

extension SampleStore {
    /// An album with two items and three photos, which are items, too, in turn.
    fileprivate static func album() throws -> SampleStore {
        let store = try SampleStore("Album.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: albumModel())
        let made = try coordinator.addPersistentStore(type: .sqlite, at: store.url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let album = NSEntityDescription.insertNewObject(forEntityName: "Album", into: context)
            let items = ["a photo", "b item", "c photo", "d item", "e photo"].map { name in
                let entity = name.hasSuffix("photo") ? "Photo" : "Item"
                let item = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                item.setValue(name, forKey: "name")
                return item
            }
            album.setValue(NSOrderedSet(array: items), forKey: "items")
            try context.save()
        }
        try coordinator.remove(made)
        return store
    }

    private static func albumModel() -> NSManagedObjectModel {
        let (album, item, photo) = (NSEntityDescription(), NSEntityDescription(), NSEntityDescription())
        (album.name, item.name, photo.name) = ("Album", "Item", "Photo")
        let (items, owner) = (NSRelationshipDescription(), NSRelationshipDescription())
        (items.name, items.destinationEntity, items.inverseRelationship) = ("items", item, owner)
        items.isOrdered = true
        (owner.name, owner.destinationEntity, owner.inverseRelationship) = ("album", album, items)
        owner.maxCount = 1
        album.properties = [items]
        item.properties = [attribute("name", .stringAttributeType), owner]
        photo.properties = [attribute("width", .integer32AttributeType)]
        item.subentities = [photo]
        let model = NSManagedObjectModel()
        model.entities = [album, item, photo]
        return model
    }
}
