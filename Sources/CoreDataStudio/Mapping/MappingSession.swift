import Foundation
import ModelDocument

/// One mapping model being edited, by whatever number of browser tabs: the authority on what it says.
actor MappingSession {
    nonisolated let url: URL
    nonisolated let finder: ModelFinder
    /// Whether the document comes to the disk with the first save.
    nonisolated let isNew: Bool

    // What follows is changed by the extensions of this actor alone, each in its file.

    var edited: EditedMapping
    var models: MappingModels
    var revision = 1
    var past: [MappingStep] = []
    var future: [MappingStep] = []
    /// What is on disk as far as we know; nil before the first save of a new document.
    var base: (edited: EditedMapping, data: Data)?
    var lock: DocumentLock?
    var feeds: [UUID: AsyncStream<MappingEvent>.Continuation] = [:]
    var job: MappingJob?

    /// Opens a document.
    ///
    /// - Parameters:
    ///   - url: An `.xcmappingmodel`.
    ///   - documents: Models that are at hand, besides those where the mapping says.
    /// - Throws: `StudioError` for a document that can't be read, or is in use.
    init(_ url: URL, documents: [URL] = []) throws {
        let url = url.standardizedFileURL
        (self.url, isNew) = (url, false)
        finder = ModelFinder(mapping: url, documents: documents)
        do {
            let base = try Self.read(url)
            (self.base, edited) = (base, base.edited)
        } catch { throw StudioError(error) }
        models = MappingModels(of: edited.mapping, finder)
        lock = try DocumentLock(url)
    }

    /// A document that is not on disk yet.
    init(new url: URL, _ mapping: MappingModel, documents: [URL]) throws {
        let url = url.standardizedFileURL
        (self.url, isNew) = (url, true)
        finder = ModelFinder(mapping: url, documents: documents)
        edited = try EditedMapping(XMLStoreDocument(mapping))
        models = MappingModels(of: edited.mapping, finder)
    }

    static func read(_ url: URL) throws -> (edited: EditedMapping, data: Data) {
        let file = file(of: url)
        guard let data = try? Data(contentsOf: file) else {
            throw ModelDocumentError(
                .unreadableFile, "The file is missing, or cannot be read: check its permissions.", url: file)
        }
        do {
            return (try EditedMapping(XMLStoreDocument(data: data)), data)
        } catch let error as ModelDocumentError {
            throw StudioError(.unreadableFile, "\(error.message) (\(file.path))")
        }
    }

    static func file(of url: URL) -> URL { url.appending(path: "xcmapping.xml") }

    /// Whether there is something to save.
    var isDirty: Bool { base?.edited.mapping != edited.mapping }
}

/// A step that can be taken back.
struct MappingStep: Sendable {
    var title: String
    /// The document on the other side of the step.
    var edited: EditedMapping
    /// Steps that follow each other with the same mark become one.
    var merge: String?
}
