import Foundation
import ModelArchive
import ModelDocument
import Testing
import PropertyLists

@Suite struct CompilingTests {
    /// A kind of difference that can't matter.
    struct Exemption: Sendable, CustomTestStringConvertible {
        var reason: String
        var covers: @Sendable (ArchiveComparison.Difference) -> Bool

        var testDescription: String { reason }
    }

    static let exemptions = [
        Exemption(reason: "The number of the Xcode that compiled the model: no Xcode did.") {
            $0.className == "NSManagedObjectModel" && $0.key.hasPrefix("CDMCompiler") && $0.ours == "nothing"
        },
        Exemption(
            reason: """
                The entity of a fetch index that stands for a mark on an attribute: Xcode leaves it out, the framework \
                puts it in when it caches the model, as the index is in that entity's own list.
                """
        ) {
            $0.className == "NSFetchIndexDescription" && $0.key == "NSEntity"
                && $0.apples == "\(PropertyListValue.string("$null"))"
        },
        Exemption(
            reason: """
                Whether the list of a function's arguments is mutable: it is where a format string was parsed, and not \
                where the compiler made a function of “@count”. Readers copy it.
                """
        ) {
            $0.key == "NSArguments" && $0.apples == "\(["NSArray", "NSObject"])"
        },
    ]

    @Test(arguments: DocumentPair.all)
    func whatIsCompiledIsObjectForObjectWhatXcodeCompiled(pair: DocumentPair) throws {
        let versions = try pair.versions()
        #expect(!versions.isEmpty)
        for version in versions where pair.edited[version.name] == nil {
            let differences = try ArchiveComparison(apples: version.apples, ours: version.ours).differences
            let unexplained = differences.filter { difference in
                !Self.exemptions.contains { $0.covers(difference) }
            }
            #expect(unexplained.isEmpty, "\(version.name)")
        }
    }

    /// No exemption and no edited document is listed without need.
    @Test(.enabled(if: DocumentPair.isComplete, "the collection of samples is not at hand"))
    func everyListedExceptionIsOne() throws {
        var differences: [ArchiveComparison.Difference] = []
        for pair in DocumentPair.all {
            for version in try pair.versions() {
                let found = try ArchiveComparison(apples: version.apples, ours: version.ours).differences
                let unexplained = found.filter { difference in
                    !Self.exemptions.contains { $0.covers(difference) }
                }
                #expect(unexplained.isEmpty == (pair.edited[version.name] == nil), "\(version.name)")
                differences += found
            }
        }
        for exemption in Self.exemptions {
            #expect(differences.contains(where: exemption.covers), "\(exemption.reason)")
        }
    }

    /// Every key of the property list, but for checksums, which Xcodes before 15 don't write, and for versions that the
    /// document got or lost after it was compiled, the name of the current one with them.
    @Test(arguments: DocumentPair.all)
    func theVersionInfoEqualsXcodes(pair: DocumentPair) throws {
        guard var (apples, ours) = try pair.versionInfos() else { return }
        let (hashes, checksums) = ("NSManagedObjectModel_VersionHashes", "NSManagedObjectModel_VersionChecksums")
        if apples[checksums] == nil { ours[checksums] = nil }
        let versions = try [apples, ours].map { Set(try #require($0[hashes] as? [String: Any]).keys) }
        let both = versions[0].intersection(versions[1])
        #expect(!both.isEmpty)
        if versions[0] != versions[1] {
            for key in [hashes, checksums] {
                apples[key] = (apples[key] as? [String: Any])?.filter { both.contains($0.key) }
                ours[key] = (ours[key] as? [String: Any])?.filter { both.contains($0.key) }
            }
            (apples["NSManagedObjectModel_CurrentVersionName"], ours["NSManagedObjectModel_CurrentVersionName"]) = (
                nil, nil
            )
        }
        #expect(apples as NSDictionary == ours as NSDictionary)
    }

    @Test func aWrittenFolderHoldsEveryVersionAndReplacesWhatWasThere() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let target = folder.appending(path: "SampleModel3.momd")
        try Data("old".utf8).write(to: target)
        let pair = try #require(DocumentPair.all.first { $0.compiled == "SampleModel3.momd" })
        try pair.ours().write(to: target)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: target.path).sorted()
                == ["SampleModel3.mom", "SampleModel3_v2.mom", "SampleModel3_v3.mom", "VersionInfo.plist"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["SampleModel3.momd"])
    }
}
