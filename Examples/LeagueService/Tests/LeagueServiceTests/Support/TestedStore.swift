import CoreData
import CoreDataPostgreSQL
import Foundation
import HummingbirdTesting
import Logging
import PostgreSQLServer

@testable import LeagueService

/// The kinds of stores that tests use.
enum TestedStore: String, CaseIterable, Sendable {
    case sqlite, postgresql

    /// Those that keep history, as a new store of each kind says.
    static let withHistory: [TestedStore] = allCases.filter { kind in
        guard let place = try? TestedPlace(kind), let location = try? StoreLocation(place.text),
            let store = try? LeagueStore(at: location, poolSize: 2, author: "test")
        else { return true }
        defer { try? store.close() }
        return store.container.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil) != nil
    }
}

/// The place of a new store: a file in a folder of its own, or a database. The folder goes with it.
final class TestedPlace: Sendable {
    /// What `--store` takes.
    let text: String
    private let folder: URL?

    init(_ kind: TestedStore) throws {
        switch kind {
        case .sqlite:
            let folder = FileManager.default.temporaryDirectory.appending(path: "league-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            self.folder = folder
            text = folder.appending(path: "League.sqlite").path
        case .postgresql:
            folder = nil
            text = try PostgreSQLServer.shared.newDatabase()
        }
    }

    deinit { if let folder { try? FileManager.default.removeItem(at: folder) } }

    /// A service on the store.
    func service(_ configuration: LeagueApplication.Configuration = .init()) throws -> LeagueApplication {
        var configuration = configuration
        // Many tests share a server, which has a limit of connections.
        configuration.poolSize = 3
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return try LeagueApplication(store: StoreLocation(text), configuration: configuration, logger: logger)
    }
}

/// Runs `body` with a client of a service on a new store.
func withService(
    _ kind: TestedStore, _ setup: TestingSetup = .router,
    _ configuration: LeagueApplication.Configuration = .init(),
    _ body: @escaping @Sendable (ServiceClient) async throws -> Void
) async throws {
    try await withService(at: TestedPlace(kind), setup, configuration, body)
}

/// Runs `body` with a client of a service on a store.
func withService(
    at place: TestedPlace, _ setup: TestingSetup = .router,
    _ configuration: LeagueApplication.Configuration = .init(),
    _ body: @escaping @Sendable (ServiceClient) async throws -> Void
) async throws {
    let service = try place.service(configuration)
    try await service.application().test(setup) { client in
        try await body(ServiceClient(client: client, service: service))
    }
    try service.store.close()
}
