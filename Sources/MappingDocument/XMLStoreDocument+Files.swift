import Foundation
import ModelFormat

extension XMLStoreDocument {
    /// Reads a mapping model.
    ///
    /// - Parameter url: a `.xcmappingmodel` folder, or the file `xcmapping.xml` in it.
    /// - Throws: `ModelDocumentError`, placed in the file.
    public init(contentsOf url: URL) throws {
        let file = Self.file(at: url)
        guard let data = try? Data(contentsOf: file) else {
            throw ModelDocumentError(
                .unreadableFile, "The file is missing, or cannot be read: check its permissions.", url: file)
        }
        do {
            try self.init(data: data)
        } catch let error as ModelDocumentError {
            throw error.at(file)
        }
    }

    /// Writes a mapping model, in one step; a file that would not change is left alone.
    ///
    /// - Parameter url: a `.xcmappingmodel` folder, which is made where it isn't there, or the file in it.
    /// - Throws: `ModelDocumentError` `unwritableContent`, or `unwritableFile` with the file.
    public func write(to url: URL) throws {
        try DocumentFile.write(try data(), to: Self.file(at: url))
    }

    private static func file(at url: URL) -> URL {
        url.pathExtension == "xcmappingmodel" ? url.appending(path: "xcmapping.xml") : url
    }
}
