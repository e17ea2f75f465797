// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that packages that use CoreData neither build nor resolve it.
let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(name: "swift-coredata", path: ".."),
        // For BenchGRDB alone.
        .package(url: "https://github.com/groue/GRDB.swift", .upToNextMinor(from: "7.10.0")),
    ],
    targets: [
        // The data, the clocks, the check sums.
        .target(name: "CBench", linkerSettings: [.linkedLibrary("sqlite3")]),
        .executableTarget(name: "BenchC", dependencies: ["CBench"]),
        .executableTarget(
            name: "BenchCoreData",
            dependencies: ["CBench", .product(name: "CoreData", package: "swift-coredata")],
            exclude: ["Bench.xcdatamodeld", "Club.xcdatamodeld"],
            plugins: [.plugin(name: "CoreDataPlugin", package: "swift-coredata")]),
        // Beside libpq: see `postgresql`.
        .executableTarget(
            name: "BenchPostgreSQLC", dependencies: ["CBench"],
            cSettings: [.unsafeFlags(["-I/usr/include/postgresql"])], linkerSettings: [.linkedLibrary("pq")]),
        .executableTarget(
            name: "BenchPostgreSQL",
            dependencies: [
                "CBench", .product(name: "CoreData", package: "swift-coredata"),
                .product(name: "CoreDataPostgreSQL", package: "swift-coredata"),
            ],
            exclude: ["Bench.xcdatamodeld"],
            plugins: [.plugin(name: "CoreDataPlugin", package: "swift-coredata")]),
        .executableTarget(name: "BenchGRDB", dependencies: ["CBench", .product(name: "GRDB", package: "GRDB.swift")]),
    ],
    swiftLanguageModes: [.v6]
)
