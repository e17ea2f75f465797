import Foundation
import ModelArchive

/// A folder that binary values are written to.
final class BlobFolder {
    private let folder: URL

    /// - Parameter store: The store. Nothing may be written in the folder of its file.
    /// - Throws: ``CommandFailure`` where that would put files beside the evidence, or the folder can't be made.
    init(path: String, store: StorePlace) throws {
        folder = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        if case .file(let store) = store,
            folder.standardizedFileURL.path == store.deletingLastPathComponent().standardizedFileURL.path
        {
            throw CommandFailure(.other, "\(path) is the store's own folder, which stays as it is; name another one.")
        }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure(.other, "The folder \(path) can't be made: \(error.localizedDescription)")
        }
    }

    /// Writes data to a file of its own and describes it: file, size and SHA-256.
    ///
    /// - Parameter place: Object and attribute, `Player/p3.photo`, from which the file has its name.
    /// - Throws: ``CommandFailure`` where the file exists already or can't be written.
    func write(_ data: Data, for place: String) throws -> [String: JSONValue] {
        let name = Self.fileName(place) + "." + Self.fileExtension(of: data)
        let file = folder.appendingPathComponent(name)
        do {
            try data.write(to: file, options: .withoutOverwriting)
        } catch {
            let exists = FileManager.default.fileExists(atPath: file.path)
            throw CommandFailure(
                .other,
                exists ? "\(file.path) exists already." : "\(file.path) can't be written: \(error.localizedDescription)"
            )
        }
        return [
            "file": .string(name), "bytes": .int(Int64(data.count)),
            "sha256": .string(Digest.sha256(data).hexadecimal),
        ]
    }

    /// `Player/p3.photo` as a file's name; what could lead out of the folder or upset a shell becomes an underscore.
    private static func fileName(_ place: String) -> String {
        let name = place.replacing("/", with: "-").unicodeScalars.map { scalar -> Character in
            let isPlain = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            return isPlain || "-._".unicodeScalars.contains(scalar) ? Character(scalar) : "_"
        }
        return String(String(name).drop { $0 == "." })
    }

    /// The usual ending for what the first bytes say.
    private static func fileExtension(of data: Data) -> String {
        let signatures: [([UInt8], String)] = [
            ([0xFF, 0xD8, 0xFF], "jpg"), ([0x89, 0x50, 0x4E, 0x47], "png"), (Array("GIF8".utf8), "gif"),
            (Array("%PDF".utf8), "pdf"), (Array("bplist".utf8), "plist"), (Array("PK\u{3}\u{4}".utf8), "zip"),
            ([0x1F, 0x8B], "gz"), ([0x49, 0x49, 0x2A, 0x00], "tiff"), ([0x4D, 0x4D, 0x00, 0x2A], "tiff"),
            (Array("SQLite format 3".utf8), "sqlite"), (Array("<?xml".utf8), "xml"), (Array("RIFF".utf8), "riff"),
            (Array("OggS".utf8), "ogg"), (Array("ID3".utf8), "mp3"),
        ]
        if let known = signatures.first(where: { data.starts(with: $0.0) }) { return known.1 }
        if data.dropFirst(4).starts(with: Array("ftyphei".utf8)) { return "heic" }
        if data.dropFirst(4).starts(with: Array("ftyp".utf8)) { return "mp4" }
        if data.first == UInt8(ascii: "{") || data.first == UInt8(ascii: "["),
            (try? JSONSerialization.jsonObject(with: data)) != nil
        {
            return "json"
        }
        return "bin"
    }
}
