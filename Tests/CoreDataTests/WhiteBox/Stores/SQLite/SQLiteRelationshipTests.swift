import Foundation
import RandomSeeds
import Testing

@testable import CoreData

@Suite struct SQLiteRelationshipTests {
    private let folder: StoreFolder
    private let under: StoreUnderTest

    init() throws {
        folder = try StoreFolder()
        under = try StoreUnderTest(folder.file("League.sqlite"))
    }

    private func insertPeople(_ count: Int, _ entity: String = "Player") throws -> [ObjectReference] {
        let people = try (0..<count).map { _ in try under.newReference(entity) }
        try under.save(inserts: people.map { under.change($0, nil, ["name": .string("p\($0.key)")]) })
        return people
    }

    // MARK: One-to-many

    @Test func anOrderedOneToManyKeepsItsOrderWithApplesSortKeys() throws {
        let team = try under.newReference("Team")
        let players = try (0..<3).map { _ in try under.newReference("Player") }
        let order = [players[2], players[0], players[1]]
        let rows = try under.save(
            inserts: [
                under.change(team, members: [under.members("Team", "players", added: players, order: order)])
            ] + players.map { under.change($0, nil, ["team": .reference(team)]) })
        #expect(try under.memberKeys("Team", "players", of: team) == order.map(\.key))
        #expect(try under.integer("SELECT Z_FOK_TEAM FROM ZPERSON WHERE Z_PK = \(players[2].key)") == 2048)
        #expect(try under.integer("SELECT Z_FOK_TEAM FROM ZPERSON WHERE Z_PK = \(players[1].key)") == 4096)

        // One more goes midway, and no other key changes.
        let late = try under.newReference("Player")
        let longer = [order[0], late, order[1], order[2]]
        try under.save(
            inserts: [under.change(late, nil, ["team": .reference(team)])],
            updates: [
                under.change(team, rows[0], members: [under.members("Team", "players", added: [late], order: longer)])
            ])
        #expect(try under.memberKeys("Team", "players", of: team) == longer.map(\.key))
        #expect(try under.integer("SELECT Z_FOK_TEAM FROM ZPERSON WHERE Z_PK = \(late.key)") == 2560)
    }

    @Test func aMemberThatLeavesLosesItsSortKey() throws {
        let team = try under.newReference("Team")
        let player = try under.newReference("Player")
        let rows = try under.save(inserts: [
            under.change(team, members: [under.members("Team", "players", added: [player], order: [player])]),
            under.change(player, nil, ["team": .reference(team)]),
        ])
        try under.save(updates: [
            under.change(team, rows[0], members: [under.members("Team", "players", removed: [player], order: [])]),
            under.change(player, rows[1], ["team": .null]),
        ])
        #expect(try under.integer("SELECT count(*) FROM ZPERSON WHERE Z_FOK_TEAM IS NOT NULL") == 0)
        #expect(try under.memberKeys("Team", "players", of: team).isEmpty)
    }

    @Test func aToOneToAnEntityWithSubentitiesKeepsTheExactOne() throws {
        let coach = try insertPeople(1, "Coach")[0]
        let note = try under.newReference("Note")
        try under.save(inserts: [under.change(note, nil, ["author": .reference(coach)])])
        let row = try #require(try under.row(note))
        #expect(row.reference(under.slot("Note", "author").cell, store: 0) == coach)
        #expect(try under.memberKeys("Coach", "notes", of: coach) == [note.key])
    }

    // MARK: Many-to-many

