import Foundation

/// A module that the package manager compiled, with the arguments that it gave the compiler.
struct CompiledModule {
    private let name: String
    private let target: String
    private let arguments: [String]

    /// - Parameter folder: The folder of build products.
    /// - Throws: ``CommandFailure`` if the build left no record of the module.
    init(named name: String, of target: String, in folder: URL) throws {
        let record = folder.appending(path: "description.json")
        let builds = FileManager.default.contents(atPath: record.path).flatMap {
            try? JSONDecoder().decode(BuildRecord.self, from: $0)
        }
        guard let arguments = builds?.swiftTargetScanArgs[name] else {
            throw CommandFailure(
                .missingFile,
                "\(record.path) does not say how \(name) was compiled; verify needs the package manager's native build system."
            )
        }
        (self.name, self.target, self.arguments) = (name, target, arguments)
    }

    /// The `@NSManaged` members that nothing in the module's sources defines: properties have no accessors, methods no
    /// body.
    func undefinedMembers() throws -> [ManagedMember] {
        let defined = try definedSymbols()
        return try symbolGraphs().flatMap(\.managedMembers).flatMap { member in
            member.symbols.subtracting(defined).sorted().prefix(1).map { ManagedMember(member, missing: $0) }
        }.sorted { $0.place.localizedStandardCompare($1.place) == .orderedAscending }
    }

    /// What to do about a member without a body.
    var advice: String {
        sources.contains { $0.contains("/CoreDataPlugin/") }
            ? "The plug-in did not understand its declaration; please report it, with the declaration."
            : "Let the target \(target) use the plug-in CoreDataPlugin of swift-coredata in Package.swift."
    }

    private var sources: [String] {
        arguments.filter { $0.hasSuffix(".swift") }
    }

    /// The names that the sources give to functions themselves, as generated bodies do.
    private func definedSymbols() throws -> Set<String> {
        var names: Set<String> = []
        for path in sources {
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
                throw CommandFailure(.missingFile, "\(path) can't be read.")
            }
            names.formUnion(text.matches(of: /@_silgen_name\(\s*"([^"]+)"\s*\)/).map { String($0.output.1) })
        }
        return names
    }

    /// What the compiler knows of the module, private members included, and of its extensions of other modules' types.
    private func symbolGraphs() throws -> [SymbolGraph] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "coredata-" + UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try extractSymbolGraphs(into: folder)
            let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            return try files.map { try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: $0)) }
        } catch let error where !(error is CommandFailure) {
            throw CommandFailure(error)
        }
    }

    private func extractSymbolGraphs(into folder: URL) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [
                "swift", "symbolgraph-extract", "-module-name", name, "-minimum-access-level", "private",
                "-skip-synthesized-members", "-output-dir", folder.path,
            ] + searchArguments
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw CommandFailure(.other, "The compiler gave no symbol graph of \(name).")
        }
    }

    /// The arguments by which the compiler found the modules that this one imports.
    private var searchArguments: [String] {
        let options: Set = ["-I", "-F", "-Xcc", "-target", "-sdk", "-module-cache-path", "-swift-version"]
        return zip(arguments, arguments.dropFirst()).flatMap { options.contains($0) ? [$0, $1] : [] }
    }
}

/// What of the package manager's description of a build is needed here.
private struct BuildRecord: Decodable {
    let swiftTargetScanArgs: [String: [String]]
}
