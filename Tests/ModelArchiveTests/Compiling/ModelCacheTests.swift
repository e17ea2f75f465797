import Foundation
import ModelArchive
import ModelDocument
import Testing

/// What the framework caches in a store of the model that made it, against what we would cache.
@Suite(.enabled(if: Samples.hasCollection, "the collection of samples is not at hand"))
struct ModelCacheTests {
    typealias Difference = ArchiveComparison.Difference

    static let exemptions: [(reason: String, covers: @Sendable (String, Difference) -> Bool)] = [
        (
            "The framework caches the class that it found in the program that made the store: none in many a test.",
            { $1.key == "NSClassNameForEntity" }
        ),
        (
            "Whether a collection or a string is mutable: readers copy it.",
            { $1.isOfMutability }
        ),
        ("An entity without subentities has an empty dictionary of them, or none.", { $1.key == "NSSubentities" }),
        (
            """
            Indexes as other ages say them: iOS 9 knows no fetch indexes, iOS 12 has empty lists of them everywhere, Xcode \
            14 adds an index named like the property to every index over one property.
            """,
            { store, difference in
                ["Moody", "SampleModelV", "Bookmarks_V", "SyncMetadata"].contains(where: store.hasPrefix)
                    && ["NSCompoundIndexes", "NSFetchIndexDescriptions"].contains(where: difference.path.contains)
            }
        ),
        (
            "The document was edited after the store was made: identifier, class of an attribute.",
            {
                $0 == "Moody.moody" && $1.key == "NSVersionIdentifiers"
                    || $0 == "SampleModel_V1.sqlite" && $1.ours == "string(\"Color\")"
            }
        ),
    ]

    @Test(arguments: DocumentPairTests.stores)
    func theCacheIsObjectForObjectWhatTheFrameworkCached(name: String, version: DocumentPairTests.Version) throws {
        let store = try #require(Samples.stores.first { $0.url.lastPathComponent == name })
        let ours = try ModelArchive.write(version.model().compiled(), as: .modelCache)
        let differences = try ArchiveComparison(apples: try #require(store.modelCache), ours: ours).differences
        let unexplained = differences.filter { difference in
            !Self.exemptions.contains { $0.covers(name, difference) }
        }
        #expect(unexplained.isEmpty)
    }

    @Test func noExemptionIsNeedless() throws {
        var all: [(String, Difference)] = []
        for (name, version) in DocumentPairTests.stores {
            let store = try #require(Samples.stores.first { $0.url.lastPathComponent == name })
            let ours = try ModelArchive.write(version.model().compiled(), as: .modelCache)
            all += try ArchiveComparison(apples: try #require(store.modelCache), ours: ours).differences
                .map { (name, $0) }
        }
        for exemption in Self.exemptions {
            #expect(all.contains { exemption.covers($0.0, $0.1) }, "\(exemption.reason)")
        }
    }
}
