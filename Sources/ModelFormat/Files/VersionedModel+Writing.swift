import Foundation

extension VersionedModel {
    /// The files of the document's folder, by their paths in it: each version's `contents`, and `.xccurrentversion`.
    ///
    /// - Throws: `ModelDocumentError` `unwritableContent` for what a document cannot say.
    public func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for version in versions {
            files["\(version.name).xcdatamodel/contents"] = try version.model.contents()
        }
        files[".xccurrentversion"] = try versionList?.data()
        return files
    }

    /// Writes the document's folder.
    ///
    /// All bytes are made before any file is touched, each file is replaced in one step, and one that would not change
    /// is left alone. New versions come first and the list that may name them last, so that a program that reads in
    /// between finds a whole document. Files that are not of the document stay.
    ///
    /// - Parameters:
    ///   - url: a `.xcdatamodeld` folder, which is made where it isn't there; or a `.xcdatamodel` folder for a document
    ///     of one version.
    ///   - removingOtherVersions: whether versions that lie in the folder but not in this value are deleted.
    /// - Throws: `ModelDocumentError` `unwritableContent`, or `unwritableFile` with the file.
    public func write(to url: URL, removingOtherVersions: Bool = false) throws {
        if url.pathExtension == "xcdatamodel" { return try writeSingleVersion(to: url) }
        var files = try files()
        let list = files.removeValue(forKey: ".xccurrentversion")
        for (path, data) in files.sorted(by: { $0.key < $1.key }) {
            try DocumentFile.write(data, to: url.appending(path: path))
        }
        if let list { try DocumentFile.write(list, to: url.appending(path: ".xccurrentversion")) }
        if removingOtherVersions { try removeOtherVersions(in: url) }
    }

    private func writeSingleVersion(to url: URL) throws {
        guard versions.count == 1 else {
            throw ModelDocumentError(
                .unwritableContent,
                sentence:
                    "The document has \(versions.count) versions; a .xcdatamodel holds one. Write to a .xcdatamodeld.",
                url: url)
        }
        try DocumentFile.write(versions[0].model.contents(), to: url.appending(path: "contents"))
    }

    private func removeOtherVersions(in url: URL) throws {
        let own = Set(versions.map { $0.name + ".xcdatamodel" })
        try DocumentFile.onDisk(url) {
            for entry in try FileManager.default.contentsOfDirectory(atPath: url.path)
            where entry.hasSuffix(".xcdatamodel") && !own.contains(entry) {
                try FileManager.default.removeItem(at: url.appending(path: entry))
            }
        }
    }
}
