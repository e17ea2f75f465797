// swift-tools-version: 6.0
import PackageDescription

// Programs that look for their models in every way that is known from Apple's platforms; LoadingTests builds and runs
// them.
let plugin: Target.PluginUsage = .plugin(name: "CoreDataPlugin", package: "swift-coredata")
let uses: [Target.Dependency] = [
    .product(name: "CoreData", package: "swift-coredata"), .product(name: "Report", package: "Report"),
]
let package = Package(
    name: "Apps",
    dependencies: [
        .package(name: "swift-coredata", path: "../../.."), .package(path: "../Report"), .package(path: "../Shelf"),
    ],
    targets: [
        // The plug-in compiles the model.
        .executableTarget(name: "Plugged", dependencies: uses, exclude: ["Plugged.xcdatamodeld"], plugins: [plugin]),
        // The model is not compiled: the document is a resource.
        .executableTarget(name: "Plain", dependencies: uses, resources: [.process("Plain.xcdatamodeld")]),
        // The model belongs to a library. Its manifest lists it as a resource, as for Apple's platforms.
        .target(
            name: "Shop", dependencies: [.product(name: "Report", package: "Report")],
            resources: [.process("Shop.xcdatamodeld")]),
        .executableTarget(name: "Till", dependencies: ["Shop"]),
        // The library is linked dynamically.
        .executableTarget(name: "Shown", dependencies: [.product(name: "Shelf", package: "Shelf")]),
        // The model belongs to tests.
        .testTarget(name: "AppsTests", dependencies: uses, exclude: ["Tested.xcdatamodeld"], plugins: [plugin]),
    ]
)

// As the article "Using an app's sources" says for packages that build for Apple's platforms too.
#if !os(macOS)
    for target in package.targets where target.name == "Shop" {
        target.dependencies.append(.product(name: "CoreData", package: "swift-coredata"))
        target.plugins = (target.plugins ?? []) + [plugin]
    }
#endif
