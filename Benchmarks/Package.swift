// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who uses CoreData builds or resolves it.
let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "swift-coredata", path: "..")],
    targets: [
        .target(name: "CBench"),
        .executableTarget(name: "BenchC", dependencies: ["CBench"], linkerSettings: [.linkedLibrary("sqlite3")]),
        .executableTarget(
            name: "BenchCoreData",
            dependencies: ["CBench", .product(name: "CoreData", package: "swift-coredata")],
            exclude: ["Bench.xcdatamodeld"],
            plugins: [.plugin(name: "CoreDataPlugin", package: "swift-coredata")]),
    ],
    swiftLanguageModes: [.v6]
)
