import AccessorBodies
import Foundation
import ModelCompiler
import RandomSeeds
import Testing

/// Has the compiler compile random programs, and compares the symbols that it leaves undefined with those that are
/// generated.
@Suite("Symbols of managed members", .serialized)
struct MangledNameTests {
    private static let seeds = SeededGenerator.seeds(20, full: 300)

    @Test("Every symbol that the compiler asks for in a random program is defined")
    func randomPrograms() throws {
        let compiler = try StubCompiler()
        var checked = 0
        for seed in Self.seeds {
            let program = RandomProgram(seed: seed)
            let compiled = ManagedSources(module: program.module, files: []).compile(texts: program.files)
            try #require(compiled.errors.isEmpty, "seed \(seed): \(compiled.errors)")
            let required = try compiler.undefinedSymbols(of: program)
            let generated = Set(compiled.code.matches(of: /@_silgen_name\("([^"]*)"\)/).map { String($0.output.1) })
            let missing = required.subtracting(generated)
            #expect(
                missing.isEmpty, "seed \(seed): \(missing.sorted().joined(separator: " ")), generated: \(compiled.code)"
            )
            #expect(!required.isEmpty, "seed \(seed): a program without managed members")
            checked += required.count
        }
        print(
            "\(Self.seeds.count) random programs, \(checked) symbols; seeds \(Self.seeds.map(String.init).joined(separator: " "))"
        )
    }
}

/// Compiles programs against a module CoreData that has nothing but the class that matters here.
private final class StubCompiler {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "symbols-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let stub = directory.appending(path: "CoreData.swift")
        try Data("@_exported import Foundation\nopen class NSManagedObject: NSObject {}\n".utf8).write(to: stub)
        try swiftc(["-emit-module", "-module-name", "CoreData", "-parse-as-library", stub.path])
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    /// The symbols of its own module that the program's object refers to and does not define.
    func undefinedSymbols(of program: RandomProgram) throws -> Set<String> {
        let folder = directory.appending(path: "program")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = program.files.map { folder.appending(path: $0.path) }
        for (file, url) in zip(program.files, files) { try Data(file.text.utf8).write(to: url) }
        let object = folder.appending(path: "program.o").path
        try swiftc(
            ["-c", "-wmo", "-parse-as-library", "-module-name", program.module, "-I", directory.path, "-o", object]
                + files.map(\.path))
        let listing = try run("/usr/bin/env", ["nm", "-u", object])
        try #require(listing.status == 0, "\(listing.output)")
        let names = listing.output.split(whereSeparator: \.isWhitespace).filter { $0.hasPrefix("$s") }
        let own = names.filter { $0.hasSuffix("vg") || $0.hasSuffix("vs") || $0.hasSuffix("F") }.map(String.init)
        return Set(own.filter { !$0.hasPrefix("$s10Foundation") && !$0.hasPrefix("$sS") && !$0.hasPrefix("$ss") })
    }

    private func swiftc(_ arguments: [String]) throws {
        let result = try run(
            "/usr/bin/env", ["swiftc", "-swift-version", "6", "-module-cache-path", directory.path] + arguments,
            in: directory)
        try #require(result.status == 0, "\(result.output)")
    }

    private func run(_ path: String, _ arguments: [String], in folder: URL) throws -> (status: Int32, output: String) {
        try ModelCompilerTests.run("/usr/bin/env", ["-C", folder.path] + arguments)
    }

    private func run(_ path: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        try ModelCompilerTests.run(path, arguments)
    }
}
