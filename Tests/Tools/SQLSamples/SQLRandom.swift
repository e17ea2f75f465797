import CoreData
import RandomSeeds

/// A value in memory and in a row.
package struct SQLTestValue {
    package let object: Any?
    package let stored: SQLValue

    package static var null: SQLTestValue { SQLTestValue(object: nil, stored: .null) }
    package static func string(_ text: String) -> SQLTestValue { SQLTestValue(object: text, stored: .text(text)) }
    package static func int(_ value: Int) -> SQLTestValue {
        SQLTestValue(object: NSNumber(value: value), stored: .int(Int64(value)))
    }
    package static func double(_ value: Double) -> SQLTestValue {
        SQLTestValue(object: NSNumber(value: value), stored: .double(value))
    }
    package static func date(_ seconds: Double) -> SQLTestValue {
        SQLTestValue(object: Date(timeIntervalSinceReferenceDate: seconds), stored: .double(seconds))
    }
}

/// Random numbers, and what the tests of SQL choose by them.
package struct SQLRandom: RandomNumberGenerator {
    private var numbers: SeededGenerator

    package init(seed: UInt64) { numbers = SeededGenerator(seed: seed) }

    package mutating func next() -> UInt64 { numbers.next() }

    package mutating func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &self) < probability }

    package mutating func one<T>(_ choices: [T]) -> T { choices[Int.random(in: choices.indices, using: &self)] }

    /// One of the choices, or none.
    package mutating func maybe<T>(_ choices: [T]) -> T? { chance(0.25) ? nil : one(choices) }

    package static let texts = [
        "", "a", "A", "b", "ab", "Ab", "abc", "é", "e", "É", "ß", "ss", "a%b", "a_b", "a*", "'", "\u{1F600}x",
    ]

    package mutating func text() -> SQLTestValue { maybe(Self.texts).map { .string($0) } ?? .null }
    package mutating func int() -> SQLTestValue { maybe(Array(-2...5)).map { .int($0) } ?? .null }
    package mutating func double() -> SQLTestValue { maybe([-1.5, 0, 0.1, 0.5, 2, 3.25]).map { .double($0) } ?? .null }
    /// Numbers that have the same sum in any order.
    package mutating func summand() -> SQLTestValue {
        maybe([-1.5, 0, 0.125, 0.5, 2, 3.25]).map { .double($0) } ?? .null
    }

    package mutating func team() -> [String: SQLTestValue] {
        ["name": text(), "city": text(), "rank": int(), "address.street": text(), "address.zip": int()]
    }

    package mutating func person(isPlayer: Bool) -> [String: SQLTestValue] {
        var values = [
            "name": text(), "age": int(), "active": maybe([0, 1]).map { .int($0) } ?? .null,
            "born": maybe([-5.5, 0, 86_400.25]).map { .date($0) } ?? .null,
        ]
        if isPlayer {
            values["salary"] = summand()
            values["price"] = maybe(["0", "1.5", "10", "2.25"]).map { text in
                SQLTestValue(object: NSDecimalNumber(string: text), stored: .double(Double(text) ?? 0))
            }
            values["rating"] = double()
        }
        return values
    }
}
