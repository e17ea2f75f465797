import Foundation
import ModelArchive

/// A folder that binary values are written to.
package final class BlobFolder {
    private let folder: URL

    /// - Parameter store: The store. Nothing may be written in the folder of its file.
    /// - Throws: ``ToolFailure`` where that would put files beside the evidence, or the folder can't be made.
    package init(path: String, store: StorePlace) throws {
        folder = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        if case .file(let store) = store,
            folder.standardizedFileURL.path == store.deletingLastPathComponent().standardizedFileURL.path
        {
            throw ToolFailure(.other, "\(path) is the store's own folder, which stays as it is; name another one.")
        }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw ToolFailure(.other, "The folder \(path) can't be made: \(error.localizedDescription)")
        }
    }

    /// Writes data to a file of its own and describes it: file, size and SHA-256.
    ///
    /// - Parameter place: Object and attribute, `Player/p3.photo`, from which the file has its name.
    /// - Throws: ``ToolFailure`` where the file exists already or can't be written.
    package func write(_ data: Data, for place: String) throws -> [String: JSONValue] {
        let name = Self.fileName(place) + "." + DataKind(of: data).fileExtension
        let file = folder.appendingPathComponent(name)
        do {
            try data.write(to: file, options: .withoutOverwriting)
        } catch {
            let exists = FileManager.default.fileExists(atPath: file.path)
            throw ToolFailure(
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
}
