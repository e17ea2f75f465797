import ArgumentParser
import Foundation
import ModelCompiler
import ModelDocument
import SourcePorting

/// `coredata port PATH…`: sources that compile with Objective-C and without it.
struct PortCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "port",
        abstract: "Rewrite Swift sources once, so that they compile on Apple's platforms and elsewhere.",
        discussion: """
            @objc, @objc(Name) and @objcMembers are put under #if canImport(ObjectiveC); #keyPath(Person.name) becomes \
            "name", #selector of Foundation's comparisons becomes Selector(("compare:")), and addObserver(self, \
            selector:name:object:) gets a closure. The changes are shown as a comparison that "git apply" takes; nothing \
            is written without --write. What has to be changed by hand is told on standard error with file and line, and \
            makes the exit code 1: overrides in extensions, os.lock, OSLog, Combine, imports of submodules, casts of \
            fetch requests.

            In a folder of a Swift package the sources of its targets are rewritten, and those that the plug-in compiles \
            copies of. Manifests, resources and documentation are left alone.

            The plug-in needs none of this: it compiles cleaned copies.

            EXAMPLES
              coredata port Sources/League
              coredata port Sources/League/Player.swift --write
            """)

    @Argument(
        help: "Swift files, or folders with Swift files somewhere below.", completion: .file(extensions: ["swift"]))
    var paths: [String]

    @Flag(help: "Write the files, beside showing the changes.")
    var write = false

    func run() throws {
        var needsHand = false
        for path in try paths.flatMap(Self.files) {
            let source = DualSource(try Self.text(of: path))
            let diff = UnifiedDiff(source.original, source.text, path: path)
            diff.lines.forEach { print($0) }
            for remark in source.remarks {
                report("\(path):\(remark.line): warning: \(TextTable.singleLine(remark.message))")
            }
            needsHand = needsHand || !source.remarks.isEmpty
            guard write, !diff.lines.isEmpty else { continue }
            do {
                try Data(source.text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
            } catch { throw CommandFailure(error) }
        }
        if needsHand { throw ExitCode(CommandFailure.Code.other.rawValue) }
    }

    /// The Swift files at a path; hidden folders and those of builds are left out.
    private static func files(at path: String) throws -> [String] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw CommandFailure(.missingFile, "There is no file at \(path).")
        }
        guard isFolder.boolValue else { return [path] }
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
        let files = names.filter { name in
            name.hasSuffix(".swift") && !name.split(separator: "/").contains { $0.hasPrefix(".") }
        }.sorted().map { path.hasSuffix("/") ? path + $0 : path + "/" + $0 }
        var packages = PackageSources()
        return files.filter { packages.mayPort($0) }
    }

    private static func text(of path: String) throws -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure(.missingFile, "\(path) can't be read.")
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw CommandFailure(.foreign, "\(path) is no UTF-8 text.")
        }
        return text
    }
}
