import Foundation
import ModelArchive
import ModelDocument
import Testing

@Suite("What a comparison says of migrations agrees with version hashes")
struct MigrationAgreementTests {
    @Test("Adjacent versions of real models", .enabled(if: Samples.hasCollection))
    func histories() throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: Samples.collection.path)
        var (compared, kinds) = (0, [String: Int]())
        for path in paths.sorted() where path.hasSuffix(".xcdatamodeld") {
            let document = try ModelDocumentFolder(contentsOf: Samples.collection.appending(path: path))
            let names = document.versionNames.sorted { $0.compare($1, options: .numeric) == .orderedAscending }
            let models = names.compactMap { name in (try? document.model(version: name)).map { (name, $0) } }
            for (old, new) in zip(models, models.dropFirst()) {
                let migration = ModelComparison(from: old.1, to: new.1).migration
                let isSame = try VersionHashes(old.1).entities == VersionHashes(new.1).entities
                #expect((migration == .unneeded) == isSame, "\(path): \(old.0) → \(new.0): \(migration)")
                compared += 1
                kinds[migration.name, default: 0] += 1
            }
        }
        #expect(compared >= 150 && kinds.keys.count == 3, "\(kinds)")
    }
}
