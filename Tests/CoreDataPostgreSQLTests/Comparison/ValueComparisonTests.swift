import CoreData
import Foundation
import RandomSeeds
import SQLSamples
import Testing

@testable import CoreDataPostgreSQL

/// Random expressions over values of all types give the same in PostgreSQL as in SQLite.
@Suite("PostgreSQL and SQLite compute the same")
struct ValueComparisonTests {
    @Test("each random predicate finds the same", arguments: SeededGenerator.seeds(3, full: 20))
    func predicates(seed: UInt64) throws {
        var (comparison, writer) = try Self.start("predicates", seed)
        try comparison.check(
            try (0..<400).map { _ in
                let isTag = writer.random.chance(0.15)
                let format = writer.predicate(.init(isTag: isTag), depth: 2)
                return try ComparedRequest(isTag ? "Tag" : "Item", format)
            }, "(COREDATA_TEST_SEED=\(seed))")
        #expect(comparison.refused.isEmpty)
    }

    @Test("each random column of a dictionary is the same", arguments: SeededGenerator.seeds(2, full: 20))
    func columns(seed: UInt64) throws {
        var (comparison, writer) = try Self.start("columns", seed)
        let requests = try (0..<150).map { _ in
            var request = try ComparedRequest("Item")
            let columns = (0..<3).map { place -> StoreColumn in
                let format =
                    switch place {
                    case 0: writer.number(.init(), depth: 2)
                    case 1: writer.text(.init(), depth: 1)
                    default: writer.date(.init(), depth: 1)
                    }
                return StoreColumn("c\(place)", format)
            }
            request.title = "columns \(columns.map(\.expression))"
            request.output = .dictionaries(columns)
            request.sortDescriptors = [NSSortDescriptor(key: "objectID", ascending: true)]
            return request
        }
        try comparison.check(requests, "(COREDATA_TEST_SEED=\(seed))")
        #expect(comparison.refused.isEmpty)
    }

    @Test("random orders and parts are the same", arguments: SeededGenerator.seeds(2, full: 20))
    func orders(seed: UInt64) throws {
        var (comparison, writer) = try Self.start("orders", seed)
        let requests = try (0..<200).map { _ in
            var request = try ComparedRequest(
                "Item", writer.random.chance(0.3) ? writer.predicate(.init(), depth: 1) : nil)
            for _ in 0..<Int.random(in: 1...3, using: &writer.random) {
                request.sortDescriptors.append(writer.descriptor())
            }
            request.sortDescriptors.append(NSSortDescriptor(key: "objectID", ascending: writer.random.chance(0.5)))
            request.title +=
                " by \(request.sortDescriptors.map { "\($0.key ?? "") \($0.ascending) \($0.selector?.description ?? "")" })"
            if writer.random.chance(0.4) {
                request.limit = Int.random(in: 1...20, using: &writer.random)
                request.offset = Int.random(in: 0...20, using: &writer.random)
            }
            if writer.random.chance(0.2) { request.output = .count }
            return request
        }
        try comparison.check(requests, "(COREDATA_TEST_SEED=\(seed))")
        #expect(comparison.refused.isEmpty)
    }

    static func start(_ name: String, _ seed: UInt64) throws -> (Comparison, ValueExpressionWriter) {
        let server = try PostgreSQLTestServer.shared
        let random = SQLRandom(seed: seed)
        let store = try ComparedStore(ValueModel.make(), name: "\(name)\(seed)", server: server) { context in
            var graph = SampleGraph(random)
            graph.fill(context, ["Item": 60, "Tag": 12])
        }
        return (Comparison(store, server), ValueExpressionWriter(random: SQLRandom(seed: seed &+ 77)))
    }
}
