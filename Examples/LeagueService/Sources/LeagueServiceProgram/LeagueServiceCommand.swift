import ArgumentParser
import Foundation
import LeagueService
import Logging

/// `league-service`: serves a league over HTTP.
@main
struct LeagueServiceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "league-service", abstract: "Serves a league of teams, players and coaches over HTTP.",
        discussion: "It has no sign-in: put a proxy before it that has one, wherever others than you can reach it.")

    @Option(help: "The path of a file, or the URL of a PostgreSQL database: postgresql://user@host/database.")
    var store: String

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 for any that is free.")
    var port = 8080

    @Option(help: "How many requests use the store at the same time, and the most connections to the database.")
    var pool = 8

    @Option(help: "The name of this process in the store's history.")
    var author = "league-service"

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("A port is a number from 0 to 65535.") }
        guard (1...1_000).contains(pool) else { throw ValidationError("A pool has 1 to 1000 places.") }
    }

    func run() async throws {
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        var configuration = LeagueApplication.Configuration()
        (configuration.host, configuration.port) = (host, port)
        (configuration.poolSize, configuration.author) = (pool, author)
        var logger = Logger(label: "league-service")
        logger.logLevel = .warning
        let location = try StoreLocation(store)
        let application = try LeagueApplication(store: location, configuration: configuration, logger: logger)
        try await application.run { port in
            // A program that started this one may wait for the line: it is not kept back as `print` would do in a pipe.
            let line = "league-service: \(location.name) at http://\(host):\(port)/\n"
            FileHandle.standardOutput.write(Data(line.utf8))
        }
    }
}
