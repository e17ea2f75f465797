import CBench
import CoreData

/// Full-text search over 100,000 documents of 60 words: two words, the twenty best with rank and snippet, and the scan
/// that an app without an index has.
extension Workloads {
    private static let documents = 100_000
    private static let searches = 20

    func search() throws -> Measurement {
        try searching { context, words in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Document")
            request.fetchLimit = 20
            return try context.matches(for: words.joined(separator: " "), in: request).count
        }
    }

    func searchByScan() throws -> Measurement {
        try searching { context, words in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Document")
            request.predicate = NSCompoundPredicate(
                andPredicateWithSubpredicates: words.map { NSPredicate(format: "body CONTAINS[cd] %@", $0) })
            // The twenty best are not known before all are found.
            return try context.fetch(request).count
        }
    }

    /// Times searches for pairs of words, each of which some hundred documents have.
    private func searching(_ search: (NSManagedObjectContext, [String]) throws -> Int) throws -> Measurement {
        var result = Measurement()
        bench_remove_db(work)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.library)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: work),
            options: [NSPersistentStoreFullTextSearchOptionKey: true])
        try withContext(of: coordinator) { context in
            try fill(context)
            context.reset()
            try result.time { result in
                result.n = Int64(Self.searches)
                for number in 0..<Self.searches {
                    let found = try search(context, [Self.word(40 + number), Self.word(80 + number)])
                    guard found > 0 else { throw CocoaError(.coreData) }
                }
            }
        }
        try coordinator.remove(store)
        return result
    }

    /// Words as a language has them: the nth is found with a frequency of about 1/n.
    private func fill(_ context: NSManagedObjectContext) throws {
        var state: UInt64 = 1
        func random() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 11) / Double(1 << 53)
        }
        let rows = NSBatchInsertRequest(
            entityName: "Document",
            objects: (0..<Self.documents).map { number in
                let words = (0..<60).map { _ in Self.word(Int(exp(random() * 9.2))) }
                return ["title": "Document \(number)", "body": words.joined(separator: " ")]
            })
        _ = try context.execute(rows)
    }

    /// The nth word: no word is the beginning or the end of another one.
    private static func word(_ number: Int) -> String { "w\(number)x" }

    private static var library: NSManagedObjectModel {
        let document = NSEntityDescription()
        document.name = "Document"
        document.properties = ["title", "body"].map { name in
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType, attribute.isOptional) = (name, .stringAttributeType, true)
            attribute.userInfo = [NSFullTextSearchUserInfoKey: "YES"]
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [document]
        return model
    }
}
