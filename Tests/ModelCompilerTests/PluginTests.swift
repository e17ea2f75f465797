import Foundation
import Testing

/// Builds a package that uses the plug-in, as an app would: slow, for the tool is compiled for it.
@Suite(
    "The plug-in in another package", .serialized,
    .enabled(if: ProcessInfo.processInfo.environment["COREDATA_FULL_TESTS"] != nil, "only in ./test --full"))
struct PluginTests {
    @Test(
        "The model is a resource of the target; an edit reaches it; a broken model fails the build with file and sentence"
    )
    func lifeOfAModel() throws {
        let app = try AppPackage()
        try app.writeModel("<entity name=\"Player\"/>")
        var run = try app.build()
        #expect(run.status == 0, "\(run.output)")
        #expect(try app.launch() == "League of Player\n")

        try app.writeModel("<entity name=\"Team\"/>")
        run = try app.build()
        #expect(run.status == 0, "\(run.output)")
        #expect(try app.launch() == "League of Team\n")

        try app.writeModel(
            "<entity name=\"A\" representedClassName=\"A\" parentEntity=\"B\" codeGenerationType=\"class\"/>")
        run = try app.build()
        #expect(run.status != 0)
        #expect(run.output.contains("League.xcdatamodeld: error: the parent of entity A, B, is not in the model"))
    }
}

/// A package with an executable that prints what its model's resource holds.
private final class AppPackage {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "app-\(UUID().uuidString)")
    private var sources: URL { directory.appending(path: "Sources/App") }

    init() throws {
        let version = sources.appending(path: "Models/League.xcdatamodeld/League.xcdatamodel")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        try write(
            """
            // swift-tools-version: 6.2
            import PackageDescription
            let package = Package(
                name: "App",
                dependencies: [.package(name: "swift-coredata", path: "\(package.path)")],
                targets: [
                    .executableTarget(
                        name: "App", dependencies: [.product(name: "ModelDocument", package: "swift-coredata")],
                        exclude: ["Models"],
                        plugins: [.plugin(name: "CoreDataPlugin", package: "swift-coredata")])
                ])
            """, to: directory.appending(path: "Package.swift"))
        try write(
            """
            import Foundation
            import ModelDocument
            let url = Bundle.module.url(forResource: "League", withExtension: "momd")!
            let file = try ModelBundleFile(contentsOf: url)
            print(file.name, "of", try file.model().entities.map(\\.name).joined(separator: ", "))
            """, to: sources.appending(path: "main.swift"))
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    func writeModel(_ entities: String) throws {
        try write(
            "<model>\n\(entities)\n</model>",
            to: sources.appending(path: "Models/League.xcdatamodeld/League.xcdatamodel/contents"))
    }

    func build() throws -> (status: Int32, output: String) {
        try run("/usr/bin/env", ["swift", "build", "--package-path", directory.path])
    }

    func launch() throws -> String { try run(directory.appending(path: ".build/debug/App").path, []).output }

    private func write(_ text: String, to url: URL) throws { try Data(text.utf8).write(to: url) }
}

/// Runs a program and returns what it printed.
func run(_ path: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
}
