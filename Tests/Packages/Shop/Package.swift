// swift-tools-version: 6.0
import PackageDescription

// What Xcode's templates made, built with the framework of this repository.
let package = Package(
    name: "Shop",
    products: [.library(name: "ShopModel", targets: ["ShopModel"])],
    dependencies: [.package(name: "swift-coredata", path: "../../..")],
    targets: [
        .target(
            name: "ShopModel",
            dependencies: [.product(name: "CoreData", package: "swift-coredata")],
            exclude: ["Model"],
            plugins: [.plugin(name: "CoreDataPlugin", package: "swift-coredata")])
    ]
)
