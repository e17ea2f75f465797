import Foundation
import ModelArchive
import StoreBrowsing

/// The digests of a store's files, by which a look at them can be shown to have changed nothing.
struct EvidenceSeal: Equatable {
    /// Each file's SHA-256 in hexadecimal digits, by name; files that are not there are not listed.
    private let digests: [String: String]

    /// The store itself, and what SQLite may keep beside it.
    private static let suffixes = ["", "-wal", "-shm", "-journal"]

    init(_ store: URL) throws {
        var digests: [String: String] = [:]
        for suffix in Self.suffixes {
            let file = URL(fileURLWithPath: store.path + suffix)
            guard FileManager.default.fileExists(atPath: file.path) else { continue }
            digests[file.lastPathComponent] = try Self.digest(of: file)
        }
        self.digests = digests
    }

    /// Runs `body` between two looks at the files, and reports both.
    ///
    /// - Parameter store: The store; nil: no proof was asked for.
    /// - Throws: ``CommandFailure`` where the files have changed: another process is writing.
    static func keep<Result>(_ store: URL?, _ body: () throws -> Result) throws -> Result {
        guard let store else { return try body() }
        try StoreFileCheck.check(store)
        let before = try EvidenceSeal(store)
        before.tell("before")
        let result = Swift.Result { try body() }
        let after = try EvidenceSeal(store)
        after.tell("after ")
        guard before == after else {
            throw CommandFailure(
                .other, "The store’s files changed while they were read: another process writes to them.")
        }
        report("verified: nothing has changed")
        return try result.get()
    }

    private func tell(_ when: String) {
        for (name, digest) in digests.sorted(by: { $0.key.precedesByCodePoint($1.key) }) {
            report("\(when)  SHA-256 \(digest)  \(name)")
        }
    }

    private static func digest(of file: URL) throws -> String {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        var stream = SHA256Stream()
        while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty { stream.update(piece) }
        return stream.digest().hexadecimal
    }
}
