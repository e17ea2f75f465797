import CoreData
import Testing

@Suite("Decimal attributes")
struct DecimalTests {
    @Test("salaries can be put into a set, as they were set, loaded, and in dictionaries")
    func inSets() throws {
        let stack = try Stack(LeagueModel.make())
        try stack.work { context throws in
            let players = ["1.50", "2.25", "1.5"].map { (text: String) in
                context.insert("Player", ["name": text, "salary": NSDecimalNumber(string: text)])
            }
            func salaries(_ players: [NSManagedObject]) -> Set<NSDecimalNumber> {
                Set(players.compactMap { $0.value(forKey: "salary") as? NSDecimalNumber })
            }
            let expected = [NSNumber(value: 1.5), NSNumber(value: 2.25)]
            #expect(salaries(players).sorted { $0.doubleValue < $1.doubleValue } == expected)
            try context.save()
            context.reset()
            #expect(salaries(try context.all("Player")).sorted { $0.doubleValue < $1.doubleValue } == expected)

            let request = NSFetchRequest<NSDictionary>(entityName: "Player")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["salary"]
            #expect(Set(try context.fetch(request).compactMap { $0["salary"] as? NSNumber }).count == 2)
        }
    }

    @Test("a decimal default can be put into a set, however the model gives it")
    func defaults() throws {
        for value in [NSDecimalNumber(string: "1.5"), Decimal(string: "1.5")!, NSNumber(value: 1.5)] as [Any] {
            let salary = attribute("salary", .decimalAttributeType, default: value)
            let stack = try Stack(model(entity("Player", [salary])))
            try stack.work { context throws in
                let player = context.insert("Player")
                #expect(Set([try #require(player.value(forKey: "salary") as? NSDecimalNumber)]).count == 1)
                let described = try #require(player.entity.attributesByName["salary"]?.defaultValue as? NSNumber)
                #expect(Set([described]) == [NSNumber(value: 1.5)])
            }
        }
    }
}
