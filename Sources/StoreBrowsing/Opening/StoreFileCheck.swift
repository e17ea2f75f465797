import CoreData
import Foundation

/// Tells what is wrong with a file that should be a store, where SQLite would say the same of all of them.
package enum StoreFileCheck {
    private static let magic = Data("SQLite format 3\0".utf8)
    private static let headerSize = 100
    /// How much of a file tells its kind.
    private static let startSize = 512

    /// - Throws: ``ToolFailure`` for a file that is missing, foreign, encrypted or truncated.
    package static func check(_ url: URL) throws {
        let path = url.path
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw ToolFailure(.missingFile, "There is no file at \(path).")
        }
        if isFolder.boolValue { throw ToolFailure(.foreign, "\(path) is a folder, not a store.") }
        guard let file = SharedFile(path), let start = file.read(upTo: startSize) else {
            throw ToolFailure(.other, "There is no permission to read \(path).")
        }
        let header = start.prefix(headerSize)
        try checkKind(start, path: path)
        // A log may hold pages that the file lacks; only an empty file's log is worth nothing to SQLite.
        if !hasLog(url) { try checkSize(header, size: UInt64(file.size), path: path) }
    }

    /// Whether there is anything in a log or journal beside the store.
    package static func hasLog(_ url: URL) -> Bool {
        ["-wal", "-journal"].contains { suffix in
            let attributes = try? FileManager.default.attributesOfItem(atPath: url.path + suffix)
            return (attributes?[.size] as? NSNumber)?.int64Value ?? 0 > 0
        }
    }

    /// Whether a file is an XML document, but no store.
    static func isForeignXML(_ url: URL) -> Bool {
        let start = SharedFile(url.path)?.read(upTo: startSize) ?? Data()
        return start.starts(with: Data("<?xml".utf8)) && !isXMLStore(start)
    }

    private static func isXMLStore(_ start: Data) -> Bool { start.range(of: Data("CoreData.dtd".utf8)) != nil }

    private static func checkKind(_ header: Data, path: String) throws {
        if header.isEmpty { throw ToolFailure(.damaged, "\(path) is empty.") }
        guard header.starts(with: magic.prefix(header.count)) else {
            if let kind = knownKind(header) {
                throw ToolFailure(.foreign, "\(path) is \(kind), not an SQLite store.")
            }
            throw ToolFailure(.encrypted, "\(path) does not begin as an SQLite database does: it is encrypted.")
        }
    }

    private static func checkSize(_ header: Data, size: UInt64, path: String) throws {
        guard header.count == headerSize else {
            throw ToolFailure(.damaged, "\(path) is truncated: its header is not complete.")
        }
        let expected = pageCount(header) * pageSize(header)
        if size < expected {
            throw ToolFailure(.damaged, "\(path) is truncated: it has \(size) bytes of \(expected).")
        }
    }

    private static func pageSize(_ header: Data) -> UInt64 {
        let size = integer(header, at: 16, bytes: 2)
        return size == 1 ? 65_536 : size
    }

    /// The number of pages, or 0 where the header does not vouch for it (old versions of SQLite did not keep it).
    private static func pageCount(_ header: Data) -> UInt64 {
        integer(header, at: 24, bytes: 4) == integer(header, at: 92, bytes: 4) ? integer(header, at: 28, bytes: 4) : 0
    }

    private static func integer(_ header: Data, at offset: Int, bytes: Int) -> UInt64 {
        header.dropFirst(offset).prefix(bytes).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// What a file is that is neither a database nor encrypted.
    private static func knownKind(_ header: Data) -> String? {
        let signatures: [([UInt8], String)] = [
            (Array("bplist".utf8), "a binary property list"), (Array("PK\u{3}\u{4}".utf8), "a zip archive"),
            ([0x1F, 0x8B, 0x08], "a gzip file"), ([0x89, 0x50, 0x4E, 0x47], "an image"),
            ([0xFF, 0xD8, 0xFF], "an image"),
            (Array("%PDF".utf8), "a PDF document"), (Array("<?xml".utf8), "an XML document"),
            ([0x7F, 0x45, 0x4C, 0x46], "a program"), ([0x37, 0x7F, 0x06, 0x82], "a write-ahead log"),
            ([0x37, 0x7F, 0x06, 0x83], "a write-ahead log"),
        ]
        if isXMLStore(header) { return "an XML store of Core Data" }
        if let known = signatures.first(where: { header.starts(with: $0.0) }) { return known.1 }
        if isText(header) { return "a text" }
        return header.allSatisfy { $0 == 0 } ? "a file of zeros" : nil
    }

    private static func isText(_ header: Data) -> Bool {
        guard header.allSatisfy({ $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }) else { return false }
        // The last character may be cut in two.
        return (0..<4).contains { String(validating: header.dropLast($0), as: UTF8.self) != nil }
    }
}
