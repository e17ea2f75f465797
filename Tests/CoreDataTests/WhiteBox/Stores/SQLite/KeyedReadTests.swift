import Foundation
import RandomSeeds
import Testing

@testable import CoreData

@Suite("Rows that are read by their keys")
struct KeyedReadTests {
    private static let count = 600

    private let stack: Stack
    private var store: SQLiteStore { stack.coordinator.persistentStores[0] as! SQLiteStore }
    private let keys: [Int64]

    init() throws {
        stack = try Stack(LeagueModel.make())
        keys = try stack.work { context in
            for index in 0..<Self.count {
                _ = context.insert("Player", ["name": "Player \(index)", "age": index % 100])
            }
            try context.save()
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Player")
            request.resultType = .managedObjectIDResultType
            return try context.fetch(request).map(\.reference.key)
        }
    }

    @Test(
        "come once each, however often and in whatever order they are asked for, and however many are missing",
        arguments: SeededGenerator.seeds(30, full: 500))
    func anyList(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let lengths = [0, 1, 2, 3, 4, 5, 20, 64, 65, 256, 257, 600]
        let length = lengths.randomElement(using: &random) ?? 1
        let list = (0..<length).map { _ in
            let isThere = Int.random(in: 0..<10, using: &random) > 0
            return isThere ? keys.randomElement(using: &random) ?? 1 : Int64.random(in: -5_000...5_000, using: &random)
        }
        let root = store.layouts.layout(named: "Player")!
        let found = try store.rows(rootedAt: store.layouts[root.rootNumber], keys: list).map(\.key)
        #expect(found.sorted() == Set(list).intersection(keys).sorted(), "seed \(seed)")
    }
}
