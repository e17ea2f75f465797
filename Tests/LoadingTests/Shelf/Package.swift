// swift-tools-version: 6.0
import PackageDescription

// A dynamic library with a model.
let package = Package(
    name: "Shelf",
    products: [.library(name: "Shelf", type: .dynamic, targets: ["Shelf"])],
    dependencies: [.package(name: "swift-coredata", path: "../../.."), .package(path: "../Report")],
    targets: [
        .target(
            name: "Shelf",
            dependencies: [
                .product(name: "CoreData", package: "swift-coredata"), .product(name: "Report", package: "Report"),
            ],
            exclude: ["Shelf.xcdatamodeld"],
            plugins: [.plugin(name: "CoreDataPlugin", package: "swift-coredata")])
    ]
)
