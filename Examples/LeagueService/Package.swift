// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that packages that use CoreData neither build nor resolve a web server.
let package = Package(
    name: "LeagueService",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "swift-coredata", path: "../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        // For the tests: it reads a stream of events.
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.24.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.14.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.0.0"),
    ],
    targets: [
        .target(
            name: "LeagueService",
            dependencies: [
                .product(name: "CoreData", package: "swift-coredata"),
                .product(name: "CoreDataPostgreSQL", package: "swift-coredata"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            exclude: ["League.xcdatamodeld"], resources: [.copy("Page")],
            plugins: [.plugin(name: "CoreDataPlugin", package: "swift-coredata")]),
        .executableTarget(
            name: "league-service",
            dependencies: ["LeagueService", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Sources/LeagueServiceProgram"),
        .testTarget(
            name: "LeagueServiceTests",
            dependencies: [
                "LeagueService", "league-service",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "PostgreSQLServer", package: "swift-coredata"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
