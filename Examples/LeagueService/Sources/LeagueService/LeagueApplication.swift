import Hummingbird
import Logging
import ServiceLifecycle

/// The service: a store, its routes, and the web page.
///
/// ```swift
/// let application = try LeagueApplication(store: try StoreLocation("League.sqlite"))
/// try await application.run { port in print("http://127.0.0.1:\(port)/") }
/// ```
public struct LeagueApplication: Sendable {
    public struct Configuration: Sendable {
        public var host = "127.0.0.1"
        /// 0 for any port that is free.
        public var port = 8080
        /// The most contexts, and the most connections to the database, that work at the same time.
        public var poolSize = 8
        /// The name that the store's history has for what this process saves.
        public var author = "league-service"
        /// How often a client of `GET /events` that gets no events gets a comment.
        public var keepAlive: Duration = .seconds(15)

        public init() {}
    }

    let store: LeagueStore
    let feed: ChangeFeed
    private let configuration: Configuration
    private let files: PageFiles
    private let logger: Logger

    /// Opens the store.
    public init(
        store location: StoreLocation, configuration: Configuration = Configuration(),
        logger: Logger = Logger(label: "league-service")
    ) throws {
        self.configuration = configuration
        self.logger = logger
        files = try PageFiles()
        store = try LeagueStore(at: location, poolSize: configuration.poolSize, author: configuration.author)
        feed = ChangeFeed(store, logger: logger)
    }

    /// The routes, for a server or a test.
    var router: Router<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: SafeHeaders())
        router.add(middleware: ProblemMiddleware())
        for resource in Resource.all { ResourceRoutes(resource: resource, store: store).add(to: router) }
        EventRoute(feed: feed, keepAlive: configuration.keepAlive).add(to: router)
        files.addRoutes(to: router)
        return router
    }

    /// The server with its services.
    ///
    /// - Parameter ready: Called with the port when the server listens.
    func application(ready: @escaping @Sendable (Int) async -> Void = { _ in }) -> some ApplicationProtocol {
        Application(
            router: router, server: .http1(configuration: .init(idleTimeout: .seconds(60))),
            configuration: .init(
                address: .hostname(configuration.host, port: configuration.port), serverName: nil),
            services: [feed],
            onServerRunning: { channel in await ready(channel.localAddress?.port ?? configuration.port) },
            logger: logger)
    }

    /// Serves until the process gets SIGTERM or SIGINT. Requests that have begun are answered, up to ten seconds long.
    public func run(ready: @escaping @Sendable (Int) async -> Void) async throws {
        var group = ServiceGroupConfiguration(
            services: [application(ready: ready)], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        group.maximumGracefulShutdownDuration = .seconds(10)
        try await ServiceGroup(configuration: group).run()
        try store.close()
    }
}
