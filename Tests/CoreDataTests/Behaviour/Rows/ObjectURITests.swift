import CoreData
import Foundation
import Testing

@Suite("URIs of objects")
struct ObjectURITests {
    @Test("a URI means its object, also where the entity's name is escaped or the store's letters are small")
    func roundTrip() throws {
        for name in ["Page", "S\u{e4}tze", "A b/c", "x_y-z.~"] {
            let stack = try Stack(model(entity(name, [attribute("text", .stringAttributeType)])))
            try stack.work { context throws in
                let objects = (0..<12).map { _ in context.insert(name) }
                try context.save()
                for id in objects.map(\.objectID) {
                    let uri = id.uriRepresentation()
                    #expect(uri.scheme == "x-coredata" && uri.lastPathComponent.first == "p")
                    #expect(stack.coordinator.managedObjectID(forURIRepresentation: uri) == id, "\(uri)")
                    #expect(stack.coordinator.managedObjectID(for: uri.absoluteString) == id, "\(uri)")
                    let store = try #require(id.persistentStore?.identifier)
                    let small = uri.absoluteString.replacingOccurrences(of: store, with: store.lowercased())
                    #expect(stack.coordinator.managedObjectID(for: small) == id, "\(small)")
                }
            }
        }
    }

    @Test("what is no URI of an object of these stores means none")
    func others() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let team = context.insert("Team", ["name": "Heat"])
            let temporary = team.objectID.uriRepresentation()
            try context.save()
            let good = team.objectID.uriRepresentation().absoluteString
            let store = try #require(team.objectID.persistentStore?.identifier)
            #expect(stack.coordinator.managedObjectID(for: good) == team.objectID)
            let bad = [
                temporary.absoluteString, "", "x-coredata://", "x-coredata:///Team/p1", "http://\(store)/Team/p1",
                "x-coredata://\(store)/Team", "x-coredata://\(store)/Team/", "x-coredata://\(store)/Team/p",
                "x-coredata://\(store)/Team/p0", "x-coredata://\(store)/Team/p-1", "x-coredata://\(store)/Team/p1x",
                "x-coredata://\(store)/Team/1", "x-coredata://\(store)/Team/p1/p1", "x-coredata://\(store)/Nothing/p1",
                "x-coredata://\(UUID())/Team/p1", "x-coredata://\(store)/Team/p99999999999999999999",
            ]
            for text in bad { #expect(stack.coordinator.managedObjectID(for: text) == nil, "\(text)") }
        }
    }
}
