import Foundation
import ModelArchive
import Testing

@Suite struct VersionInfoTests {
    @Test(arguments: Samples.versionInfos)
    func hashesOfCompiledVersionsEqualThoseInTheVersionInfo(url: URL) throws {
        let info = try VersionInfo(Data(contentsOf: url))
        for (version, expected) in info.hashes {
            let file = url.deletingLastPathComponent().appending(path: version + ".mom")
            guard FileManager.default.fileExists(atPath: file.path) else { continue }
            let hashes = try VersionHashes(ModelArchive.read(Data(contentsOf: file)))
            #expect(hashes.entities == expected, "\(file.path)")
            #expect(info.checksums[version] == nil || info.checksums[version] == hashes.checksum)
        }
    }
}
