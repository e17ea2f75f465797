// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who uses CoreData builds or resolves it.
let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "swift-coredata", path: "..")],
    targets: [
        // The data, the clocks, the check sums.
        .target(name: "CBench", linkerSettings: [.linkedLibrary("sqlite3")]),
        .executableTarget(name: "BenchC", dependencies: ["CBench"]),
        .executableTarget(
            name: "BenchCoreData",
            dependencies: ["CBench", .product(name: "CoreData", package: "swift-coredata")],
            exclude: ["Bench.xcdatamodeld", "Club.xcdatamodeld"],
            plugins: [.plugin(name: "CoreDataPlugin", package: "swift-coredata")]),
    ],
    swiftLanguageModes: [.v6]
)
