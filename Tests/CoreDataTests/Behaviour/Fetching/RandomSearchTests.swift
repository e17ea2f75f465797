import CoreData
import Foundation
import RandomSeeds
import Testing

/// Random saves, batches, deletions, undos, rollbacks and migrations, after each of which the index finds what a scan
/// of all objects finds.
@Suite("Random full-text searches")
struct RandomSearchTests {
    private static let seeds: [UInt64] =
        ProcessInfo.processInfo.environment["COREDATA_TEST_SEED"].flatMap { UInt64($0) }.map { [$0] } ?? [1, 2, 3, 4]

    @Test("the index finds what a scan finds, whatever was done to the store", arguments: seeds)
    func random(seed: UInt64) throws {
        print("random searches: COREDATA_TEST_SEED=\(seed)")
        let word = ["words", "english", "substrings"][Int(seed % 3)]
        let store = try SearchedFile(SearchLibrary.make(word))
        var run = RandomSearches(seed: seed)
        try store.work { context throws in
            context.undoManager = UndoManager()
            for _ in 0..<60 {
                try run.step(context)
                try run.compare(context, "title", ["body", "title"])
            }
            try context.save()
            try run.compare(context, "title", ["body", "title"])
        }
        // Once with the option and once without: then the migration alone keeps the index right.
        let options = seed % 2 == 0 ? SearchedFile.option : [:]
        try store.reopen(run.migratedModel(word), options) { context throws in
            try run.compare(context, "heading", ["heading", "body"])
            for _ in 0..<10 { try run.change(context, "heading") }
            try context.save()
            try run.compare(context, "heading", ["heading", "body"])
        }
    }
}

/// What is done at random, and how results are compared.
private struct RandomSearches {
    private var random: SeededGenerator
    private static let words = [
        "swift", "Swifts", "data", "DATA", "café", "Cafe", "running", "runs", "über", "owl", "owls", "naïve", "x",
        "été", "—",
    ]

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func text() -> String? {
        if random.chance(10) { return nil }
        let count = Int.random(in: 0..<6, using: &random)
        return (0..<count).map { _ in word() }.joined(separator: random.chance(80) ? " " : "-")
    }

    private mutating func word() -> String { Self.words.randomElement(using: &random) ?? "" }

    private mutating func query() -> String {
        let count = Int.random(in: 1..<4, using: &random)
        let words = (0..<count).map { _ in
            let word = self.word()
            return random.chance(30) ? String(word.prefix(3)) + "*" : word
        }
        let text = words.joined(separator: " ")
        return random.chance(25) ? "\"\(text)\"" : text
    }

    // MARK: Steps

    mutating func step(_ context: NSManagedObjectContext) throws {
        switch Int.random(in: 0..<12, using: &random) {
        case 0...4: try change(context, "title")
        case 5, 6: try context.save()
        case 7:
            context.processPendingChanges()
            if context.undoManager?.canUndo ?? false { context.undo() }
        case 8: context.rollback()
        case 9:
            try context.save()
            let rows: [[String: Any]] = (0..<3).map { _ in
                var row: [String: Any] = [:]
                if let title = text() { row["title"] = title }
                if let body = text() { row["body"] = body }
                return row
            }
            _ = try context.ids(NSBatchInsertRequest(entityName: "Document", objects: rows))
        case 10:
            try context.save()
            _ = try context.count(
                NSManagedObjectContext.update("Document", ["body": text() ?? ""], "title CONTAINS 'a'"))
            // A batch changes rows behind the objects' backs.
            context.reset()
        default:
            try context.save()
            _ = try context.ids(NSManagedObjectContext.deletion("Article", "title CONTAINS[c] 'swift'"))
            context.reset()
        }
    }

    mutating func change(_ context: NSManagedObjectContext, _ title: String) throws {
        let objects = try context.all("Document", sortedBy: title)
        if objects.count < 12 || random.chance(20) {
            let entity = random.chance(40) ? "Article" : "Document"
            let object = context.insert(entity)
            object.setValue(text(), forKey: title)
            if entity == "Article" { object.setValue(text(), forKey: "summary") }
            return
        }
        let object = objects[Int.random(in: 0..<objects.count, using: &random)]
        if random.chance(20) { return context.delete(object) }
        object.setValue(text(), forKey: random.chance(50) ? title : "body")
    }

    /// The model with another name for the title, without notes, and with one more attribute.
    func migratedModel(_ word: String) -> NSManagedObjectModel {
        SearchLibrary.make(word) { document in
            document.propertiesByName["title"]?.name = "heading"
            document.propertiesByName["heading"]?.renamingIdentifier = "title"
            document.properties.removeAll { $0.name == "note" || $0.name == "year" }
            document.properties.append(SearchLibrary.searched("extra", word))
        }
    }

    // MARK: Comparing

    mutating func compare(_ context: NSManagedObjectContext, _ title: String, _ keys: [String]) throws {
        let place = random.chance(50) ? "SELF" : keys[Int.random(in: 0..<keys.count, using: &random)]
        let entity = random.chance(25) ? "Article" : "Document"
        let query = self.query()
        let predicate = NSPredicate(format: "\(place) matchesText: %@", query)
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = predicate
        let found = Set(try context.fetch(request).map(\.objectID))
        let scanned = Set(try context.all(entity).filter { predicate.evaluate(with: $0) }.map(\.objectID))
        #expect(found == scanned, "\(entity): \(predicate)")
    }
}
