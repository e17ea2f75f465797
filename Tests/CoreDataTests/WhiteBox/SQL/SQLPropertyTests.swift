import RandomSeeds
import SQLSamples
import Testing

@testable import CoreData

@Suite("SQL and memory agree")
struct SQLPropertyTests {
    /// The seed of this run; `COREDATA_TEST_SEED=…` repeats another one.
    private static let seed = SeededGenerator.seed

    @Test("A random predicate has the same members in SQL as in memory, but for the rows that are unknown in SQL")
    func predicates() throws {
        var random = SQLRandom(seed: Self.seed)
        for _ in 0..<12 {
            let database = try SQLTestDatabase(using: &random)
            var writer = SQLPredicateWriter(random: random)
            for _ in 0..<120 {
                let entity = random.one(["Team", "Player", "Person", "Coach"])
                let format = writer.predicate(entity, depth: 3)
                let predicate = try NSPredicate.parse(format)
                let found = try database.keys(sqlQuery(entity, predicate, hasJSON: random.chance(0.8)))
                let wanted = try database.rows(of: entity).filter { try SQLTruth.of(predicate, $0) == true }
                #expect(found.sorted() == wanted.map(\.key), "\(entity): \(format) (COREDATA_TEST_SEED=\(Self.seed))")
            }
            random = writer.random
        }
    }

    @Test("Random sort descriptors and pages give the order of memory")
    func order() throws {
        var random = SQLRandom(seed: Self.seed)
        let database = try SQLTestDatabase(using: &random)
        for _ in 0..<100 {
            let descriptors = (0..<Int.random(in: 1...3, using: &random)).map { _ in descriptor(&random) }
            let players = database.rows(of: "Player")
            // Rows that are equal to all descriptors follow their keys, in the direction of the last one.
            let byKey = descriptors.last?.ascending == true ? players : players.reversed()
            let wanted = byKey.sorted(by: descriptors).map(\.key)
            let (limit, offset) = (Int.random(in: 1...20, using: &random), Int.random(in: 0...20, using: &random))
            let query = try sqlQuery("Player") { fetch in
                fetch.sortDescriptors = descriptors
                (fetch.limit, fetch.offset) = (limit, offset)
            }
            #expect(
                try database.keys(query) == Array(wanted.dropFirst(offset).prefix(limit)),
                "\(descriptors), \(limit) from \(offset) (COREDATA_TEST_SEED=\(Self.seed))")
        }
    }

    private func descriptor(_ random: inout SQLRandom) -> NSSortDescriptor {
        let ascending = random.chance(0.5)
        guard random.chance(0.4) else {
            let key = random.one(["age", "salary", "price", "born", "team.rank", "boss.age", "name", "team.city"])
            return NSSortDescriptor(key: key, ascending: ascending)
        }
        return NSSortDescriptor(
            key: random.one(["name", "team.name", "boss.name"]), ascending: ascending,
            selector: random.one([
                .caseInsensitiveCompare, .localizedCompare, .localizedCaseInsensitiveCompare, .localizedStandardCompare,
            ]))
    }
}

/// Whether a predicate holds as SQL sees it: true, false, or unknown, which nil makes of a comparison.
enum SQLTruth {
    static func of(_ predicate: NSPredicate, _ row: NSObject) throws -> Bool? {
        if let compound = predicate.plainCompound {
            let parts = try compound.subpredicates.map { try of($0, row) }
            switch compound.compoundPredicateType {
            case .and: return parts.contains(false) ? false : parts.contains(nil) ? nil : true
            case .or: return parts.contains(true) ? true : parts.contains(nil) ? nil : false
            case .not: return parts[0].map { !$0 }
            }
        }
        guard let comparison = predicate as? NSComparisonPredicate else { return predicate.evaluate(with: row) }
        return try of(comparison, row)
    }

    private static func of(_ comparison: NSComparisonPredicate, _ row: NSObject) throws -> Bool? {
        let holds = try comparison.evaluateOrThrow(with: row)
        guard comparison.comparisonPredicateModifier == .direct else { return holds }
        let scope = EvaluationScope(object: row)
        let left = try comparison.leftExpression.value(in: scope)
        let right = try comparison.rightExpression.value(in: scope)
        switch comparison.predicateOperatorType {
        case .equalTo, .notEqualTo:
            // Asking for nil itself is never unknown.
            if comparison.rightExpression.constantOperand?.isNull == true { return holds }
            return isAskedForCount(comparison) || !left.isNull && !right.isNull ? holds : nil
        case .in:
            guard case .collection(let list) = right else {
                return right.isNull && !isToMany(comparison.rightExpression) ? nil : holds
            }
            if comparison.rightExpression.constantOperand == nil { return holds }
            return left.isNull && !holds && !list.elements.isEmpty ? nil : holds
        default: return isAskedForCount(comparison) || !left.isNull && !right.isNull ? holds : nil
        }
    }

    /// Whether the members of a relationship are meant, of which nil has none.
    private static func isToMany(_ expression: NSExpression) -> Bool {
        guard case .keyPath(_, let path) = expression.node else { return false }
        return !Set(path.keys).isDisjoint(with: ["players", "reports", "fans", "favourites"])
    }

    /// `path.@count == 0` and its like ask whether there is a member, to which there is always an answer.
    private static func isAskedForCount(_ comparison: NSComparisonPredicate) -> Bool {
        guard case .keyPath(_, let path) = comparison.leftExpression.node, path.keys.last == "@count",
            case .integer(let bound)? = comparison.rightExpression.constantOperand
        else { return false }
        switch (comparison.predicateOperatorType, bound) {
        case (.greaterThan, 0), (.greaterThanOrEqualTo, 1): return true
        case (.equalTo, 0), (.lessThanOrEqualTo, 0), (.lessThan, 1): return true
        default: return false
        }
    }
}
