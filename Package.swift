// swift-tools-version: 6.2
import PackageDescription

// While versions are chosen, the manifest is read from a repository and not from a folder; later, from the checkout,
// wherever builds are kept.
let isDependency = Context.packageDirectory == "/" || Context.packageDirectory.contains("/checkouts/")

let package = Package(
    name: "swift-coredata",
    products: [
        .library(name: "CoreData", targets: ["CoreData"]),
        .library(name: "CoreDataCombine", targets: ["CoreDataCombine"]),
        .library(name: "CoreDataMetrics", targets: ["CoreDataMetrics"]),
        .library(name: "CoreDataPostgreSQL", targets: ["CoreDataPostgreSQL"]),
        .library(name: "FoundationGaps", targets: ["FoundationGaps"]),
        .library(name: "ModelDocument", targets: ["ModelDocument"]),
        .plugin(name: "CoreDataPlugin", targets: ["CoreDataPlugin"]),
        .executable(name: "coredata", targets: ["CoreDataCommand"]),
    ],
    traits: [
        .trait(name: "Metrics", description: "CoreDataMetrics: counters and timers, through swift-metrics."),
        // Work on this package builds and tests all of it.
        .default(enabledTraits: isDependency ? [] : ["Metrics"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        // For CoreDataCombine alone: an app that does not use that product does not build it.
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        // For CoreDataMetrics alone: an app that does not enable its trait does not even fetch it.
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.5.0"),
    ],
    targets: [
        // The framework, from the ground up.
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CSwiftRuntime"),
        .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .target(name: "CWriteAheadLog", dependencies: ["CSQLite"]),
        .target(name: "PredicateBase"),
        .target(name: "PropertyLists"),
        .target(name: "FoundationGaps", dependencies: ["PredicateBase", "PropertyLists"]),
        // Models and their documents: small, because every user's build waits for it, twice with the plug-in.
        .target(name: "ModelFormat", dependencies: ["PropertyLists"]),
        // The build system compiles the last by name of the modules that are ready: this one is to come after
        // FoundationGaps, which CoreData waits for.
        .target(name: "DocumentDiagnostics", dependencies: ["ModelFormat", "PropertyLists"]),
        .target(name: "MappingDocument", dependencies: ["ModelFormat", "PropertyLists"]),
        // All of it, and what compares, merges and edits models.
        .target(
            name: "ModelDocument",
            dependencies: ["ModelFormat", "DocumentDiagnostics", "MappingDocument", "PropertyLists"]),
        .target(name: "Digests", dependencies: ["PropertyLists"]),
        .target(
            name: "ModelArchive",
            dependencies: ["ModelFormat", "MappingDocument", "FoundationGaps", "PropertyLists", "Digests"]),
        // A model as a drawing: layout and SVG.
        .target(name: "ModelGraph", dependencies: ["ModelDocument"]),
        // All checks of a model, predicates included: for the command line, and for editors.
        .target(
            name: "ModelLint", dependencies: ["ModelDocument", "ModelArchive", "FoundationGaps", "PropertyLists"]),
        .target(
            name: "CoreData",
            dependencies: [
                "FoundationGaps", "ModelFormat", "MappingDocument", "ModelArchive", "PropertyLists", "CSQLite", "CZlib",
                "CSwiftRuntime", "CWriteAheadLog",
            ]),

        // Looks into a store for tools: what it holds, what is wrong with it, the model that it must have had.
        .target(
            name: "StoreInspection",
            dependencies: [
                "CoreData", "FoundationGaps", "ModelFormat", "ModelDocument", "ModelArchive", "PropertyLists",
                "CSQLite",
            ]),

        // Opens stores as evidence and shows what they hold as values, for the command line and the studio.
        .target(
            name: "StoreBrowsing",
            dependencies: [
                "CoreData", "CoreDataPostgreSQL", "FoundationGaps", "PostgreSQLClient", "StoreInspection",
                "ModelDocument", "ModelArchive", "PropertyLists", "CSQLite",
            ]),

        // Rows of files, and texts that one types, as values of attributes.
        .target(name: "StoreImporting", dependencies: ["CoreData", "StoreBrowsing"]),

        // Models in the languages of other tools, and drafts of models from what others have.
        .target(
            name: "ModelExchange",
            dependencies: [
                "CoreData", "CoreDataPostgreSQL", "PostgreSQLClient", "StoreBrowsing", "StoreInspection",
                "ModelDocument", "CSQLite",
            ]),

        // The store for more than one machine. An app that does not use it needs no libpq.
        .target(name: "PostgreSQLClient", dependencies: ["CPostgreSQL"]),
        .target(
            name: "CoreDataPostgreSQL",
            dependencies: ["CoreData", "FoundationGaps", "ModelArchive", "PostgreSQLClient", "PropertyLists"],
            exclude: ["Differences.md"]),

        // Publishers, for apps that want them.
        .target(
            name: "CoreDataCombine",
            dependencies: [
                "CoreData", .product(name: "OpenCombine", package: "OpenCombine"),
                .product(name: "OpenCombineFoundation", package: "OpenCombine"),
            ]),

        // Counters and timers, for apps that enable the trait; empty without it.
        .target(
            name: "CoreDataMetrics",
            dependencies: [
                "CoreData",
                .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
            ]),

        // What a build with a model needs: small, because every user's build waits for it. What reads Swift, and what
        // writes the accessors' bodies, knows no models, so that both are compiled at the same time.
        .target(name: "SwiftSources", dependencies: ["Digests"]),
        .target(name: "AccessorBodies", dependencies: ["SwiftSources"]),
        .target(
            name: "ModelCompiler",
            dependencies: [
                "AccessorBodies", "DocumentDiagnostics", "MappingDocument", "ModelFormat", "SwiftSources",
                "PropertyLists", "Digests",
            ],
            exclude: ["README.md"]),
        .executableTarget(
            name: "ModelCompilerTool", dependencies: ["ModelCompiler", "AccessorBodies", "ModelFormat", "SwiftSources"]),
        .plugin(name: "CoreDataPlugin", capability: .buildTool(), dependencies: ["ModelCompilerTool"]),

        // What `coredata port` changes in an app's sources, and what it leaves to the hand.
        .target(name: "SourcePorting", dependencies: ["SwiftSources"]),

        // The command line.
        .executableTarget(
            name: "CoreDataCommand",
            dependencies: [
                "CoreData", "CoreDataPostgreSQL", "PostgreSQLClient", "StoreBrowsing", "StoreImporting",
                "StoreInspection", "ModelDocument", "ModelArchive", "ModelExchange", "ModelLint", "ModelGraph",
                "ModelCompiler", "SourcePorting",
                "PropertyLists", "CSQLite",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),

        // Examples and tests.
        .target(name: "RandomSeeds", path: "Tests/Tools/RandomSeeds"),
        // A model, requests and a writer of random predicates, for the tests of each kind of SQL.
        .target(name: "SQLSamples", dependencies: ["CoreData", "RandomSeeds"], path: "Tests/Tools/SQLSamples"),
        .executableTarget(
            name: "LeagueManager", dependencies: ["CoreData"], path: "Examples/LeagueManager",
            exclude: ["League.xcdatamodeld", "README.md"], resources: [.copy("Players.csv")],
            plugins: ["CoreDataPlugin"]),
        .executableTarget(
            name: "ReadingList", dependencies: ["CoreData"], path: "Examples/ReadingList",
            exclude: ["ReadingList.xcdatamodeld", "README.md"], plugins: ["CoreDataPlugin"]),
        .testTarget(name: "FoundationGapsTests", dependencies: ["FoundationGaps", "RandomSeeds"]),
        .testTarget(
            name: "ModelDocumentTests", dependencies: ["ModelDocument", "RandomSeeds"], exclude: ["Fixtures"]),
        .testTarget(
            name: "ModelArchiveTests",
            dependencies: ["ModelArchive", "ModelDocument", "PropertyLists", "CSQLite", "CZlib", "RandomSeeds"],
            exclude: ["Fixtures"]),
        .testTarget(name: "ModelGraphTests", dependencies: ["ModelGraph", "ModelDocument", "RandomSeeds"]),
        .testTarget(name: "ModelLintTests", dependencies: ["ModelLint", "ModelArchive", "ModelDocument"]),
        .testTarget(
            name: "ModelExchangeTests",
            dependencies: [
                "CoreData", "CoreDataPostgreSQL", "ModelExchange", "ModelLint", "ModelDocument", "PostgreSQLClient",
                "PostgreSQLServer", "RandomSeeds", "CSQLite",
            ],
            exclude: ["Fixtures"]),
        // ModelCompilerTests run the tool too; as the plug-in's tool it must not be linked into the tests a second
        // time.
        .testTarget(
            name: "ModelCompilerTests",
            dependencies: ["ModelCompiler", "AccessorBodies", "SwiftSources", "ModelDocument", "RandomSeeds"],
            exclude: ["Fixtures"]),
        .executableTarget(name: "CrashWriter", dependencies: ["CoreData"], path: "Tests/Tools/CrashWriter"),
        // Changes a store beside the studio, and reads it.
        .executableTarget(
            name: "StoreWriter", dependencies: ["CoreData", "StoreBrowsing", "StoreImporting"],
            path: "Tests/Tools/StoreWriter"),
        .target(name: "MutexForThreadSanitizer", path: "Tests/Tools/MutexForThreadSanitizer"),
        .executableTarget(
            name: "ThreadStress", dependencies: ["CoreData", "MutexForThreadSanitizer", "RandomSeeds"],
            path: "Tests/Tools/ThreadStress",
            exclude: ["run"]),
        .executableTarget(
            name: "ReaderWaits", dependencies: ["CoreData"], path: "Tests/Tools/ReaderWaits", exclude: ["run"]),
        .executableTarget(
            name: "FourContexts", dependencies: ["CoreData", "CSQLite", "RandomSeeds"],
            path: "Tests/Tools/FourContexts",
            exclude: ["run"]),
        // Stands before the C library's file functions: only this program is to be linked with it.
        .target(name: "FileFaults", path: "Tests/Faults/FileFaults"),
        .executableTarget(
            name: "Faults", dependencies: ["CoreData", "StoreInspection", "FileFaults", "RandomSeeds"],
            path: "Tests/Faults/Program"),
        .testTarget(name: "FaultTests", path: "Tests/Faults/Tests"),
        .systemLibrary(name: "CMalloc", path: "Tests/Tools/CMalloc"),
        .testTarget(
            name: "CoreDataTests",
            dependencies: [
                "CoreData", "CoreDataPostgreSQL", "StoreInspection", "ModelArchive", "ModelDocument", "CrashWriter",
                "FourContexts", "CoreDataCommand", "CMalloc", "PostgreSQLServer", "RandomSeeds", "SQLSamples",
            ],
            exclude: ["Fixtures", "WhiteBox/SQL/Expected", "with-stores"]),
        .testTarget(
            name: "GeneratedClassesTests", dependencies: ["CoreData"],
            exclude: [
                "Kitchen.xcdatamodeld", "Ledger.xcdatamodeld", "LedgerToLedger2.xcmappingmodel", "Old",
                "Pantry.xcdatamodeld", "Xcode",
            ],
            plugins: ["CoreDataPlugin"]),
        // Starts a server for the tests that need one.
        .target(name: "PostgreSQLServer", path: "Tests/Tools/PostgreSQLServer"),
        .executableTarget(
            name: "PostgreSQLWriters",
            dependencies: ["CoreData", "CoreDataPostgreSQL", "PostgreSQLServer", "RandomSeeds"],
            path: "Tests/Tools/PostgreSQLWriters", exclude: ["run"]),
        // With a server of PostgreSQL, which they start by themselves.
        .testTarget(
            name: "CoreDataPostgreSQLTests",
            dependencies: [
                "CoreData", "CoreDataPostgreSQL", "FoundationGaps", "PostgreSQLClient", "PostgreSQLServer",
                "PostgreSQLWriters", "RandomSeeds", "SQLSamples",
            ],
            exclude: ["Expected"]),
        .testTarget(name: "PostgreSQLClientTests", dependencies: ["PostgreSQLClient", "PostgreSQLServer"]),
        .testTarget(name: "CoreDataCombineTests", dependencies: ["CoreDataCombine"]),
        .testTarget(
            name: "CoreDataMetricsTests",
            dependencies: [
                "CoreDataMetrics",
                .product(name: "MetricsTestKit", package: "swift-metrics", condition: .when(traits: ["Metrics"])),
            ]),
        .testTarget(name: "LoadingTests", exclude: ["Apps", "Report", "Shelf"]),
        // What apps of some years ago look like, which are Swift 5.
        .testTarget(
            name: "TutorialTests", dependencies: ["CoreData"], exclude: ["README.md", "Tutorials.xcdatamodeld"],
            swiftSettings: [.swiftLanguageMode(.v5)], plugins: ["CoreDataPlugin"]),
        // The guides' listings, compiled and run.
        .testTarget(
            name: "GuideTests", dependencies: ["CoreData"], exclude: ["Company.xcdatamodeld"],
            plugins: ["CoreDataPlugin"]),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "CoreDataCommand", "CoreDataPostgreSQL", "LeagueManager", "MappingDocument", "ModelArchive",
                "PostgreSQLServer", "ReadingList", "RandomSeeds", "StoreBrowsing", "StoreImporting",
            ],
            exclude: ["Expected"]),
    ],
    swiftLanguageModes: [.v6]
)

// The model editor and the web server below it are for builds of the command from a clone. A package that depends on
// this one would have to fetch all that is named here, whatever it uses of it; its `coredata` has no `studio`.
if !isDependency {
    // For the tests of Examples/LeagueService, a package that depends on this one by its path.
    package.products.append(.library(name: "PostgreSQLServer", targets: ["PostgreSQLServer"]))
    package.dependencies += [
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.14.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.92.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.0.0"),
    ]
    package.targets += [
        .target(
            name: "CoreDataStudio",
            dependencies: [
                "CoreData", "FoundationGaps", "ModelArchive", "ModelDocument", "ModelExchange", "ModelGraph",
                "ModelLint", "ModelCompiler", "StoreBrowsing", "StoreImporting", "StoreInspection", "Digests",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            exclude: ["README.md"], resources: [.copy("Resources")]),
        .testTarget(
            name: "StudioTests",
            dependencies: [
                "CoreData", "CoreDataPostgreSQL", "CoreDataStudio", "ModelLint", "ModelArchive", "ModelGraph",
                "ModelDocument", "CoreDataCommand", "LeagueManager", "PostgreSQLServer", "RandomSeeds", "StoreWriter",
            ],
            exclude: ["Expected"]),
    ]
    package.targets.first { $0.name == "CoreDataCommand" }?.dependencies.append("CoreDataStudio")
}

// The build for libFuzzer, which `Tests/Tools/Fuzz/run` asks for: the libraries and the program that feeds them, which
// has no `main` of its own.
if Context.environment["COREDATA_FUZZ_BUILD"] == "1" {
    package.products = []
    package.targets.removeAll { ![.regular, .system].contains($0.type) || $0.name == "CoreDataStudio" }
    package.targets.append(
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "CoreData", "StoreInspection", "ModelArchive", "ModelDocument", "ModelExchange", "CSQLite",
            ],
            path: "Tests/Tools/Fuzz", exclude: ["run", "Corpus"]))
}

// The builds of `Scripts/test-checked` and of `./test --full` have the tests of CoreData alone.
let isOptimized = Context.environment["COREDATA_OPTIMIZED_BUILD"] == "1"
if Context.environment["COREDATA_CHECKED_BUILD"] == "1" || isOptimized {
    package.targets.removeAll { $0.type == .test && $0.name != "CoreDataTests" }
}

// Long random tests take a fraction of the time with an optimized framework. The tests are not optimized: a release
// build of them crashes the compiler (Swift 6.3.1).
if isOptimized {
    for target in package.targets where target.type == .regular {
        target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-O"])]
    }
}

// Continuous integration builds with warnings as errors; a user's build never does.
if Context.environment["COREDATA_STRICT"] == "1" {
    for target in package.targets where [.regular, .executable, .test].contains(target.type) {
        target.swiftSettings =
            (target.swiftSettings ?? []) + [
                .treatAllWarnings(as: .error),
                // Foundation deprecates `predicateFormat` on Linux, where its own predicates have none; ours have.
                .treatWarning("DeprecatedDeclaration", as: .warning),
            ]
    }
}
