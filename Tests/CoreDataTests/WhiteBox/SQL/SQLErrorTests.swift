import Testing

@testable import CoreData

/// A request that SQL can't answer, and what its error says.
struct SQLRefusal: Sendable, CustomTestStringConvertible {
    let entity: String
    let format: String
    let part: String

    init(_ entity: String, _ format: String, _ part: String) {
        self.entity = entity
        self.format = format
        self.part = part
    }

    var testDescription: String { "\(entity): \(format)" }
}

@Suite("What SQL can't answer")
struct SQLErrorTests {
    @Test(
        "The error names the part that can't be answered",
        arguments: [
            SQLRefusal("Player", "height > 3", "keypath height not found in entity Player"),
            SQLRefusal("Player", "team.height > 3", "keypath team.height not found in entity Team"),
            SQLRefusal("Person", "salary > 3", "keypath salary not found in entity Person"),
            SQLRefusal("Player", "nickname == 'x'", "\"nickname\" is transient"),
            SQLRefusal("Player", "name.length > 3", "\"length\" follows a value"),
            SQLRefusal("Team", "players == nil", "to-many key not allowed here"),
            SQLRefusal("Team", "players.age > 3", "to-many key not allowed here"),
            SQLRefusal("Team", "players.@unionOfObjects.age CONTAINS 3", "@unionOfObjects is an operator"),
            SQLRefusal("Team", "players.@sum.name > 3", "adds up values of a string"),
            SQLRefusal("Team", "players.fans.@count > 3", "use SUBQUERY"),
            SQLRefusal("Team", "name.@count > 3", "@count needs a to-many relationship"),
            SQLRefusal("Team", "address == nil", "\"address\" is a composite attribute"),
            SQLRefusal("Team", "rank BETWEEN {1, 2, 3}", "two bounds"),
            SQLRefusal("Team", "rank == {1, 2}", "can stand right of IN and BETWEEN only"),
            SQLRefusal("Team", "rank CONTAINS 'x'", "works on strings, not on an integer"),
            SQLRefusal("Team", "rank == 'x'", "can't be compared with an integer"),
            SQLRefusal("Team", "name MATCHES '['", "MATCHES needs a regular expression"),
            SQLRefusal("Team", "median(players.age) > 3", "calls a function that only memory has"),
            SQLRefusal("Team", "FUNCTION(name, 'foo') == 3", "calls a function of its own"),
            SQLRefusal("Team", "players UNION players CONTAINS 3", "combines sets"),
            SQLRefusal("Team", "ANYKEY == 3", "means any key"),
            SQLRefusal("Team", "name == $missing", "the variable $missing has no value"),
            SQLRefusal("Player", "team < boss", "asks for the order of an object"),
            SQLRefusal("Player", "photo == name", "binary data that may be stored in a file"),
        ])
    func predicates(_ refusal: SQLRefusal) throws {
        let error = #expect(throws: (any Error).self) {
            try sqlQuery(refusal.entity, NSPredicate.parse(refusal.format))
        }
        #expect(
            (error as? NSError)?.localizedDescription.contains(refusal.part) == true, "\(String(describing: error))")
    }

    @Test("The errors have a Cocoa code")
    func code() throws {
        let error = #expect(throws: (any Error).self) { try sqlQuery("Team", NSPredicate(format: "height > 3")) }
        #expect((error as? NSError)?.domain == NSCocoaErrorDomain)
        #expect((error as? NSError)?.code == NSPersistentStoreUnsupportedRequestTypeError)
    }

    @Test("Blocks are refused, as predicates and as orders")
    func blocks() throws {
        let block = NSPredicate { _, _ in true }
        #expect(throws: (any Error).self) { try sqlQuery("Team", block) }
        #expect(throws: (any Error).self) {
            try sqlQuery("Team") {
                $0.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true) { _, _ in .orderedSame }]
            }
        }
    }

    @Test("An order that is none of strings is refused for other values, and keys that the store has not")
    func orders() throws {
        for descriptor in [
            NSSortDescriptor(key: "rank", ascending: true, selector: .localizedStandardCompare),
            NSSortDescriptor(key: "name", ascending: true, selector: Selector("compareWeirdly:")),
            NSSortDescriptor(key: "height", ascending: true), NSSortDescriptor(key: "players", ascending: true),
        ] {
            #expect(throws: (any Error).self) { try sqlQuery("Team") { $0.sortDescriptors = [descriptor] } }
        }
    }
}
