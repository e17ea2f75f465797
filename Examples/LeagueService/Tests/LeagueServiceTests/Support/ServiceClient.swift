import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import LeagueService

/// Sends requests of JSON to a service.
struct ServiceClient: Sendable {
    let client: any TestClientProtocol
    let service: LeagueApplication

    /// The port of a live server.
    var port: Int { client.port ?? 0 }

    struct Answer: Sendable {
        let status: Int
        let headers: HTTPFields
        let json: JSON
        let text: String

        /// The properties that a problem document names.
        var properties: [String] { json["errors"].list.map { $0["property"].text } }
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil, version: String? = nil,
        headers: HTTPFields = [:]
    ) async throws -> Answer {
        var headers = headers
        if let version { headers[.ifMatch] = version == "*" ? "*" : "\"\(version)\"" }
        if body != nil { headers[.contentType] = "application/json" }
        return try await send(method, path, bytes: body?.data, headers)
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, bytes: Data?, _ headers: HTTPFields
    ) async throws -> Answer {
        try await client.execute(
            uri: path, method: method, headers: headers, body: bytes.map { ByteBuffer(bytes: $0) }
        ) { response in
            let data = Data(buffer: response.body)
            return Answer(
                status: response.status.code, headers: response.headers,
                json: (try? JSONDecoder().decode(JSON.self, from: data)) ?? .null,
                text: String(decoding: data, as: UTF8.self))
        }
    }

    func get(_ path: String) async throws -> JSON {
        let answer = try await send(.get, path)
        try #require(answer.status == 200, "\(path): \(answer.json)")
        return answer.json
    }

    @discardableResult
    func make(_ resource: String, _ values: JSON) async throws -> JSON {
        let answer = try await send(.post, "/\(resource)", values)
        try #require(answer.status == 201, "\(answer.json)")
        return answer.json
    }

    func team(_ name: String = "Boston Celtics") async throws -> JSON { try await make("teams", ["name": .text(name)]) }

    @discardableResult
    func player(_ first: String, _ last: String, in team: JSON) async throws -> JSON {
        try await make(
            "players", ["firstName": .text(first), "lastName": .text(last), "team": team["id"]])
    }
}

// MARK: - JSON, reached into by subscripts that give null where there is nothing

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
    public init(arrayLiteral elements: JSON...) { self = .list(elements) }
    public init(integerLiteral value: Int) { self = .number(Decimal(value)) }
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    public init(nilLiteral: ()) { self = .null }

    subscript(key: String) -> JSON { if case .object(let members) = self { members[key] ?? .null } else { .null } }
    subscript(index: Int) -> JSON { list.indices.contains(index) ? list[index] : .null }

    var text: String { if case .text(let text) = self { text } else { "" } }
    var list: [JSON] { if case .list(let elements) = self { elements } else { [] } }
    var path: String { self["href"].text }
}
