import CoreData
import Foundation
import RandomSeeds
import Testing

@testable import CoreDataPostgreSQL

@Suite("Dates in microseconds")
struct MicrosecondTests {
    /// Dates of all sizes, from seconds to the end of what a column can have.
    private static func dates() -> [Double] {
        var random = SeededGenerator(seed: SeededGenerator.seed)
        let many = (0..<20_000).map { _ in
            let size = pow(2, Double.random(in: 0..<42, using: &random))
            return Double.random(in: -0.04...1, using: &random) * size
        }
        return many + (50_083..<50_200).map { Double($0) * 86_400.123456 } + [0, -0.0000005, 7812.5e-6]
    }

    @Test("the date that a column has for a date is the nearest one, and has itself")
    func dates() throws {
        for date in Self.dates() {
            let stored = try #require(PostgreSQLTime.stored(date))
            // Doubles of large dates are more than a microsecond apart: there each is stored as it is.
            #expect(date.ulp > 1e-6 ? stored == date : abs(stored - date) <= 0.5e-6 + 0.5 * date.ulp, "\(date)")
            #expect(PostgreSQLTime.microseconds(stored) == PostgreSQLTime.microseconds(date), "\(date)")
            #expect(PostgreSQLType.date(stored) == PostgreSQLType.date(date), "\(date)")
        }
    }

    @Test("a save and a fetch give the dates that columns have")
    func saved() throws {
        let store = try NamedStore()
        var model = NamedModel()
        model.attributes = [("released", .dateAttributeType)]
        let context = try store.open(model.make())
        let dates = Self.dates().suffix(120)
        try context.performAndWait {
            for date in dates {
                _ = context.insert("Album", ["released": Date(timeIntervalSinceReferenceDate: date)])
            }
            try context.save()
        }
        let other = try store.open(model.make())
        try other.performAndWait {
            let found = try other.all("Album").compactMap { $0.value(forKey: "released") as? Date }
            #expect(
                found.map(\.timeIntervalSinceReferenceDate).sorted()
                    == dates.compactMap { PostgreSQLTime.stored($0) }.sorted())
            for date in dates {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Album")
                request.predicate = NSPredicate(
                    format: "released == %@", Date(timeIntervalSinceReferenceDate: date) as NSDate)
                #expect(try other.count(for: request) >= 1, "\(date)")
            }
        }
    }
}
