// swift-tools-version: 6.0
import PackageDescription

// An app over the classes of another package: it subclasses and extends them.
let package = Package(
    name: "ShopApp",
    dependencies: [
        .package(path: "../Shop"),
        .package(name: "swift-coredata", path: "../../.."),
    ],
    targets: [
        .executableTarget(
            name: "ShopApp",
            dependencies: [
                .product(name: "ShopModel", package: "Shop"),
                .product(name: "CoreData", package: "swift-coredata"),
            ],
            exclude: ["Attic"],
            plugins: [.plugin(name: "CoreDataPlugin", package: "swift-coredata")])
    ]
)
