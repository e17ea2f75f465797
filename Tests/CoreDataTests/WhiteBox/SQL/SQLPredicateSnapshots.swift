import CoreData
import SQLSamples
import Testing

@Suite("SQL of predicates")
struct SQLPredicateSnapshots {
    @Test("A predicate becomes this SQL, which SQLite runs", arguments: SQLSnapshot.all)
    func text(_ snapshot: SQLSnapshot) throws {
        #expect(try sqlClause(snapshot.entity, snapshot.format) == snapshot.sql)
        var random = SQLRandom(seed: 5)
        let database = try SQLTestDatabase(using: &random)
        let query = try sqlQuery(snapshot.entity, NSPredicate(format: snapshot.format))
        #expect(try database.keys(query).count <= database.rows(of: snapshot.entity).count)
    }

    @Test("Every kind of request has its snapshots")
    func number() { #expect(SQLSnapshot.all.count >= 150) }
}

extension SQLSnapshot: CustomTestStringConvertible {}
