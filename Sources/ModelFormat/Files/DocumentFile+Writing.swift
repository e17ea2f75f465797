import Foundation

extension DocumentFile {
    /// Replaces a file in one step and keeps its permissions; one that holds these bytes already is left alone.
    ///
    /// - Throws: `ModelDocumentError` `unwritableFile` with the file.
    package static func write(_ data: Data, to file: URL) throws {
        guard (try? Data(contentsOf: file)) != data else { return }
        try onDisk(file) {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            let permissions = try? FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
            try data.write(to: file, options: .atomic)
            if let permissions {
                try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: file.path)
            }
        }
    }

    /// Carries out what changes files, with its errors as ours.
    package static func onDisk(_ file: URL, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            throw ModelDocumentError(
                .unwritableFile, sentence: "The file cannot be written: \(whole: error.localizedDescription)", url: file
            )
        }
    }
}
