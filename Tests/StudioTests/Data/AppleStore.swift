import CoreData
import Foundation
import RandomSeeds
import Testing

/// A store that Apple's Core Data made.
struct AppleStore: Sendable, CustomTestStringConvertible {
    /// The folder and the file.
    let name: String
    let original: URL

    var testDescription: String { name }

    /// The SQLite stores of the package.
    static let committed = stores(in: StudioSamples.package.appending(path: "Tests/CoreDataTests/Fixtures/Stores"))
    /// Those of the larger collection beside the package that the package has not; none where it is not at hand.
    static let more: [AppleStore] = {
        let collection = StudioSamples.package.deletingLastPathComponent().appending(path: "shared/fixtures/stores")
        let known = Set(committed.map(\.name))
        return stores(in: collection).filter { !known.contains($0.name) }
    }()
    /// All stores. One of Photos, with 59 entities, takes as long as all others: it is for full runs
    /// (`COREDATA_FULL_TESTS`).
    static let all = committed + more.filter { FullRun.isOn || !$0.name.contains("Photos") }

    /// The XML stores of the package, which Xcode made: documents of mapping models.
    static let xml: [AppleStore] = ["ModelDocumentTests", "ModelArchiveTests"].flatMap { tests in
        let folder = StudioSamples.package.appending(path: "Tests/\(tests)/Fixtures/Mappings")
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
        return paths.filter { $0.hasSuffix("/xcmapping.xml") }.sorted().map {
            AppleStore(name: $0, original: folder.appending(path: $0))
        }
    }

    private static func stores(in folder: URL) -> [AppleStore] {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
        return paths.filter { path in
            let isBeside = ["-wal", "-shm", "-journal", ".md"].contains { path.hasSuffix($0) }
            return !isBeside && path.split(separator: "/").count == 2 && !path.contains("/.")
        }.sorted().map { AppleStore(name: $0, original: folder.appending(path: $0)) }
    }

    /// A copy that may be written to, with all that lies beside the store.
    func copy() throws -> SampleStore {
        let support = ".\(original.deletingPathExtension().lastPathComponent)_SUPPORT"
        let beside = ["-wal", "-shm", "-journal"].map { original.lastPathComponent + $0 } + [support]
        let folder = original.deletingLastPathComponent()
        let files = [original] + beside.map { folder.appending(path: $0) }
        return try SampleStore.copy(files.filter { FileManager.default.fileExists(atPath: $0.path) })
    }
}

extension SampleStore {
    /// Copies a store, the first of the files, and the others.
    ///
    /// Another program does it. While this process has a file open, each program that it starts has it, too, for a
    /// moment: the end of that is noticed as the end of a write.
    static func copy(_ files: [URL]) throws -> SampleStore {
        let store = try SampleStore(files[0].lastPathComponent)
        let arguments = ["cp", "-a"] + files.map(\.path) + [store.folder.path]
        try #require(try StudioProcess.run(URL(filePath: "/usr/bin/env"), arguments).status == 0)
        try store.setWritable(true)
        return store
    }

    /// A file or a folder, with all that a write would change.
    struct FileState: Equatable {
        let bytes: Data?
        let inode: UInt
        let mode: UInt32
        /// When the bytes, and when anything else was changed last.
        let times: [Int]
    }

    /// All files of the folder, and the folder itself.
    func evidence() throws -> [String: FileState] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return try ([""] + paths).reduce(into: [:]) { $0[$1] = try state(folder.path + "/" + $1) }
    }

    private func state(_ path: String) throws -> FileState {
        var info = stat()
        guard lstat(path, &info) == 0 else { throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno)) }
        let isFile = info.st_mode & S_IFMT == S_IFREG
        return FileState(
            bytes: isFile ? try Data(contentsOf: URL(filePath: path)) : nil, inode: UInt(info.st_ino),
            mode: UInt32(info.st_mode),
            times: [info.st_mtim.tv_sec, info.st_mtim.tv_nsec, info.st_ctim.tv_sec, info.st_ctim.tv_nsec])
    }

    /// Lets the folder and all in it be written to, or only be read.
    func setWritable(_ isWritable: Bool) throws {
        for path in [""] + (try FileManager.default.subpathsOfDirectory(atPath: folder.path)) {
            let place = folder.path + "/" + path
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: place, isDirectory: &isFolder)
            let permissions = (isFolder.boolValue ? 0o555 : 0o444) | (isWritable ? 0o200 : 0)
            try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: place)
        }
    }
}
