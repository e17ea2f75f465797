import Foundation
import RandomSeeds
import Testing

/// Builds packages with sources as Xcode's templates write them.
///
/// The framework is compiled for each configuration, which takes minutes: so they are among the long tests, with
/// `COREDATA_FULL_TESTS`.
@Suite("Sources of Xcode's templates", .serialized, .enabled(if: FullRun.isOn, "these are long tests"))
struct TemplateTests {
    @Test(
        "Classes of all three ways of code generation build unchanged, another package uses them, and an excluded folder is a warning",
        arguments: ["debug", "release"])
    func shop(configuration: String) throws {
        let app = package.appending(path: "Tests/Packages/ShopApp")
        // Beside the package's own build, and kept: the next run has nothing to build.
        let scratch = package.appending(path: ".build-templates")
        // The plug-in, which warns, runs where a build is planned: without the plan of the build before, always.
        try? FileManager.default.removeItem(at: scratch.appending(path: "\(configuration)/description.json"))
        let build = try run(
            "/usr/bin/env",
            ["swift", "build", "-c", configuration, "--package-path", app.path, "--scratch-path", scratch.path])
        try #require(build.status == 0, "\(build.output)")
        let warnings = build.output.split(separator: "\n").filter { $0.contains("warning:") }
        #expect(warnings.count == 1, "\(build.output)")
        let attic = "1 Swift file in \(app.path)/Sources/ShopApp/Attic is not compiled"
        #expect(warnings.allSatisfy { $0.contains(attic) }, "\(build.output)")
        let launch = try run(scratch.appending(path: "\(configuration)/ShopApp").path, [])
        #expect(
            launch.output == """
                Ada 7 3,1,2
                  3.0 30 2.5 jam true
                  1.0 10 2.5 jam true
                  2.0 -20 2.5 jam true
                Bob 0 
                gold gold 3
                jam j
                true -20
                1 1900

                """)
        #expect(launch.status == 0)
    }
}
