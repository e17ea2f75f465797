import CSQLite
import CZlib
import Foundation
import Testing

/// What a store of Apple's framework says of its model. The store is copied before it is opened.
struct StoreSample: Sendable, CustomTestStringConvertible {
    let url: URL
    /// The compiled model in the store, decompressed; nil if it has none.
    let modelCache: Data?
    let hashes: [String: Data]
    let digest: String?
    let checksum: String?

    var testDescription: String { url.lastPathComponent }

    init(_ url: URL) throws {
        self.url = url
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: url.path + suffix) {
            let copy = folder.appending(path: "store" + suffix)
            try Data(contentsOf: URL(filePath: url.path + suffix)).write(to: copy)
        }
        let store = folder.appending(path: "store").path
        modelCache = try Self.blob("SELECT Z_CONTENT FROM Z_MODELCACHE", in: store).map(Self.inflated)
        let metadata =
            try Self.blob("SELECT Z_PLIST FROM Z_METADATA", in: store)
            .flatMap { try PropertyListSerialization.propertyList(from: $0, format: nil) as? [String: Any] } ?? [:]
        hashes = metadata["NSStoreModelVersionHashes"] as? [String: Data] ?? [:]
        digest = metadata["NSStoreModelVersionHashesDigest"] as? String
        checksum = metadata["NSStoreModelVersionChecksumKey"] as? String
    }

    /// The first value of a query; nil where there is no row or no such table.
    private static func blob(_ query: String, in path: String) throws -> Data? {
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        guard sqlite3_open(path, &connection) == SQLITE_OK else { throw CocoaError(.fileReadUnknown) }
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(connection, query, -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW, let bytes = sqlite3_column_blob(statement, 0)
        else { return nil }
        return Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, 0)))
    }

    /// Raw deflate, as the model cache is compressed.
    private static func inflated(_ data: Data) throws -> Data {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(&stream, -15, ZLIB_VERSION, size) == Z_OK else { throw CocoaError(.fileReadCorruptFile) }
        defer { inflateEnd(&stream) }
        var input = Array(data)
        var output = [UInt8](repeating: 0, count: 1 << 20)
        let count = output.count
        let status = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(target.count)
                return inflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END else { throw CocoaError(.fileReadCorruptFile) }
        return Data(output[..<(count - Int(stream.avail_out))])
    }
}
