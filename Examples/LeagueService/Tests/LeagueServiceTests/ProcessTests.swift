import AsyncHTTPClient
import Foundation
import Testing

@testable import LeagueService

@Suite("Processes of the service", .timeLimit(.minutes(2)))
struct ProcessTests {
    @Test("What one process saves comes to the clients of another one", arguments: TestedStore.withHistory)
    func twoProcesses(_ kind: TestedStore) async throws {
        let place = try TestedPlace(kind)
        let (first, second) = (try ServiceProcess(place, author: "first"), try ServiceProcess(place, author: "second"))
        var events = try await EventReader(port: second.port)
        _ = try await events.next()
        for name in ["A", "B"] {
            try await make(name, at: first)
            let event = try await events.next()
            #expect(event?.data["author"] == "first")
            #expect(event?.changes.map { $0["object"]["name"] } == [.text(name)])
        }
        #expect(first.end(SIGTERM) == 0)
        #expect(second.end(SIGTERM) == 0)
    }

    @Test("A signal ends the process, also while clients listen", arguments: [SIGTERM, SIGINT])
    func shutdown(_ signal: Int32) async throws {
        let service = try ServiceProcess(TestedPlace(.sqlite))
        var events = try await EventReader(port: service.port)
        _ = try await events.next()
        let begin = ContinuousClock.now
        #expect(service.end(signal) == 0)
        #expect(ContinuousClock.now - begin < .seconds(5))
        #expect(try await events.next() == nil)
    }

    private func make(_ name: String, at service: ServiceProcess) async throws {
        var request = HTTPClientRequest(url: service.address + "teams")
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(JSON.object(["name": .text(name)]).data)
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(20))
        #expect(response.status == .created)
    }
}

extension EventReader.Event: Equatable {
    static func == (one: Self, other: Self) -> Bool { one.name == other.name && one.data == other.data }
}
