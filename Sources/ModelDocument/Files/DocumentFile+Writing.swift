import Foundation

extension DocumentFile {
    /// Replaces a file in one step; one that holds these bytes already is left alone.
    ///
    /// - Throws: `ModelDocumentError` `unwritableFile` with the file.
    static func write(_ data: Data, to file: URL) throws {
        guard (try? Data(contentsOf: file)) != data else { return }
        try onDisk(file) {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try data.write(to: file, options: .atomic)
        }
    }

    /// Carries out what changes files, with its errors as ours.
    static func onDisk(_ file: URL, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            throw ModelDocumentError(
                .unwritableFile, "The file cannot be written: \(error.localizedDescription)", url: file)
        }
    }
}
