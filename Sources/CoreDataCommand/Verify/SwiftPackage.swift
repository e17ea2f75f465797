import Foundation

/// A package on disk, as Swift's package manager sees it.
struct SwiftPackage {
    private let folder: URL
    private let options: [String]

    /// - Throws: ``CommandFailure`` if the folder holds no package.
    init(path: String, scratchPath: String?) throws {
        folder = URL(fileURLWithPath: path).standardizedFileURL
        guard FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) else {
            throw CommandFailure(.missingFile, "There is no Package.swift in \(folder.path).")
        }
        options = ["--package-path", folder.path] + (scratchPath.map { ["--scratch-path", $0] } ?? [])
    }

    /// A target with Swift sources.
    struct Target: Equatable {
        let name: String
        let moduleName: String
        /// Where its sources are, those of generated files aside.
        let sources: [URL]

        /// Whether its sources, or those that it excludes for the plug-in to compile, may declare what this is about.
        var mentionsManagedMembers: Bool {
            sources.contains { (try? String(contentsOf: $0, encoding: .utf8))?.contains("@NSManaged") ?? false }
        }
    }

    /// The package's own targets with Swift sources, by name.
    ///
    /// - Throws: ``CommandFailure`` if the manifest is wrong.
    func targets() throws -> [Target] {
        let text = try output(of: ["package", "describe", "--type", "json"])
        let description: Description
        do { description = try JSONDecoder().decode(Description.self, from: text) } catch {
            throw CommandFailure(.other, "What swift package describe printed can't be read: \(error).")
        }
        return description.targets.filter { $0.moduleType == "SwiftTarget" }.map { target in
            Target(
                name: target.name, moduleName: target.c99name,
                sources: swiftFiles(below: folder.appending(path: target.path)))
        }.sorted { $0.name < $1.name }
    }

    /// Compiles a target, which shows what it does on standard error.
    ///
    /// - Throws: ``CommandFailure`` if it does not compile.
    func build(_ target: Target) throws -> CompiledModule {
        try run(["build", "--target", target.name], output: FileHandle.standardError)
        let products = String(decoding: try output(of: ["build", "--show-bin-path"]), as: UTF8.self)
        let folder = URL(fileURLWithPath: products.trimmingCharacters(in: .whitespacesAndNewlines))
        return try CompiledModule(named: target.moduleName, of: target.name, in: folder)
    }

    /// All Swift files of a folder: those that a target excludes too, of which the plug-in compiles copies.
    private func swiftFiles(below folder: URL) -> [URL] {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
    }

    private func output(of arguments: [String]) throws -> Data {
        let pipe = Pipe()
        return try run(arguments, output: pipe) { try pipe.fileHandleForReading.readToEnd() ?? Data() }
    }

    /// Runs `swift`; errors go where this command's go.
    @discardableResult
    private func run(_ arguments: [String], output: Any, reading: () throws -> Data = { Data() }) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // The package's options stand behind the command, and behind the subcommand where there is one.
        let verbs = arguments.prefix { !$0.hasPrefix("-") }
        process.arguments = ["swift"] + verbs.prefix(1) + options + verbs.dropFirst() + arguments.dropFirst(verbs.count)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        let result: Data
        do {
            try process.run()
            result = try reading()
        } catch { throw CommandFailure(error) }
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw CommandFailure(.other, "swift \(arguments.joined(separator: " ")) failed in \(folder.path).")
        }
        return result
    }
}

/// What of `swift package describe` is needed here.
private struct Description: Decodable {
    let targets: [Target]

    struct Target: Decodable {
        let name: String
        let c99name: String
        let moduleType: String
        let path: String

        private enum CodingKeys: String, CodingKey {
            case name, c99name, path
            case moduleType = "module_type"
        }
    }
}
