import CoreData
import Foundation
import RandomSeeds
import Testing

@testable import CoreDataStudio

/// A store with history, and what each object of it was after each transaction.
final class Ledger {
    /// What objects are, by their identifiers: texts for the values of their properties.
    typealias State = [String: [String: String]]

    let store: SampleStore
    /// What there was after each transaction; the first one is No. 1.
    private(set) var states: [State] = []
    private var numbers: SeededGenerator
    private let coordinator: NSPersistentStoreCoordinator
    private let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    private var count = 0

    init(_ seed: UInt64) throws {
        numbers = SeededGenerator(seed: seed)
        store = try SampleStore("Ledger.sqlite")
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        _ = try coordinator.addPersistentStore(
            type: .sqlite, at: store.url, options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
        context.persistentStoreCoordinator = coordinator
        context.undoManager = nil
        try context.performAndWait {
            let cities = (0..<3).map { _ in insert("City") }
            for index in 0..<6 { insert("Person").setValue(cities[index % 3], forKey: "city") }
            try save()
        }
    }

    func close() throws { for store in coordinator.persistentStores { try coordinator.remove(store) } }

    /// All objects that there were at some time.
    var everSeen: Set<String> { Set(states.flatMap(\.keys)) }

    // MARK: Changes

    /// Changes one to three things, and saves them as one transaction; or changes something in a batch.
    func saveSomething() throws {
        try context.performAndWait {
            if Int.random(in: 0..<5, using: &numbers) == 0 { return try changeBatch() }
            for _ in 0..<Int.random(in: 1...3, using: &numbers) { try changeSomething() }
            try save()
        }
    }

    private func changeSomething() throws {
        guard let person = try any("Person"), let city = try any("City") else {
            for entity in ["Person", "City"] { _ = insert(entity) }
            return
        }
        switch Int.random(in: 0..<12, using: &numbers) {
        case 0: insert("Person").setValue(city, forKey: "city")
        case 1: insert("City").setValue(try any("Person"), forKey: "mayor")
        case 2: context.delete(person)
        case 3: context.delete(city)
        case 4: person.setValue(Bool.random(using: &numbers) ? nil : city, forKey: "city")
        case 5: city.setValue(person, forKey: "mayor")
        case 6: if let other = try any("Person") { person.mutableSetValue(forKey: "friends").add(other) }
        case 7: person.setValue(NSSet(), forKey: "friends")
        case 8: city.setValue(newText(), forKey: "name")
        case 9: person.setValue(newText(), forKey: "note")
        default: person.setValue(newText(), forKey: "name")
        }
    }

    /// A batch tells the ends of relationships that it does not name of nothing.
    private func changeBatch() throws {
        let entity = Bool.random(using: &numbers) ? "Person" : "City"
        guard let object = try any(entity) else { return }
        let request: NSPersistentStoreRequest
        if Int.random(in: 0..<3, using: &numbers) == 0 {
            request = NSBatchDeleteRequest(objectIDs: [object.objectID])
        } else {
            let update = NSBatchUpdateRequest(entityName: entity)
            update.predicate = NSPredicate(format: "SELF == %@", argumentArray: [object.objectID])
            update.propertiesToUpdate = ["name": newText()]
            request = update
        }
        _ = try context.execute(request)
        context.reset()
        try note()
    }

    private func insert(_ entity: String) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        object.setValue(newText(), forKey: "name")
        return object
    }

    /// A text that no other value is.
    private func newText() -> String {
        count += 1
        return "text \(count)"
    }

    private func any(_ entity: String) throws -> NSManagedObject? {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try context.fetch(request).filter { !$0.isDeleted }.randomElement(using: &numbers)
    }

    private func save() throws {
        guard context.hasChanges else { return }
        try context.save()
        context.reset()
        try note()
    }

    // MARK: What there was

