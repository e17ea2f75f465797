import Foundation

/// Which Swift files of a folder are sources of a target.
struct PackageSources {
    /// What a package's manifest says of its files.
    private struct Manifest {
        var sources: Set<String> = []
        /// Files and folders that are copied into bundles.
        var resources: [String] = []
    }

    /// By the package's folder; nil where the manifest can't be read.
    private var manifests: [String: Manifest?] = [:]

    /// Whether a file is to be rewritten: a source of a target, or a file that the plug-in compiles a copy of. Outside
    /// of packages every file is, but manifests and what belongs to documentation.
    mutating func mayPort(_ path: String) -> Bool {
        let url = URL(fileURLWithPath: path).standardizedFileURL
        if url.lastPathComponent == "Package.swift" || url.lastPathComponent.hasPrefix("Package@swift-") {
            return false
        }
        if url.pathComponents.contains(where: { $0.hasSuffix(".docc") || $0.hasSuffix(".playground") }) { return false }
        guard let package = Self.package(of: url), let manifest = manifest(of: package) else { return true }
        let file = url.resolvingSymlinksInPath().path
        if manifest.sources.contains(file) { return true }
        let isResource = manifest.resources.contains { file == $0 || file.hasPrefix($0 + "/") }
        return !isResource && Self.isCopied(url)
    }

    /// The folder of the nearest manifest above a file.
    private static func package(of file: URL) -> URL? {
        var folder = file.deletingLastPathComponent()
        while folder.path != "/" {
            if FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) { return folder }
            folder = folder.deletingLastPathComponent()
        }
        return nil
    }

    /// Whether the plug-in compiles a copy of an excluded file, as it needs Objective-C.
    private static func isCopied(_ file: URL) -> Bool {
        guard let text = try? String(contentsOf: file, encoding: .utf8),
            ["import CoreData", "import Foundation"].contains(where: { text.contains($0) })
        else { return false }
        return ["@objc", "#keyPath", "#selector"].contains { text.contains($0) }
    }

    private mutating func manifest(of package: URL) -> Manifest? {
        if let known = manifests[package.path] { return known }
        let found = Self.described(package)
        manifests[package.path] = .some(found)
        return found
    }

    /// What `swift package describe` says of a package; nil where it fails.
    private static func described(_ package: URL) -> Manifest? {
        struct Description: Decodable {
            struct Target: Decodable {
                struct Resource: Decodable { var path: String }
                var path: String
                var sources: [String]
                var resources: [Resource]?
            }
            var targets: [Target]
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // In a folder of its own, as a build may hold the package's.
        let scratch = FileManager.default.temporaryDirectory.appending(path: "port-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: scratch) }
        process.arguments = [
            "swift", "package", "--package-path", package.path, "--scratch-path", scratch.path, "describe", "--type",
            "json",
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        // Notes may come before the description.
        guard process.terminationStatus == 0, let start = output.firstIndex(of: UInt8(ascii: "{")),
            let description = try? JSONDecoder().decode(Description.self, from: output[start...])
        else { return nil }
        var manifest = Manifest()
        for target in description.targets {
            let folder = package.appending(path: target.path)
            for source in target.sources {
                manifest.sources.insert(folder.appending(path: source).resolvingSymlinksInPath().path)
            }
            manifest.resources += (target.resources ?? []).map {
                URL(fileURLWithPath: $0.path).resolvingSymlinksInPath().path
            }
        }
        return manifest
    }
}
