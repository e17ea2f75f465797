import Foundation

/// One file of a model document or a mapping model, by what it holds.
package struct DocumentFile: Sendable, Hashable {
    /// What a file holds.
    package enum Kind: Sendable, Hashable, CaseIterable {
        /// A model: `contents` in a `.xcdatamodel`.
        case model
        /// A model of the binary kind of Xcode 3: `elements` in a `.xcdatamodel`.
        case binaryModel
        /// The list of versions, `.xccurrentversion` in a `.xcdatamodeld`.
        case versionList
        /// A mapping model: `xcmapping.xml` in a `.xcmappingmodel`.
        case mappingModel

        fileprivate var fileName: String {
            switch self {
            case .model: "contents"
            case .binaryModel: "elements"
            case .versionList: ".xccurrentversion"
            case .mappingModel: "xcmapping.xml"
            }
        }

        fileprivate var folderExtension: String {
            switch self {
            case .model, .binaryModel: "xcdatamodel"
            case .versionList: "xcdatamodeld"
            case .mappingModel: "xcmappingmodel"
            }
        }
    }

    package var url: URL
    package var kind: Kind

    /// The files of all documents at a path: a file, a document, or any folder with documents somewhere below it.
    ///
    /// - Returns: the files in the order of their paths; links are not followed.
    /// - Throws: `ModelDocumentError` `unreadableFile`, or `notAModel` for a file that is none.
    package static func files(at url: URL) throws -> [DocumentFile] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw ModelDocumentError(.unreadableFile, "There is no such file or folder.", url: url)
        }
        guard isFolder.boolValue else { return [try DocumentFile(named: url)] }
        guard let paths = try? FileManager.default.subpathsOfDirectory(atPath: url.path) else {
            throw ModelDocumentError(.unreadableFile, "The folder cannot be read: check its permissions.", url: url)
        }
        return paths.sorted().compactMap { DocumentFile(inDocument: url.appending(path: $0)) }
    }

    private init(url: URL, kind: Kind) {
        self.url = url
        self.kind = kind
    }

    /// A file that lies where it belongs.
    private init?(inDocument url: URL) {
        let (name, folder) = (url.lastPathComponent, url.deletingLastPathComponent().pathExtension)
        let kind = Kind.allCases.first { $0.fileName == name && $0.folderExtension == folder }
        guard let kind else { return nil }
        self.init(url: url, kind: kind)
    }

    /// A file by its name alone.
    private init(named url: URL) throws {
        guard let kind = Kind.allCases.first(where: { $0.fileName == url.lastPathComponent }) else {
            throw ModelDocumentError(
                .notAModel,
                sentence:
                    "The file is none of a model document: those are named \(list: Kind.allCases.map(\.fileName)).",
                url: url)
        }
        self.init(url: url, kind: kind)
    }
}
