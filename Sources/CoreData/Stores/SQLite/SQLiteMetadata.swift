import CZlib
import Foundation
import ModelArchive
import PropertyLists

/// The one row of `Z_METADATA`, and the tables that make a database a store.
package struct SQLiteMetadata {
    /// The store's UUID; nil in a damaged store.
    package let identifier: String?
    /// The property list, as it is; empty where it is NULL.
    package let values: [String: Any]

    /// What an app sees: the list with the store's UUID and type in it.
    var published: [String: Any] {
        var all = values
        all[NSStoreUUIDKey] = identifier ?? ""
        all[NSStoreTypeKey] = values[NSStoreTypeKey] ?? NSSQLiteStoreType
        return all
    }

    /// Reads the metadata of a store.
    ///
    /// - Throws: 259 where the database is no store, its metadata can't be read, or they have no UUID, by which its
    ///   objects are told from other stores'; ``SQLiteError``.
    static func read(_ connection: SQLiteConnection) throws -> SQLiteMetadata {
        let names = try connection.names(ofKind: "table")
        guard names.contains("Z_METADATA"), names.contains("Z_PRIMARYKEY") else {
            throw corrupt(
                connection, "is an SQLite database, but not a Core Data store",
                "Z_METADATA or Z_PRIMARYKEY is missing.")
        }
        let row = try connection.newStatement(SQLStoreTables.metadataSelection)
        guard try row.step() else { throw corrupt(connection, "has no metadata", "Z_METADATA is empty.") }
        let (identifier, plist) = (row.text(0), row.blob(1))
        guard let identifier, !identifier.isEmpty else {
            throw corrupt(connection, "has damaged metadata", "Z_UUID is missing: the store has no identifier.")
        }
        guard let plist, !plist.isEmpty else { return SQLiteMetadata(identifier: identifier, values: [:]) }
        guard let values = try? PropertyListValue.foundationValue(of: plist) as? [String: Any]
        else {
            throw corrupt(connection, "has damaged metadata", "Z_PLIST is not a property list.")
        }
        return SQLiteMetadata(identifier: identifier, values: values)
    }

    /// Reads what there is of a store's metadata, for tools that look at a store that may be damaged.
    ///
    /// - Returns: The metadata, and a sentence where something of it is missing.
    package static func look(_ connection: SQLiteConnection) throws -> (metadata: SQLiteMetadata, problem: String?) {
        let row = try connection.newStatement(SQLStoreTables.metadataSelection)
        guard try row.step() else {
            return (SQLiteMetadata(identifier: nil, values: [:]), "The store has no metadata: Z_METADATA is empty.")
        }
        let (identifier, plist) = (row.text(0), row.blob(1))
        guard let plist, !plist.isEmpty else {
            return (SQLiteMetadata(identifier: identifier, values: [:]), "The store’s metadata has no property list.")
        }
        let values = try? PropertyListValue.foundationValue(of: plist) as? [String: Any]
        return (
            SQLiteMetadata(identifier: identifier, values: values ?? [:]),
            values == nil ? "The store’s metadata is damaged: Z_PLIST is no property list." : nil
        )
    }

    /// Writes the row, with everything in `published` but the UUID in the property list.
    static func write(_ published: [String: Any], identifier: String, to connection: SQLiteConnection) throws {
        var values = published
        values[NSStoreUUIDKey] = nil
        let plist: Data
        do {
            plist = try PropertyListValue(foundation: values).binary
        } catch {
            throw NSError.cocoa(
                NSPersistentStoreSaveError, "The store's metadata could not be written.",
                reason: "Metadata may hold strings, numbers, dates, data, and arrays and dictionaries of these.",
                userInfo: [NSUnderlyingErrorKey: error])
        }
        let statement = try connection.statement(SQLStoreTables.metadataWriting)
        statement.bind(1, text: identifier)
        statement.bind(2, blob: plist)
        try statement.run()
    }

    // MARK: The model in the store

    /// The bytes that a model's archive may have, some hundred times those of the largest known: few bytes of a hostile
    /// file would else become as many as the memory holds.
    static let largestModelCache = 64 << 20

    /// The archive of the model that made the store, or nil where it has none.
    package static func modelCache(_ connection: SQLiteConnection) throws -> Data? {
        guard try connection.names(ofKind: "table").contains("Z_MODELCACHE") else { return nil }
        let row = try connection.newStatement(SQLStoreTables.modelSelection)
        guard try row.step(), let packed = row.blob(0), !packed.isEmpty else { return nil }
        do {
            return try RawDeflate.inflate(packed, limit: largestModelCache)
        } catch {
            throw corrupt(connection, "has a damaged model", "Z_MODELCACHE: \(error)")
        }
    }

    static func writeModelCache(_ archive: Data, to connection: SQLiteConnection) throws {
        let statement = try connection.newStatement(SQLStoreTables.modelInsertion)
        statement.bind(1, blob: try RawDeflate.deflate(archive))
        try statement.run()
    }

    private static func corrupt(_ connection: SQLiteConnection, _ what: String, _ reason: String) -> NSError {
        let name = (connection.path as NSString).lastPathComponent
        return .cocoa(
            259, "The file “\(name)” \(what).", reason: reason, userInfo: [NSFilePathErrorKey: connection.path])
    }
}

