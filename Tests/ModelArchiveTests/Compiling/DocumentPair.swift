import Foundation
import ModelArchive
import ModelDocument
import Testing

/// A document and what Xcode compiled it to.
struct DocumentPair: Sendable, CustomTestStringConvertible {
    /// The `.momd` or `.mom` among the compiled models.
    var compiled: String
    /// Folder and name among the documents.
    var document: String
    /// Why the document says something else than what was compiled, by version; such a version is not compared.
    var edited: [String: String] = [:]

    var testDescription: String { compiled }

    /// The pairs with both sides at hand.
    static let all = known.filter { $0.compiledURL != nil && $0.documentURL != nil }

    /// Whether the pairs that only the whole collection has are among them.
    static var isComplete: Bool { all.count == known.count }

    private static let known = [
        DocumentPair(
            compiled: "AppRatingPrompt.momd",
            document: "duckduckgo-iOS-AppRatingPrompt/AppRatingPrompt.xcdatamodeld"),
        DocumentPair(
            compiled: "BookmarksAndFolders.momd",
            document: "duckduckgo-iOS-BookmarksAndFolders/BookmarksAndFolders.xcdatamodeld"),
        DocumentPair(
            compiled: "CartStorage.momd", document: "Karim-ezzedine-CartKit-CartStorage/CartStorage.xcdatamodeld"),
        DocumentPair(
            compiled: "Contacts.mom", document: "ZeeQL-ZeeQL3-Contacts/Contacts.xcdatamodel",
            edited: ["Contacts": "The template got its limits after the model was compiled."]),
        DocumentPair(
            compiled: "HTTPSUpgrade.momd",
            document: "duckduckgo-BrowserServicesKit-HTTPSUpgrade/HTTPSUpgrade.xcdatamodeld"),
        DocumentPair(
            compiled: "SampleModel.momd", document: "alemar11-CoreDataPlus-SampleModel/SampleModel.xcdatamodeld",
            edited: ["SampleModel": "The attribute “color” got its class after the model was compiled."]),
        DocumentPair(
            compiled: "SampleModel3.momd", document: "alemar11-CoreDataPlus-SampleModel3/SampleModel3.xcdatamodeld"),
        DocumentPair(compiled: "SwiftGen-Model.momd", document: "SwiftGen-SwiftGen-Model/Model.xcdatamodeld"),
        DocumentPair(
            compiled: "XMPPMessageArchiving.momd",
            document: "robbiehanson-XMPPFramework-XMPPMessageArchiving/XMPPMessageArchiving.xcdatamodeld"),
        DocumentPair(
            compiled: "XMPPRoom.momd", document: "robbiehanson-XMPPFramework-XMPPRoom/XMPPRoom.xcdatamodeld"),
        DocumentPair(
            compiled: "XMPPRoomHybrid.momd",
            document: "robbiehanson-XMPPFramework-XMPPRoomHybrid/XMPPRoomHybrid.xcdatamodeld"),
    ]

    private var compiledURL: URL? { Samples.first(compiled, in: Samples.compiledFolders) }
    private var documentURL: URL? { Samples.first(document, in: Samples.documentFolders) }

    /// The document, compiled by us.
    func ours() throws -> CompiledDocument {
        try CompiledDocument(ModelDocumentFolder(contentsOf: try #require(documentURL)))
    }

    /// Both archives of every version that both sides have.
    func versions() throws -> [(name: String, apples: Data, ours: Data)] {
        let url = try #require(compiledURL)
        switch try ours().content {
        case .file(let data):
            return [(url.deletingPathExtension().lastPathComponent, try Data(contentsOf: url), data)]
        case .folder(let files):
            return try files.sorted { $0.key < $1.key }.filter { $0.key.hasSuffix(".mom") }.compactMap { name, data in
                let file = url.appending(path: name)
                guard FileManager.default.fileExists(atPath: file.path) else { return nil }
                return (String(name.dropLast(4)), try Data(contentsOf: file), data)
            }
        }
    }

    /// Both version infos, for a folder, as Foundation reads them.
    func versionInfos() throws -> (apples: [String: Any], ours: [String: Any])? {
        guard case .folder(let files) = try ours().content else { return nil }
        let apples = try Data(contentsOf: try #require(compiledURL).appending(path: "VersionInfo.plist"))
        let lists = try [apples, try #require(files["VersionInfo.plist"])].map {
            try #require(try PropertyListSerialization.propertyList(from: $0, format: nil) as? [String: Any])
        }
        return (lists[0], lists[1])
    }
}
