// swift-tools-version: 6.0
import PackageDescription

// What the programs and the library have in common.
let package = Package(
    name: "Report",
    products: [.library(name: "Report", targets: ["Report"])],
    dependencies: [.package(name: "swift-coredata", path: "../../..")],
    targets: [.target(name: "Report", dependencies: [.product(name: "CoreData", package: "swift-coredata")])]
)