/// Deflate streams without a header, as stores compress their model.
enum RawDeflate {
    private static let windowBits: Int32 = -15
    private static let version = ZLIB_VERSION
    private static let chunk = 64 * 1024

    /// What is wrong with a stream, in a sentence.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The stream's content.
    ///
    /// - Parameter limit: The bytes that the content may have; no more memory than that is taken.
    /// - Throws: ``Failure`` for what is no stream, is cut off, or has more content.
    static func inflate(_ packed: Data, limit: Int) throws -> Data {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        try check(inflateInit2_(&stream, windowBits, version, size))
        defer { inflateEnd(&stream) }
        return try run(&stream, packed, Z_NO_FLUSH, limit: limit) { CZlib.inflate(&$0, $1) }
    }

    static func deflate(_ data: Data) throws -> Data {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        let code = deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, version, size)
        try check(code)
        defer { deflateEnd(&stream) }
        return try run(&stream, data, Z_FINISH, limit: .max) { CZlib.deflate(&$0, $1) }
    }

    private static func run(
        _ stream: inout z_stream, _ input: Data, _ flush: Int32, limit: Int, step: (inout z_stream, Int32) -> Int32
    ) throws -> Data {
        var output = Data()
        var buffer = [UInt8](repeating: 0, count: chunk)
        // zlib does not write to its input, though the type of the pointer says so.
        var source = [UInt8](input)
        try source.withUnsafeMutableBufferPointer { source in
            stream.next_in = source.baseAddress
            stream.avail_in = UInt32(source.count)
            var code = Z_OK
            while code != Z_STREAM_END {
                let written = buffer.withUnsafeMutableBufferPointer { target in
                    stream.next_out = target.baseAddress
                    stream.avail_out = UInt32(chunk)
                    code = step(&stream, flush)
                    return chunk - Int(stream.avail_out)
                }
                guard written <= limit - output.count else {
                    throw Failure(description: "The deflate stream has more than \(limit) bytes of content.")
                }
                output.append(contentsOf: buffer[..<written])
                // No progress: the stream is cut off.
                guard code == Z_STREAM_END || (code == Z_OK && (written > 0 || stream.avail_in > 0)) else {
                    throw failure(code)
                }
            }
        }
        return output
    }

    private static func check(_ code: Int32) throws {
        if code != Z_OK { throw failure(code) }
    }

    private static func failure(_ code: Int32) -> Failure {
        Failure(description: "The deflate stream is damaged or cut off (zlib's code \(code)).")
    }
}
