import Foundation
import Testing

@Suite("The command agrees with an independent reader's record of every committed store")
struct RecordedOutputTests {
    @Test("there are stores to compare with, some with and some without their model")
    func samples() {
        #expect(Samples.storeNames.count >= 20)
        #expect(Samples.storeNamesWithModel.count >= 15)
        #expect(Samples.storeNamesWithModel.count < Samples.storeNames.count)
    }

    @Test("inspect --json", arguments: Samples.storeNames)
    func inspect(store: String) throws {
        let run = try Command(["inspect", Samples.path(store), "--json"])
        #expect(run.status == 0)
        #expect(run.output == Samples.recorded(store, "inspect.json"))
    }

    @Test("model --json", arguments: Samples.storeNamesWithModel)
    func model(store: String) throws {
        let run = try Command(["model", Samples.path(store), "--json"])
        #expect(run.status == 0)
        #expect(run.output == Samples.recorded(store, "model.json"))
    }

    @Test("export, and its warnings", arguments: Samples.storeNamesWithModel)
    func export(store: String) throws {
        let run = try Command(["export", Samples.path(store)])
        #expect(run.status == 0)
        #expect(run.output == Samples.recorded(store, "export.jsonl"))
        #expect(run.errors == Samples.recorded(store, "export.warnings") ?? "")
    }

    @Test("model --hashes, which are those in the store's metadata", arguments: Samples.storeNamesWithModel)
    func hashes(store: String) throws {
        let run = try Command(["model", Samples.path(store), "--hashes", "--json"])
        #expect(run.status == 0)
        let printed = try JSONDecoder().decode(PrintedHashes.self, from: Data(run.output.utf8))
        let recorded = try JSONDecoder().decode(
            RecordedHashes.self, from: Data((Samples.recorded(store, "hashes.json") ?? "").utf8))
        #expect(printed.hashes == recorded.entities.mapValues(\.stored))
        #expect(recorded.digest == nil || printed.digest == recorded.digest?.stored)
        #expect(recorded.checksum == nil || printed.checksum == recorded.checksum?.stored)
    }

    private struct PrintedHashes: Decodable {
        let hashes: [String: String?]
        let digest: String
        let checksum: String
    }

    private struct RecordedHashes: Decodable {
        struct Pair: Decodable { let stored: String? }
        let entities: [String: Pair]
        let digest: Pair?
        let checksum: Pair?
    }
}

@Suite("The command agrees with the independent reader on every store at hand", .enabled(if: Samples.hasReader))
struct LiveReaderTests {
    @Test("inspect, model and export", arguments: Samples.names(of: Samples.moreStores))
    func everything(store: String) throws {
        let path = Samples.moreStores.appendingPathComponent(store).path
        for arguments in [["inspect"], ["model"], ["export"]] {
            let expected = try reader(arguments + [path])
            let run = try Command(arguments + [path] + (arguments == ["export"] ? [] : ["--json"]))
            if expected.status == 0 {
                #expect(run.status == 0, "\(run.errors)")
                #expect(run.output == expected.output.harmlessJSON)
            } else {
                // The independent reader gives up on a store without a model; we export what can be inferred.
                #expect(run.status == (arguments == ["export"] ? 0 : 6), "\(run.errors)")
            }
        }
    }

    private func reader(_ arguments: [String]) throws -> Command {
        let python = URL(fileURLWithPath: "/usr/bin/env")
        return try Command(executable: python, arguments: ["python3", Samples.reader.path] + arguments)
    }
}
