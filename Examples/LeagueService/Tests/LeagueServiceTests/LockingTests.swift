import Foundation
import Testing

@testable import LeagueService

@Suite("Several writers")
struct LockingTests {
    @Test("A change says which version it has read", arguments: TestedStore.allCases)
    func preconditions(_ kind: TestedStore) async throws {
        try await withService(kind) { client in
            let team = try await client.team()
            let path = "/teams/\(team["id"].text)"
            #expect(try await client.send(.patch, path, ["name": "A"]).status == 428)
            #expect(try await client.send(.delete, path).status == 428)
            #expect(try await client.send(.patch, path, ["name": "A"], version: team["version"].text).status == 200)
            let late = try await client.send(.patch, path, ["name": "B"], version: team["version"].text)
            #expect(late.status == 412)
            #expect(late.json["type"] == "/problems.html#changed")
            #expect(try await client.send(.delete, path, version: team["version"].text).status == 412)
            #expect(try await client.get(path)["name"] == "A")
            #expect(try await client.send(.patch, path, ["name": "C"], version: "*").status == 200)
        }
    }

    @Test("Of several changes to one version, one is saved", arguments: TestedStore.allCases)
    func concurrentChanges(_ kind: TestedStore) async throws {
        let place = try TestedPlace(kind)
        try await withService(at: place) { first in
            try await withService(at: place) { second in
                let team = try await first.team()
                for round in 0..<5 {
                    let path = "/teams/\(team["id"].text)"
                    let version = try await first.get(path)["version"].text
                    let statuses = try await statuses(of: 10) { number in
                        try await (number.isMultiple(of: 2) ? first : second).send(
                            .patch, path, ["uniformColor": .text("Colour \(round) \(number)")], version: version)
                    }
                    #expect(statuses == [200] + Array(repeating: 412, count: 9))
                }
            }
        }
    }

    @Test("A team gets no more players than it may have", arguments: TestedStore.allCases)
    func fullTeam(_ kind: TestedStore) async throws {
        let place = try TestedPlace(kind)
        try await withService(at: place) { first in
            try await withService(at: place) { second in
                let team = try await first.team()
                let statuses = try await statuses(of: 24) { number in
                    try await (number.isMultiple(of: 2) ? first : second).send(
                        .post, "/players",
                        ["firstName": "P", "lastName": .text("\(number)"), "team": team["id"]])
                }
                // Writers that met too often may try again: they are told.
                #expect(Set(statuses).isSubset(of: [201, 409, 422]))
                let members = try await first.get("/teams/\(team["id"].text)")["players"].list.count
                #expect(members == statuses.filter { $0 == 201 }.count)
                #expect(members <= 15)
                if members == 15 {
                    let more = try await first.send(
                        .post, "/players", ["firstName": "P", "lastName": "Late", "team": team["id"]])
                    #expect(more.status == 422)
                    #expect(more.properties == ["team"])
                }
            }
        }
    }

    @Test("Of several teams with one name, one is saved", arguments: TestedStore.allCases)
    func oneName(_ kind: TestedStore) async throws {
        let place = try TestedPlace(kind)
        try await withService(at: place) { first in
            try await withService(at: place) { second in
                for round in 0..<5 {
                    let statuses = try await statuses(of: 8) { number in
                        try await (number.isMultiple(of: 2) ? first : second).send(
                            .post, "/teams", ["name": .text("Team \(round)")])
                    }
                    #expect(statuses == [201] + Array(repeating: 409, count: 7))
                }
            }
        }
    }

    @Test(
        "A player that joins a team, and the deletion of the team, exclude each other", arguments: TestedStore.allCases)
    func deletionBesideInsertion(_ kind: TestedStore) async throws {
        let place = try TestedPlace(kind)
        try await withService(at: place) { first in
            try await withService(at: place) { second in
                for round in 0..<20 {
                    let team = try await first.team("Team \(round)")
                    let path = "/teams/\(team["id"].text)"
                    async let joining = first.send(
                        .post, "/players", ["firstName": "P", "lastName": .text("\(round)"), "team": team["id"]])
                    async let deleting = second.send(.delete, path, version: "*")
                    let (joined, deleted) = try await (joining, deleting)
                    if deleted.status == 204 {
                        #expect([409, 422].contains(joined.status), "\(joined.json)")
                    } else {
                        #expect(deleted.status == 409, "\(deleted.json)")
                        #expect(joined.status == 201, "\(joined.json)")
                        #expect(try await first.get("/players/\(joined.json["id"].text)")["team"]["id"] == team["id"])
                    }
                }
            }
        }
    }

    private func statuses(
        of count: Int, _ send: @escaping @Sendable (Int) async throws -> ServiceClient.Answer
    ) async throws -> [Int] {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<count { group.addTask { try await send(number).status } }
            return try await group.reduce(into: []) { $0.append($1) }.sorted()
        }
    }

    @Test(
        "A denied deletion names the relationship, and the rest follows the delete rules",
        arguments: TestedStore.allCases)
    func deleteRules(_ kind: TestedStore) async throws {
        try await withService(kind) { client in
            let team = try await client.team()
            let path = "/teams/\(team["id"].text)"
            let player = try await client.player("Dwyane", "Wade", in: team)
            let coach = try await client.make(
                "coaches", ["name": "Lena", "team": team["id"], "favourites": [team["id"]]])
            let denied = try await client.send(.delete, path, version: "*")
            #expect(denied.status == 409)
            #expect(denied.json["type"] == "/problems.html#denied")
            #expect(denied.properties == ["players"])
            _ = try await client.send(.delete, "/players/\(player["id"].text)", version: "*")
            #expect(try await client.send(.delete, path, version: "*").status == 204)
            let left = try await client.get("/coaches/\(coach["id"].text)")
            #expect(left["team"] == .null)
            #expect(left["favourites"] == [])
        }
    }
}
