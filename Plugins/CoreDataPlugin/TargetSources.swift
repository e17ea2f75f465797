import Foundation
import PackagePlugin

/// The Swift sources of a target, those that it compiles copies of, and those of the targets that it depends on.
struct TargetSources {
    private let target: SwiftSourceModuleTarget
    private let models: ModelDocuments
    private let files: [URL]
    /// Files that the target excludes and that need a copy.
    private let originals: [URL]
    /// Folders with Swift files, of which neither the target nor a copy is compiled.
    let idleFolders: [ExcludedFolders.Idle]
    private let dependencies: [SwiftSourceModuleTarget]
    /// The models of those among them that use the framework.
    private let otherModels: [ModelDocuments]

    init(of target: SwiftSourceModuleTarget, in package: Package, models: ModelDocuments) {
        self.target = target
        self.models = models
        let others = package.targets.map(\.directoryURL).filter { $0 != target.directoryURL }
        files = target.sourceFiles(withSuffix: "swift").filter { $0.type == .source }.map(\.url)
        let excluded = ExcludedFolders(of: target, except: others)
        originals = excluded.originals
        idleFolders = excluded.idle
        // The modules of this package have no types that an app's sources declare.
        dependencies = target.recursiveTargetDependencies.compactMap { $0 as? SwiftSourceModuleTarget }
            .filter { !Self.framework.contains($0.name) }
        otherModels = dependencies.filter { dependency in
            dependency.recursiveTargetDependencies.contains { $0.name == "CoreData" }
        }.map { ModelDocuments(in: $0.directoryURL) }
    }

    /// The command that generates the file of bodies and the copies.
    func command(_ tool: URL, workDirectory: URL) -> Command {
        let code = workDirectory.appending(path: "\(target.moduleName)+ManagedObjects.swift")
        var arguments = ["sources", "--module", target.moduleName, "--code", code.path(percentEncoded: false)]
        var outputs = [code]
        for file in files { arguments += ["--source", file.path(percentEncoded: false)] }
        for model in models.urls { arguments += ["--model", model.path(percentEncoded: false)] }
        for model in otherModels.flatMap(\.urls) { arguments += ["--other-model", model.path(percentEncoded: false)] }
        for original in originals {
            let name = original.deletingPathExtension().lastPathComponent
            let copy = workDirectory.appending(path: "\(name)+Portable.swift")
            arguments += ["--clean", original.path(percentEncoded: false), copy.path(percentEncoded: false)]
            outputs.append(copy)
        }
        for dependency in dependencies {
            arguments += [
                "--dependency", dependency.moduleName, dependency.directoryURL.path(percentEncoded: false),
            ]
        }
        return .buildCommand(
            displayName: "Compiling managed objects of \(target.name)", executable: tool, arguments: arguments,
            inputFiles: files + originals + modelFiles + dependencyFiles,
            outputFiles: outputs)
    }

    private var modelFiles: [URL] {
        ([models] + otherModels).flatMap { models in models.urls.flatMap { models.files(of: $0) } }
    }

    /// What changes while one works on an app: not what was checked out for it.
    private var dependencyFiles: [URL] {
        dependencies.filter { !$0.directoryURL.path.contains("/checkouts/") }.flatMap { dependency in
            dependency.sourceFiles(withSuffix: "swift").filter { $0.type == .source }.map(\.url)
        }
    }

    private static let framework: Set<String> = [
        "CoreData", "FoundationGaps", "ModelFormat", "MappingDocument", "ModelArchive", "PredicateBase", "Digests",
        "PropertyLists",
    ]
}

/// The Swift files below a target's folder that its manifest excludes.
struct ExcludedFolders {
    /// A folder of Swift files that are not compiled in any form.
    struct Idle {
        var folder: URL
        var fileCount: Int

        /// What to tell the app's author.
        var warning: String {
            let files = fileCount == 1 ? "1 Swift file" : "\(fileCount) Swift files"
            return """
                \(files) in \(folder.path) \(fileCount == 1 ? "is" : "are") not compiled: the manifest excludes the folder, and the plug-in takes over \
                folders only that need Objective-C. To exclude a model alone, name it: \
                exclude: ["\(folder.lastPathComponent)/NAME.xcdatamodeld"].
                """
        }
    }

    private let excluded: [URL]
    private let used: Set<String>
    private let directory: String

    /// - Parameter others: The folders of other targets, which may be below this one's.
    init(of target: SwiftSourceModuleTarget, except others: [URL]) {
        let used = Set(target.sourceFiles.map(\.url.path))
        self.used = used
        directory = target.directoryURL.standardizedFileURL.path
        var excluded: [URL] = []
        let enumerator = FileManager.default.enumerator(
            at: target.directoryURL, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
        let folders = Set(others.map(\.standardizedFileURL.path))
        while let url = enumerator?.nextObject() as? URL {
            if folders.contains(url.standardizedFileURL.path) || used.contains(url.path) || Self.isForeign(url) {
                enumerator?.skipDescendants()
            }
            if url.pathExtension == "swift", !used.contains(url.path) { excluded.append(url) }
        }
        self.excluded = excluded.sorted { $0.path < $1.path }
    }

    /// The files that are compiled as copies: everything in an excluded folder with a file that needs Objective-C
    /// alone, and such files that are excluded one by one.
    var originals: [URL] {
        let roots = copiedRoots
        return excluded.filter { roots.contains(root(of: $0)) }
    }

    /// The excluded folders with Swift files that are not compiled as copies either. A file that is excluded by its own
    /// name is meant to be left out.
    var idle: [Idle] {
        let roots = copiedRoots
        let rest = excluded.filter { root(of: $0) != $0.path && !roots.contains(root(of: $0)) }
        return Dictionary(grouping: rest) { root(of: $0) }.sorted { $0.key < $1.key }
            .map { Idle(folder: URL(filePath: $0.key), fileCount: $0.value.count) }
    }

    private var copiedRoots: Set<String> { Set(excluded.filter(needsObjectiveC).map { root(of: $0) }) }

    /// Whether a folder belongs to another package, or to documentation: its Swift files are no affair of the target.
    private static func isForeign(_ folder: URL) -> Bool {
        if ["docc", "playground", "xctemplate"].contains(folder.pathExtension) { return true }
        return FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path)
    }

    /// The highest folder around a file of which the target uses nothing; the file itself where there is none.
    private func root(of file: URL) -> String {
        var root = file
        while true {
            let parent = root.deletingLastPathComponent()
            let isUsed = used.contains { $0.hasPrefix(parent.path + "/") }
            if isUsed || !parent.standardizedFileURL.path.hasPrefix(directory + "/") { return root.path }
            root = parent
        }
    }

    /// Whether a file fails to compile for Objective-C alone: not where it needs a framework that is missing, too.
    private func needsObjectiveC(_ file: URL) -> Bool {
        guard let text = try? String(contentsOf: file, encoding: .utf8),
            ["import CoreData", "import Foundation"].contains(where: { text.contains($0) })
        else { return false }
        let missing = ["AppKit", "Cocoa", "SwiftUI", "UIKit", "WatchKit"]
        let lacks = missing.contains { text.contains("import \($0)\n") && !text.contains("canImport(\($0))") }
        return !lacks && ["@objc", "#keyPath", "#selector"].contains { text.contains($0) }
    }
}