    /// Notes what there is now, for each transaction that is new.
    private func note() throws {
        let store = try #require(coordinator.persistentStores.first as? any HistoryStore)
        let last = Int(try store.lastTransaction())
        let state = try self.state()
        while states.count < last { states.append(state) }
    }

    private func state() throws -> State {
        var state: State = [:]
        for entity in ["Person", "City"] {
            for object in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)) {
                state[object.objectID.shortIdentifier] = Dictionary(
                    uniqueKeysWithValues: ShownProperty.all(of: object.entity).map { property in
                        (property.path, Self.text(object.value(forKey: property.path)))
                    })
            }
        }
        context.reset()
        return state
    }

    private static func text(_ value: Any?) -> String {
        switch value {
        case let object as NSManagedObject: object.objectID.shortIdentifier
        case let set as Set<NSManagedObject>: set.map(\.objectID.shortIdentifier).sorted().joined(separator: " ")
        case let value?: "\(value)"
        case nil: ""
        }
    }

    // MARK: Checking

    /// Checks what is said of an object as of a transaction, and counts the words.
    func check(_ answer: JSON, _ object: String, _ number: Int, _ words: inout [String: Int]) throws {
        let (then, now) = (states[number - 1][object], states.last?[object])
        let wasSeen = states[..<number].contains { $0[object] != nil }
        let state = then != nil ? "there" : wasSeen ? "gone" : "notYet"
        #expect(answer["state"]?.text == state, "\(object) as of \(number)")
        #expect(answer["isStored"] == .bool(now != nil))
        for value in answer["values"]?.array ?? [] {
            let name = try #require(value["name"]?.text)
            let knowledge = try #require(value["knowledge"]?.text)
            words[knowledge, default: 0] += 1
            let place = "\(object).\(name) as of \(number) is \(knowledge)"
            let last = then ?? states[..<number].last { $0[object] != nil }?[object]
            switch knowledge {
            case "unchanged": #expect(then?[name] == now?[name] && then != nil, "\(place)")
            case "kept": #expect(value["value"]?.text == last?[name], "\(place)")
            default: #expect(value["value"] == nil, "\(place)")
            }
            // Of attributes all is told that there is to tell: each new value is another one.
            guard then != nil, now != nil, ["name", "note"].contains(name) else { continue }
            let isSame = states[(number - 1)...].allSatisfy { $0[object]?[name] == then?[name] }
            #expect(isSame == (knowledge == "unchanged"), "\(place)")
        }
    }

    private static func model() -> NSManagedObjectModel {
        let (person, city) = (NSEntityDescription(), NSEntityDescription())
        (person.name, city.name) = ("Person", "City")
        let name = SampleStore.attribute("name", .stringAttributeType)
        name.preservesValueInHistoryOnDeletion = true
        let count = NSDerivedAttributeDescription()
        (count.name, count.attributeType, count.isOptional) = ("count", .integer32AttributeType, true)
        count.derivationExpression = NSExpression(format: "people.@count")
        person.properties = [name, SampleStore.attribute("note", .stringAttributeType)]
        city.properties = [SampleStore.attribute("name", .stringAttributeType), count]
        func relate(
            _ a: NSEntityDescription, _ there: String, _ isMany: Bool, _ b: NSEntityDescription, _ back: String,
            _ isBackMany: Bool
        ) {
            let (one, other) = (NSRelationshipDescription(), NSRelationshipDescription())
            (one.name, one.destinationEntity, one.inverseRelationship, one.maxCount) = (there, b, other, isMany ? 0 : 1)
            (other.name, other.destinationEntity, other.inverseRelationship) = (back, a, one)
            other.maxCount = isBackMany ? 0 : 1
            a.properties.append(one)
            b.properties.append(other)
        }
        relate(person, "city", false, city, "people", true)
        relate(city, "mayor", false, person, "town", false)
        relate(person, "friends", true, person, "friendOf", true)
        let model = NSManagedObjectModel()
        model.entities = [person, city]
        return model
    }
}
