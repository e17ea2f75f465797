import Foundation
import Testing

@testable import LeagueService

@Suite("Lists and objects")
struct ResourceTests {
    @Test("A player is made, read, changed and deleted", arguments: TestedStore.allCases)
    func life(of kind: TestedStore) async throws {
        try await withService(kind) { client in
            let team = try await client.team()
            let salary = try #require(Decimal(string: "35061026.21"))
            let made = try await client.send(
                .post, "/players",
                [
                    "firstName": "Anders", "lastName": "Lindqvist", "salary": .number(salary),
                    "dateOfBirth": "1999-12-31",
                    "email": "anders@anchors.example", "team": team["id"],
                ])
            #expect(made.status == 201)
            let path = try #require(made.headers[.location])
            #expect(path == "/players/\(made.json["id"].text)")

            let read = try await client.send(.get, path)
            #expect(read.json == made.json)
            #expect(read.headers[.eTag] == "\"\(read.json["version"].text)\"")
            #expect(read.json["salary"] == .number(salary))
            #expect(read.json["dateOfBirth"] == "1999-12-31")
            #expect(read.json["team"]["title"] == "Boston Celtics")

            let changed = try await client.send(
                .patch, path, ["email": nil, "lastName": "Lind"], version: read.json["version"].text)
            #expect(changed.status == 200)
            #expect(changed.json["email"] == .null)
            #expect(changed.json["lastName"] == "Lind")
            #expect(changed.json["salary"] == .number(salary))
            #expect(changed.json["version"] != read.json["version"])

            let deleted = try await client.send(.delete, path, version: changed.json["version"].text)
            #expect(deleted.status == 204)
            #expect(try await client.send(.get, path).status == 404)
        }
    }

    @Test("Relationships are set from the side that owns them, and read from both", arguments: TestedStore.allCases)
    func relationships(_ kind: TestedStore) async throws {
        try await withService(kind) { client in
            let celtics = try await client.team()
            let cranes = try await client.team("Kyoto Cranes")
            let coach = try await client.make("coaches", ["name": "Lena Hart", "seasons": 3, "team": celtics["id"]])
            let player = try await client.player("Dwyane", "Wade", in: celtics)
            let teamPath = "/teams/\(celtics["id"].text)"
            #expect(try await client.get(teamPath)["coach"]["title"] == "Lena Hart")
            #expect(try await client.get(teamPath)["players"].list.map { $0["title"] } == ["Dwyane Wade"])

            let moved = try await client.send(
                .patch, "/players/\(player["id"].text)",
                ["team": cranes["id"], "favourites": [celtics["id"], cranes["id"]]], version: player["version"].text)
            #expect(moved.json["favourites"].list.map { $0["title"] } == ["Boston Celtics", "Kyoto Cranes"])
            #expect(try await client.get(teamPath)["players"] == [])
            #expect(try await client.get(coachPath(coach))["team"]["id"] == celtics["id"])

            // A team has one coach: the other side follows.
            let cranesNow = try await client.get("/teams/\(cranes["id"].text)")
            let answer = try await client.send(
                .patch, "/teams/\(cranes["id"].text)", ["coach": coach["id"]], version: cranesNow["version"].text)
            #expect(answer.status == 200)
            #expect(try await client.get(coachPath(coach))["team"]["id"] == cranes["id"])
            #expect(try await client.get(teamPath)["coach"] == .null)
        }
    }

    private func coachPath(_ coach: JSON) -> String { "/coaches/\(coach["id"].text)" }

    @Test("A list is searched, and limited to a team", arguments: TestedStore.allCases)
    func search(_ kind: TestedStore) async throws {
        try await withService(kind) { client in
            let celtics = try await client.team()
            let cranes = try await client.team("Kyoto Cranes")
            try await client.player("Zoë", "Yamada", in: celtics)
            try await client.player("Amara", "Kimura", in: cranes)
            try await client.player("Zoe", "Abara", in: cranes)
            #expect(try await names(client, "search=zoe") == ["Abara", "Yamada"])
            #expect(try await names(client, "team=\(cranes["id"].text)") == ["Abara", "Kimura"])
            #expect(try await names(client, "team=\(cranes["id"].text)&search=ZOE") == ["Abara"])
            #expect(try await names(client, "search=%25") == [])
            #expect(try await names(client, "search=%27%20OR%201%3D1") == [])
            #expect(try await names(client, "search=a%00") == [])
        }
    }

    private func names(_ client: ServiceClient, _ query: String) async throws -> [JSON] {
        try await client.get("/players?\(query)")["items"].list.map { $0["lastName"] }
    }

    @Test("What one process saves, another one reads at once", arguments: TestedStore.allCases)
    func freshness(_ kind: TestedStore) async throws {
        let place = try TestedPlace(kind)
        try await withService(at: place) { first in
            try await withService(at: place) { second in
                let team = try await first.team()
                let path = "/teams/\(team["id"].text)"
                var version = team["version"].text
                for number in 1...20 {
                    let (writer, reader) = number.isMultiple(of: 2) ? (first, second) : (second, first)
                    let answer = try await writer.send(
                        .patch, path, ["name": .text("Name \(number)")], version: version)
                    try #require(answer.status == 200, "\(answer.json)")
                    version = answer.json["version"].text
                    #expect(try await reader.get(path)["name"].text == "Name \(number)")
                }
            }
        }
    }
}
