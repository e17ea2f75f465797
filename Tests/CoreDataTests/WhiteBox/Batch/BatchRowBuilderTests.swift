import Foundation
import Testing

@testable import CoreData

/// Rows that a tool gives as values, without dictionaries.
@Suite("Batches of values")
struct BatchRowBuilderTests {
    private let stack: Stack

    init() throws { stack = try Stack(BatchLeague.make()) }

    /// A request for teams of these names.
    private func request(_ names: [String], then end: (any Error)? = nil) -> NSBatchInsertRequest {
        var rest = names.makeIterator()
        let request = NSBatchInsertRequest(
            entityName: "Team",
            rowHandler: { row in
                guard let name = rest.next() else {
                    if let end { throw end }
                    return true
                }
                let slot = try row.slot(named: "name").index
                #expect(!row.isSet(slot))
                row.set(slot, .string(name))
                return !row.isSet(slot)
            })
        request.resultType = .count
        return request
    }

    @Test("each row has its values, and defaults for the rest")
    func values() throws {
        try stack.work { context throws in
            let result = try context.execute(request(["Bulls", "Heat"])) as? NSBatchInsertResult
            #expect(result?.result as? Int == 2)
            let teams = try context.all("Team", sortedBy: "name")
            #expect(teams.map { $0.string("name") } == ["Bulls", "Heat"])
            #expect(teams.map { $0.string("color") } == ["white", "white"])
        }
    }

    @Test("what the handler throws ends the transaction, and comes out as it is")
    func failure() throws {
        struct Failure: Error, Equatable {}
        try stack.work { context throws in
            #expect(throws: Failure()) { try context.execute(request(["Bulls"], then: Failure())) }
            #expect(try context.count("Team") == 0)
        }
    }

    @Test("with property trump only the values that were set go to the row that is there")
    func merges() throws {
        _ = try stack.saved("Team", ["name": "Heat", "color": "black", "points": 3])
        try stack.work { context throws in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            _ = try context.execute(request(["Heat", "Bulls"]))
            let teams = try context.all("Team", sortedBy: "name")
            #expect(teams.map { $0.string("color") } == ["white", "black"])
        }
    }

    @Test("a property that a batch can't set is refused")
    func property() throws {
        try stack.work { context throws in
            let request = NSBatchInsertRequest(
                entityName: "Team", rowHandler: { try $0.slot(named: "shoes").isOptional })
            let error = try #require(thrown { _ = try context.execute(request) })
            #expect(error.code == NSPersistentStoreOperationError)
        }
    }
}
