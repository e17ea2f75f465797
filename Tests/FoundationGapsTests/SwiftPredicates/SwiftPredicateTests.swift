import FoundationGaps
import Testing

/// Every conversion selects the objects that Swift's own evaluation selects, and says it in the expected words.
@Suite struct SwiftPredicateTests {
    private func check(
        _ predicate: Predicate<Citizen>, _ format: String, location: SourceLocation = #_sourceLocation
    ) throws {
        let converted = try #require(NSPredicate(predicate), sourceLocation: location)
        #expect(converted.predicateFormat == format, sourceLocation: location)
        for citizen in sampleCitizens() {
            let wanted = try predicate.evaluate(citizen)
            #expect(converted.evaluate(with: citizen) == wanted, "\(citizen.name)", sourceLocation: location)
        }
    }

    @Test func equalityAndOrder() throws {
        try check(#Predicate { $0.name == "Bob" }, #"name == "Bob""#)
        try check(#Predicate { $0.name != "Bob" }, #"name != "Bob""#)
        try check(#Predicate { $0.nickname == nil }, "nickname == nil")
        try check(#Predicate { $0.nickname != "Annie" }, #"nickname != "Annie""#)
        try check(#Predicate { $0.age < 41 }, "age < 41")
        try check(#Predicate { $0.age <= 41 }, "age <= 41")
        try check(#Predicate { $0.age > 41 }, "age > 41")
        try check(#Predicate { $0.age >= 41 }, "age >= 41")
        let limit = 40
        try check(#Predicate { $0.age > limit }, "age > 40")
    }

    @Test func logic() throws {
        try check(
            #Predicate { $0.age > 20 && $0.isMember && $0.name == "Ann" },
            #"age > 20 AND isMember == 1 AND name == "Ann""#)
        try check(#Predicate { $0.age > 50 || !$0.isMember }, "age > 50 OR (NOT isMember == 1)")
        try check(#Predicate { ($0.age > 50) == false }, "NOT age > 50")
        try check(#Predicate { $0.isMember == true }, "isMember == 1")
        try check(#Predicate { _ in true }, "TRUEPREDICATE")
        try check(
            #Predicate { if $0.isMember { $0.age > 50 } else { $0.age < 20 } },
            "(isMember == 1 AND age > 50) OR ((NOT isMember == 1) AND age < 20)")
        try check(#Predicate { ($0.isMember ? 1 : 2) == 1 }, "TERNARY(isMember == 1, 1, 2) == 1")
    }

    @Test func arithmetic() throws {
        try check(#Predicate { $0.age + 1 == 42 }, "age + 1 == 42")
        try check(#Predicate { $0.age - 1 == 40 }, "age - 1 == 40")
        try check(#Predicate { $0.age * 2 > 60 }, "age * 2 > 60")
        try check(#Predicate { $0.age / 2 == 20 }, "age / 2 == 20")
        try check(#Predicate { $0.age % 2 == 1 }, "modulus:by:(age, 2) == 1")
        try check(#Predicate { $0.height / 2 < 0.85 }, "height / 2 < 0.85")
        try check(#Predicate { -$0.age == 0 - 17 }, "age * -1 == 0 - 17")
    }

    @Test func ranges() throws {
        try check(#Predicate { (17...41).contains($0.age) }, "age BETWEEN {17, 41}")
        try check(#Predicate { (17..<41).contains($0.age) }, "age >= 17 AND age < 41")
        let (closed, open, from, through, upTo) = (17...41, 17..<41, 41..., ...41, ..<41)
        try check(#Predicate { closed.contains($0.age) }, "age BETWEEN {17, 41}")
        try check(#Predicate { open.contains($0.age) }, "age >= 17 AND age < 41")
        try check(#Predicate { from.contains($0.age) }, "age >= 41")
        try check(#Predicate { through.contains($0.age) }, "age <= 41")
        try check(#Predicate { upTo.contains($0.age) }, "age < 41")
    }

    @Test func texts() throws {
        try check(#Predicate { $0.name.contains("o") }, #"name CONTAINS "o""#)
        try check(#Predicate { $0.name.starts(with: "A") }, #"name BEGINSWITH "A""#)
        try check(#Predicate { $0.name.localizedStandardContains("CLEO") }, #"name CONTAINS[cdl] "CLEO""#)
        try check(#Predicate { $0.name.isEmpty }, #"name == """#)
        try check(#Predicate { $0.name.count == 3 }, "length(name) == 3")
        let (same, less) = (ComparisonResult.orderedSame, ComparisonResult.orderedAscending)
        try check(#Predicate { $0.name.caseInsensitiveCompare("BOB") == same }, #"name ==[c] "BOB""#)
        try check(#Predicate { $0.name.caseInsensitiveCompare("BOB") != less }, #"NOT name <[c] "BOB""#)
        try check(#Predicate { $0.name.localizedCompare("Bob") == same }, #"name ==[l] "Bob""#)
    }

    @Test func regularExpressionsMatchAnywhere() throws {
        let predicate = #Predicate<Citizen> { $0.name.contains(#/[no]b|n+/#) }
        let converted = try #require(NSPredicate(predicate) as? NSComparisonPredicate)
        #expect(converted.predicateOperatorType == .matches)
        for citizen in sampleCitizens() {
            #expect(converted.evaluate(with: citizen) == (try predicate.evaluate(citizen)), "\(citizen.name)")
        }
    }

    @Test func optionals() throws {
        try check(
            #Predicate { $0.nickname?.contains("n") ?? false }, #"nickname != nil AND nickname CONTAINS "n""#)
        try check(
            #Predicate { $0.nickname?.contains("n") ?? true },
            #"(NOT nickname != nil) OR nickname CONTAINS "n""#)
        try check(#Predicate { $0.nickname?.isEmpty == true }, #"nickname != nil AND nickname == """#)
        try check(#Predicate { $0.nickname?.isEmpty != true }, #"NOT (nickname != nil AND nickname == "")"#)
        try check(
            #Predicate { ($0.nickname ?? $0.name) == "Bob" }, #"TERNARY(nickname != nil, nickname, name) == "Bob""#)
        try check(#Predicate { $0.boss?.name == "Ann" }, #"boss.name == "Ann""#)
        try check(#Predicate { $0.boss?.boss?.name == "Ann" }, #"boss.boss.name == "Ann""#)
        try check(#Predicate { $0.isRetired ?? false }, "isRetired != nil AND isRetired == 1")
        try check(
            #Predicate { if let nickname = $0.nickname { nickname == "Annie" } else { false } },
            #"nickname != nil AND nickname == "Annie""#)
        try check(#Predicate { $0.boss != nil && $0.boss!.age > 20 }, "boss != nil AND boss.age > 20")
        try check(#Predicate { $0.nickname?.count == 5 }, "TERNARY(nickname != nil, length(nickname), nil) == 5")
    }

    @Test func collections() throws {
        try check(#Predicate { $0.tags.contains("x") }, #"tags CONTAINS "x""#)
        let names = ["Ann", "Bob"]
        try check(#Predicate { names.contains($0.name) }, #"name IN {"Ann", "Bob"}"#)
        try check(#Predicate { $0.friends.isEmpty }, "friends.@count == 0")
        try check(#Predicate { $0.friends.count > 1 }, "friends.@count > 1")
        try check(
            #Predicate { $0.friends.contains { $0.age > 20 } },
            "SUBQUERY(friends, $element1, $element1.age > 20).@count > 0")
        try check(
            #Predicate { $0.friends.allSatisfy { $0.age > 20 } },
            "SUBQUERY(friends, $element1, NOT $element1.age > 20).@count == 0")
        try check(
            #Predicate { $0.friends.filter { $0.isMember }.count == 1 },
            "SUBQUERY(friends, $element1, $element1.isMember == 1).@count == 1")
        try check(#Predicate { $0.tags.first == "b" }, #"tags[FIRST] == "b""#)
        try check(#Predicate { $0.notes["k"] == 1 }, #"notes["k"] == 1"#)
        try check(#Predicate { $0.notes["k", default: 7] == 7 }, #"TERNARY(notes["k"] != nil, notes["k"], 7) == 7"#)
    }

    @Test func subqueriesSeeTheOuterObjectAndNest() throws {
        try check(
            #Predicate { citizen in citizen.friends.contains { $0.age > citizen.age } },
            "SUBQUERY(friends, $element1, $element1.age > age).@count > 0")
        try check(
            #Predicate { $0.friends.contains { $0.friends.contains { $0.name == "Ann" } } },
            #"SUBQUERY(friends, $element1, SUBQUERY($element1.friends, $element2, $element2.name == "Ann").@count > 0).@count > 0"#
        )
    }

    @Test func extremes() throws {
        let predicate = #Predicate<Citizen> { $0.scores.max() == 9 && $0.scores.min() == 3 }
        try check(predicate, "max(scores) == 9 AND min(scores) == 3")
    }

    @Test func types() throws {
        let converted = try #require(NSPredicate(#Predicate<NSObject> { $0 is Citizen }))
        #expect(converted.evaluate(with: Citizen("Ann")))
        #expect(!converted.evaluate(with: NSObject()))
    }

    @Test func objectsAndDatesAreConstants() throws {
        let citizens = sampleCitizens()
        let (ann, bob) = (citizens[0], citizens[1])
        let date = Date(timeIntervalSinceReferenceDate: -5)
        let predicate = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "boss"), rightExpression: NSExpression(forConstantValue: ann),
            modifier: .direct, type: .equalTo)
        #expect(predicate.evaluate(with: bob) && !predicate.evaluate(with: ann))
        try check(#Predicate { $0.born > date }, #"born > CAST(-5, "NSDate")"#)
    }

    @Test func whatTheFormatLanguageCannotSayGivesNil() {
        #expect(NSPredicate(#Predicate<Citizen> { $0.computed == 2 }) == nil)
        #expect(NSPredicate(#Predicate<Citizen> { $0.scores[0..<1].contains(3) }) == nil)
        #expect(NSPredicate(#Predicate<Citizen> { $0.tags.starts(with: ["a"]) }) == nil)
        let style = Style.bold
        #expect(NSPredicate(#Predicate<Citizen> { _ in style == style }) == nil)
    }

    @Test func aRegisteredResolverNamesComputedProperties() throws {
        KeyPathNames.register { $0 == \Citizen.born.timeIntervalSinceReferenceDate ? "seconds" : nil }
        KeyPathNames.register { $0 == \Date.timeIntervalSinceReferenceDate ? "timeIntervalSinceReferenceDate" : nil }
        try check(
            #Predicate { $0.born.timeIntervalSinceReferenceDate == 0 }, "born.timeIntervalSinceReferenceDate == 0")
    }

    @Test func expressionsConvertToo() throws {
        let expression = try #require(NSExpression(#Expression<Citizen, Int> { $0.age + 1 }))
        #expect(expression.description == "age + 1")
        #expect(expression.expressionValue(with: Citizen("Ann", age: 4), context: nil) as? Int == 5)
    }

    private enum Style: String, Codable { case bold }
}
