import Foundation
import ModelDocument
import StoreBrowsing

/// Where a document is that a studio opens.
package enum DocumentPlace: Sendable {
    /// A `.xcdatamodeld` or `.xcdatamodel` folder, which is to be made if it is new, of a draft or of nothing.
    case model(URL, isNew: Bool = false, draft: VersionedModel? = nil)
    /// An `.xcmappingmodel` folder.
    case mapping(URL)
    /// A file or a database.
    case store(StorePlace)

    /// The place that a path or a URL names: folders and what ends in `.xcdatamodeld` are models, all else is a store.
    ///
    /// - Throws: `ToolFailure` for a URL that libpq does not understand.
    package init(_ argument: String) throws {
        if Self.isMapping(argument) {
            self = .mapping(URL(fileURLWithPath: argument))
            return
        }
        self = Self.isModel(argument) ? .model(URL(fileURLWithPath: argument)) : .store(try StorePlace(argument))
    }

    package static func isMapping(_ path: String) -> Bool {
        !StorePlace.isDatabase(path) && URL(fileURLWithPath: path).pathExtension == mappingEnding
    }

    static let mappingEnding = "xcmappingmodel"

    package static func isModel(_ path: String) -> Bool {
        if StorePlace.isDatabase(path) { return false }
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        return modelEndings.contains(URL(fileURLWithPath: path).pathExtension) || exists && isFolder.boolValue
    }

    static let modelEndings: Set = ["xcdatamodeld", "xcdatamodel"]

    var kind: DocumentKind {
        switch self {
        case .model: .model
        case .mapping: .mapping
        case .store: .store
        }
    }

    /// The path, or the URL without a password, as ``StudioDocument/location`` has it.
    var location: String {
        switch self {
        case .model(let url, _, _), .mapping(let url): url.standardizedFileURL.path
        case .store(let place): place.name
        }
    }

    /// The folder of a model.
    var modelURL: URL? {
        if case .model(let url, _, _) = self { url } else { nil }
    }

    /// Opens what is there.
    ///
    /// - Parameters:
    ///   - models: The models for stores that carry none.
    ///   - mustFit: Whether a model is taken only if it has the store's entities.
    ///   - isEdited: Whether a store may be changed.
    /// - Throws: `StudioError`, `ToolFailure` for what can't be opened.
    func open(models: [URL], mustFit: Bool, isEdited: Bool) throws -> any StudioDocument {
        switch self {
        case .model(let url, let isNew, let draft): return try StudioSession(url, isNew: isNew, draft: draft)
        case .mapping(let url): return try MappingSession(url, documents: models)
        case .store(let place):
            let session = try StoreSession(
                place, modelsAt: models, mustFit: mustFit, isEdited: isEdited, journals: StoreSession.journals)
            session.listenToStore()
            return session
        }
    }
}
