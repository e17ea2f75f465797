import CoreData
import Foundation
import RandomSeeds
import SQLSamples
import Testing

@testable import CoreDataPostgreSQL

/// Groups, distinct rows and aggregates are the same in PostgreSQL as in SQLite.
@Suite("PostgreSQL and SQLite group the same")
struct DictionaryComparisonTests {
    @Test("each random group of rows is the same", arguments: SeededGenerator.seeds(2, full: 20))
    func groups(seed: UInt64) throws {
        var (comparison, writer) = try ValueComparisonTests.start("groups", seed)
        let requests = try (0..<200).map { _ in
            let isFiltered = writer.random.chance(0.3)
            var request = try ComparedRequest("Item", isFiltered ? writer.predicate(.init(), depth: 1) : nil)
            let groups = (0..<Int.random(in: 1...2, using: &writer.random)).map { writer.group($0) }
            let aggregates = (0..<Int.random(in: 1...3, using: &writer.random)).map { writer.aggregate($0) }
            let condition = ValueExpressionWriter.having(aggregates[0])
            let having = writer.random.chance(0.3) ? "a0 != nil AND \(condition)" : nil
            request.output = .dictionaries(groups + aggregates, groupBy: groups, having: having)
            request.title += "groups \((groups + aggregates).map(\.expression)) having \(having ?? "")"
            if writer.random.chance(0.4) { Self.order(&request, by: groups, &writer) }
            return request
        }
        try comparison.check(requests, "(COREDATA_TEST_SEED=\(seed))")
        #expect(comparison.refused.isEmpty)
    }

    @Test("each random aggregate over all rows is the same", arguments: SeededGenerator.seeds(2, full: 20))
    func aggregates(seed: UInt64) throws {
        var (comparison, writer) = try ValueComparisonTests.start("aggregates", seed)
        let requests = try (0..<150).map { _ in
            var request = try ComparedRequest(
                "Item", writer.random.chance(0.5) ? writer.predicate(.init(), depth: 1) : nil)
            let aggregates = (0..<3).map { writer.aggregate($0) }
            request.output = .dictionaries(aggregates, isDistinct: writer.random.chance(0.3))
            request.title += "aggregates \(aggregates.map(\.expression))"
            return request
        }
        try comparison.check(requests, "(COREDATA_TEST_SEED=\(seed))")
        #expect(comparison.refused.isEmpty)
    }

    @Test("random distinct rows are the same", arguments: SeededGenerator.seeds(2, full: 20))
    func distinct(seed: UInt64) throws {
        var (comparison, writer) = try ValueComparisonTests.start("distinct", seed)
        let requests = try (0..<150).map { _ in
            var request = try ComparedRequest(
                "Item", writer.random.chance(0.5) ? writer.predicate(.init(), depth: 1) : nil)
            let columns = (0..<Int.random(in: 1...2, using: &writer.random)).map { writer.group($0) }
            request.output = .dictionaries(columns, isDistinct: true)
            request.title += "distinct \(columns.map(\.expression))"
            if writer.random.chance(0.5) { Self.order(&request, by: columns, &writer) }
            return request
        }
        try comparison.check(requests, "(COREDATA_TEST_SEED=\(seed))")
        #expect(comparison.refused.isEmpty)
    }

    /// An order that leaves nothing open: by all groups.
    private static func order(
        _ request: inout ComparedRequest, by columns: [StoreColumn], _ writer: inout ValueExpressionWriter
    ) {
        for column in columns.shuffled(using: &writer.random) {
            request.sortDescriptors.append(NSSortDescriptor(key: column.name, ascending: writer.random.chance(0.5)))
        }
        request.title += " by \(request.sortDescriptors.map { "\($0.key ?? "") \($0.ascending)" })"
    }
}