    @Test func aManyToManyReadsFromBothSidesAndKeepsTheOrderOfTheOrderedOne() throws {
        let coaches = try insertPeople(3, "Coach")
        let player = try insertPeople(1)[0]
        let order = [coaches[1], coaches[2], coaches[0]]
        let row = try #require(try under.row(player))
        let coachRows = try coaches.map { try #require(try under.row($0)) }
        let updated = try under.save(
            updates: [
                under.change(
                    player, row, members: [under.members("Player", "favourites", added: coaches, order: order)])
            ]
                + zip(coaches, coachRows).map {
                    under.change($0, $1, members: [under.members("Coach", "fans", added: [player])])
                })
        #expect(try under.memberKeys("Player", "favourites", of: player) == order.map(\.key))
        for coach in coaches { #expect(try under.memberKeys("Coach", "fans", of: coach) == [player.key]) }
        #expect(try under.store.members(of: player, slot: under.slot("Player", "favourites")) == order)

        try under.save(deletes: [under.change(coaches[2], updated[3])])
        #expect(try under.memberKeys("Player", "favourites", of: player) == [coaches[1].key, coaches[0].key])
        let table = try #require(under.store.schema.joinTables.first { $0.name.hasSuffix("FANS") })
        #expect(try under.integer("SELECT count(*) FROM \(table.name)") == 2)
    }

    @Test func aRelationshipThatIsItsOwnInverseHoldsBothWays() throws {
        let people = try insertPeople(3)
        let rows = try people.map { try #require(try under.row($0)) }
        try under.save(updates: [
            under.change(
                people[0], rows[0], members: [under.members("Player", "cousins", added: [people[1], people[2]])]),
            under.change(people[1], rows[1], members: [under.members("Player", "cousins", added: [people[0]])]),
            under.change(people[2], rows[2], members: [under.members("Player", "cousins", added: [people[0]])]),
        ])
        #expect(try under.memberKeys("Player", "cousins", of: people[0]) == [people[1].key, people[2].key])
        #expect(try under.memberKeys("Player", "cousins", of: people[1]) == [people[0].key])
        let current = try #require(try under.row(people[0]))
        try under.save(deletes: [under.change(people[0], current)])
        #expect(try under.memberKeys("Player", "cousins", of: people[2]).isEmpty)
    }

    // MARK: Without inverse

    @Test func aToManyWithoutInverseIsHeldByItsMembersRows() throws {
        let tags = try (0..<2).map { _ in try under.newReference("Tag") }
        let notes = try (0..<2).map { _ in try under.newReference("Note") }
        let rows = try under.save(
            inserts: notes.map {
                under.change($0, members: $0 == notes[0] ? [under.members("Note", "tags", added: tags)] : [])
            } + tags.map { under.change($0) })
        #expect(try under.memberKeys("Note", "tags", of: notes[0]) == tags.map(\.key))
        // A member moves to another owner.
        try under.save(updates: [
            under.change(notes[0], rows[0], members: [under.members("Note", "tags", removed: [tags[0]])]),
            under.change(notes[1], rows[1], members: [under.members("Note", "tags", added: [tags[0]])]),
        ])
        #expect(try under.memberKeys("Note", "tags", of: notes[0]) == [tags[1].key])
        #expect(try under.memberKeys("Note", "tags", of: notes[1]) == [tags[0].key])
        try under.save(deletes: [under.change(notes[1], try under.row(notes[1]))])
        #expect(try under.integer("SELECT count(*) FROM ZTAG") == 2)
        #expect(try under.memberKeys("Note", "tags", of: notes[1]).isEmpty)
    }

    @Test func changedMembersAloneCountTheOwnersVersion() throws {
        let note = try under.newReference("Note")
        let tag = try under.newReference("Tag")
        let row = try under.save(inserts: [under.change(note), under.change(tag)])[0]
        let new = try under.save(updates: [
            under.change(note, row, members: [under.members("Note", "tags", added: [tag])])
        ])[0]
        #expect(new.version == 2)
    }

    // MARK: Sort keys

    @Test(arguments: 0..<50)
    func randomOrdersKeepWhatTheyCan(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var keyed: [(id: Int, key: Int64)] = []
        var next = 0
        for _ in 0..<60 {
            var order = keyed.map { (id: $0.id, key: Optional($0.key)) }
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where !order.isEmpty: order.remove(at: Int.random(in: order.indices, using: &random))
            case 1 where order.count > 1:
                order.insert(
                    order.remove(at: Int.random(in: order.indices, using: &random)),
                    at: Int.random(in: 0..<order.count, using: &random))
            case 2: order.shuffle(using: &random)
            default:
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    order.insert((next, nil), at: Int.random(in: 0...order.count, using: &random))
                    next += 1
                }
            }
            let keys = SortKeys.arranged(order.map(\.key))
            #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed): \(keys)")
            #expect(keys.allSatisfy { $0 > 0 }, "seed \(seed)")
            keyed = zip(order, keys).map { ($0.id, $1) }
        }
    }

    @Test func sortKeysAreGivenAnewWhereThereIsNoRoom() {
        #expect(SortKeys.arranged([2048, nil, 2049]) == [2048, 3072, 4096])
        #expect(SortKeys.arranged([nil, nil, nil]) == [2048, 3072, 4096])
        #expect(SortKeys.arranged([2048, 3072, nil]) == [2048, 3072, 4096])
        #expect(SortKeys.arranged([nil, 2048]) == [1024, 2048])
        #expect(SortKeys.arranged([3072, 2048, 4096]).sorted() == SortKeys.arranged([3072, 2048, 4096]))
    }
}
