import Foundation
import Testing

@testable import LeagueService

@Suite("Pages of a list")
struct PagingTests {
    @Test(
        "All pages together have each object once, in order, whatever names are equal", arguments: TestedStore.allCases)
    func pages(_ kind: TestedStore) async throws {
        try await withService(kind) { client in
            // Many equal names, and some that sort beside each other in few of the orders that texts have.
            let names = ["Wade", "wade", "Wáde", "Wade ", "W", "Über", "O'Neal", "50%", "a_b", "李"]
            for team in 0..<3 {
                let team = try await client.team("Team \(team)")
                for number in 0..<14 { try await client.player("Ada", names[number % names.count], in: team) }
            }
            for limit in [1, 4, 7, 41, 42, 100] {
                let items = try await all(client, "/players?limit=\(limit)")
                #expect(items.count == 42)
                #expect(Set(items.map { $0["id"] }).count == 42)
                let keys = items.map { Array($0["lastName"].text.utf8).map(Int.init) }
                #expect(zip(keys, keys.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) })
            }
        }
    }

    private func all(_ client: ServiceClient, _ path: String) async throws -> [JSON] {
        var items: [JSON] = []
        var next = path
        while !next.isEmpty {
            let page = try await client.get(next)
            items += page["items"].list
            next = page["next"].text
        }
        return items
    }

    @Test("A page misses nothing when objects of earlier pages go", arguments: TestedStore.allCases)
    func deletedBetween(_ kind: TestedStore) async throws {
        try await withService(kind) { client in
            let team = try await client.team()
            for number in 10..<22 { try await client.player("P", "\(number)", in: team) }
            let first = try await client.get("/players?limit=4")
            for item in first["items"].list {
                _ = try await client.send(.delete, "/players/\(item["id"].text)", version: "*")
            }
            let second = try await client.get(first["next"].text)
            #expect(second["items"].list.map { $0["lastName"] } == ["14", "15", "16", "17"])
        }
    }

    @Test("The next page keeps the search, and stands in the header Link, too", arguments: TestedStore.allCases)
    func link(_ kind: TestedStore) async throws {
        try await withService(kind) { client in
            for name in ["Ab", "Ac", "B", "Ad"] { _ = try await client.team(name) }
            let answer = try await client.send(.get, "/teams?search=a&limit=2")
            let next = answer.json["next"].text
            #expect(answer.headers[.init("Link")!] == "<\(next)>; rel=\"next\"")
            let rest = try await client.get(next)
            #expect(rest["items"].list.map { $0["name"] } == ["Ad"])
            #expect(rest["next"] == .null)
        }
    }
}
