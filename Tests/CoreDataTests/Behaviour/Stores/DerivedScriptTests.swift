import CoreData
import Foundation
import RandomSeeds
import Testing

/// Random saves lead to the same derived values in stores of all types.
@Suite struct DerivedScriptTests {
    @Test(arguments: SeededGenerator.seeds(4, full: 40))
    func derivedValuesAreTheSameInStoresOfAllTypes(seed: UInt64) throws {
        let expected = try trace(NSSQLiteStoreType, seed)
        for type in [NSXMLStoreType, NSBinaryStoreType] {
            let found = try trace(type, seed)
            let place = zip(expected, found).enumerated().first { $1.0 != $1.1 }
            #expect(
                expected == found, "\(type), seed \(seed), save \(place.map { "\($0.offset): \($0.element)" } ?? "")")
        }
    }

    /// The derived values of all objects after each of some saves.
    private func trace(_ type: String, _ seed: UInt64) throws -> [String] {
        let folder = try FileFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Library.model())
        let store = try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: folder.file("Store"))
        let trace = try coordinator.work { context throws in
            var script = DerivedScript(seed)
            return try (0..<40).map { _ throws in
                script.edit(context)
                try context.save()
                return script.values(context)
            }
        }
        try coordinator.remove(store)
        return trace
    }
}

/// Random edits of a library.
private struct DerivedScript {
    private var random: SeededGenerator
    private var objects: [(entity: String, object: NSManagedObject)] = []
    private var count = 0

    init(_ seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func any(_ entity: String) -> NSManagedObject? {
        objects.filter { $0.entity == entity && $0.object.managedObjectContext != nil && !$0.object.isDeleted }
            .randomElement(using: &random)?.object
    }

    mutating func edit(_ context: NSManagedObjectContext) {
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            switch Int.random(in: 0..<10, using: &random) {
            case 0...3: insert(context)
            case 4: any(entity())?.setValue(text(), forKey: "name")
            case 5: any("Book")?.setValue(Int.random(in: 0..<100, using: &random), forKey: "pages")
            case 6: if let object = any(entity()) { context.delete(object) }
            default: relate()
            }
        }
    }

    private mutating func entity() -> String { ["Town", "Section", "Node"].randomElement(using: &random) ?? "" }

    private mutating func text() -> String {
        count += 1
        return ["Ä", "é", "Z"].randomElement(using: &random).map { "\($0)\(count)" } ?? ""
    }

    private mutating func insert(_ context: NSManagedObjectContext) {
        let entity = ["Book", "Book", "Shelf", "Town", "Reader", "Node", "Section"].randomElement(using: &random) ?? ""
        let object = context.insert(entity)
        objects.append((entity, object))
        switch entity {
        case "Book":
            object.setValue(text(), forKey: "title")
            object.setValue(Int.random(in: 0..<100, using: &random), forKey: "pages")
        case "Shelf": object.setValue(text(), forKey: "label")
        case "Reader": break
        default: object.setValue(text(), forKey: "name")
        }
    }

    private mutating func relate() {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: any("Book")?.setValue(any("Shelf"), forKey: "shelf")
        case 1: any("Shelf")?.setValue(any("Town"), forKey: "town")
        case 2: if let book = any("Book") { any("Reader")?.mutableSetValue(forKey: "liked").add(book) }
        case 3: if let book = any("Book") { any("Reader")?.mutableSetValue(forKey: "wishes").add(book) }
        case 4: any("Reader")?.setValue(NSSet(), forKey: random.chance(50) ? "liked" : "wishes")
        default: any("Section")?.setValue(any("Node") ?? any("Section"), forKey: "parent")
        }
    }

    /// The derived values of all objects but for times, as the store has them.
    func values(_ context: NSManagedObjectContext) -> String {
        objects.enumerated().filter { !$1.object.isDeleted && $1.object.managedObjectContext != nil }
            .map { place, pair in
                context.refresh(pair.object, mergeChanges: false)
                let names = pair.object.entity.attributesByName.filter {
                    $1 is NSDerivedAttributeDescription && $0 != "savedAt"
                }.keys.sorted()
                let values = names.map { "\($0) \(pair.object.value(forKey: $0).map { "\($0)" } ?? "nil")" }
                return "\(place) \(pair.entity): \(values.joined(separator: ", "))"
            }.joined(separator: "\n")
    }
}
