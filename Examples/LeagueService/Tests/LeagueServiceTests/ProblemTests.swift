import Foundation
import HTTPTypes
import Testing

@testable import LeagueService

@Suite("Problem documents")
struct ProblemTests {
    @Test("Each broken rule is an entry, and nothing is saved", arguments: TestedStore.allCases)
    func rules(_ kind: TestedStore) async throws {
        try await withService(kind) { client in
            let answer = try await client.send(
                .post, "/players",
                ["firstName": "", "email": "ada at home", "salary": -1, "dateOfBirth": "2001-02-31", "height": 180])
            #expect(answer.status == 422)
            #expect(answer.headers[.contentType] == "application/problem+json")
            #expect(answer.json["status"] == 422)
            #expect(answer.json["type"] == "/problems.html#invalid")
            #expect(
                answer.properties.sorted()
                    == ["dateOfBirth", "email", "firstName", "height", "lastName", "salary", "team"])
            #expect(try await client.get("/players")["items"] == [])
        }
    }

    @Test(
        "Values of wrong types are told by property", .serialized,
        arguments: [
            (["name": 3], "name"), (["name": nil], "name"), (["name": ["a"]], "name"), (["name": ["a": 1]], "name"),
            (["name": true], "name"), (["name": "A\u{0}"], "name"), (["name": "A", "coach": "x"], "coach"),
            (["name": "A", "coach": 1], "coach"), (["name": "A", "id": "x"], "id"),
            (["name": "A", "players": []], "players"),
            (["name": "A", "coach": "2F4C0E9C-70CE-4B24-9F0C-2F5B3C2A7C11"], "coach"), (["name": "A", "": 1], ""),
            (["name": .text(String(repeating: "x", count: 101))], "name"),
        ] as [(JSON, String)])
    func types(_ body: JSON, _ property: String) async throws {
        for kind in TestedStore.allCases {
            try await withService(kind) { client in
                let answer = try await client.send(.post, "/teams", body)
                #expect(answer.status == 422)
                #expect(answer.properties == [property], "\(answer.json)")
            }
        }
    }

    @Test("Numbers that do not fit are told", arguments: TestedStore.allCases)
    func numbers(_ kind: TestedStore) async throws {
        try await withService(kind) { client in
            for number in ["1.5", "40000", "-1", "1e300", "1e999999", "99999999999999999999"] {
                let body = Data(#"{"name": "Lena", "seasons": \#(number)}"#.utf8)
                let answer = try await client.send(.post, "/coaches", bytes: body, [.contentType: "application/json"])
                #expect(answer.status == 422 || answer.status == 400, "\(number): \(answer.json)")
            }
        }
    }

    @Test("A value that is unique is taken", arguments: TestedStore.allCases)
    func unique(_ kind: TestedStore) async throws {
        try await withService(kind) { client in
            _ = try await client.team("Cranes")
            let answer = try await client.send(.post, "/teams", ["name": "Cranes"])
            #expect(answer.status == 409)
            #expect(answer.properties == ["name"])
            let other = try await client.team("Anchors")
            let renamed = try await client.send(
                .patch, "/teams/\(other["id"].text)", ["name": "Cranes"], version: other["version"].text)
            #expect(renamed.status == 409)
            #expect(renamed.properties == ["name"])
        }
    }

    /// A request that is refused before the store is asked.
    struct BadRequest: Sendable, CustomTestStringConvertible {
        let method: HTTPRequest.Method
        let path: String
        let status: Int
        var body: String?
        var type = "application/json"

        var testDescription: String { "\(method) \(path) \(body ?? "")" }
    }

    @Test(
        "A request that can't be understood is refused",
        arguments: [
            BadRequest(method: .get, path: "/nothing", status: 404),
            BadRequest(method: .get, path: "/../etc/passwd", status: 404),
            BadRequest(method: .get, path: "/teams/1", status: 404),
            BadRequest(method: .get, path: "/teams/2F4C0E9C-70CE-4B24-9F0C-2F5B3C2A7C11", status: 404),
            BadRequest(method: .get, path: "/teams/%00", status: 404),
            BadRequest(method: .put, path: "/teams", status: 405),
            BadRequest(method: .post, path: "/teams/2F4C0E9C-70CE-4B24-9F0C-2F5B3C2A7C11", status: 405),
            BadRequest(method: .get, path: "/teams?limit=0", status: 400),
            BadRequest(method: .get, path: "/teams?limit=101", status: 400),
            BadRequest(method: .get, path: "/teams?limit=x", status: 400),
            BadRequest(method: .get, path: "/teams?limit=1&limit=2", status: 400),
            BadRequest(method: .get, path: "/teams?offset=2", status: 400),
            BadRequest(method: .get, path: "/teams?after=x", status: 400),
            BadRequest(method: .get, path: "/teams?after=WyJhIiwiYiJd", status: 400),
            BadRequest(method: .get, path: "/players?after=WyJhIl0", status: 400),
            BadRequest(method: .get, path: "/teams?team=2F4C0E9C-70CE-4B24-9F0C-2F5B3C2A7C11", status: 400),
            BadRequest(method: .get, path: "/players?team=x", status: 400),
            BadRequest(method: .post, path: "/teams", status: 400, body: ""),
            BadRequest(method: .post, path: "/teams", status: 400, body: "{"),
            BadRequest(method: .post, path: "/teams", status: 400, body: "[]"),
            BadRequest(method: .post, path: "/teams", status: 400, body: "null"),
            BadRequest(method: .post, path: "/teams", status: 400, body: #"{"name": NaN}"#),
            BadRequest(method: .post, path: "/teams", status: 400, body: #"{"name": "\ud800"}"#),
            BadRequest(method: .post, path: "/teams", status: 400, body: String(repeating: "[", count: 30_000)),
            BadRequest(method: .post, path: "/teams", status: 413, body: String(repeating: " ", count: 70_000)),
            BadRequest(
                method: .post, path: "/teams", status: 415, body: "name=A", type: "application/x-www-form-urlencoded"),
        ])
    func refusals(_ bad: BadRequest) async throws {
        try await withService(.sqlite) { client in
            let answer = try await client.send(
                bad.method, bad.path, bytes: bad.body.map { Data($0.utf8) },
                bad.body == nil ? [:] : [.contentType: bad.type])
            #expect(answer.status == bad.status, "\(answer.text)")
            #expect(answer.headers[.contentType] == "application/problem+json")
            #expect(answer.json["title"] != .null)
            #expect(answer.json["detail"] != .null)
        }
    }

    @Test("Whatever bytes come, the answer is no failure of the service", arguments: TestedStore.allCases)
    func randomBytes(_ kind: TestedStore) async throws {
        try await withService(kind) { client in
            let team = try await client.team()
            var generator = SystemRandomNumberGenerator()
            let sample = Array(
                #"{"firstName":"Ada","lastName":"L","salary":1.5,"dateOfBirth":"2001-02-03","team":"\#(team["id"].text)","favourites":[]}"#
                    .utf8)
            for _ in 0..<300 {
                var bytes = sample
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let index = Int.random(in: 0..<bytes.count, using: &generator)
                    switch Int.random(in: 0..<3, using: &generator) {
                    case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                    case 1: bytes.remove(at: index)
                    default: bytes.insert(UInt8.random(in: 0...127, using: &generator), at: index)
                    }
                }
                let answer = try await client.send(
                    .post, "/players", bytes: Data(bytes), [.contentType: "application/json"])
                #expect(answer.status < 500, "\(String(decoding: bytes, as: UTF8.self)): \(answer.text)")
            }
        }
    }
}
