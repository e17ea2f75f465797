import Foundation
import ModelDocument

/// One mapping model being edited, by whatever number of browser tabs: the authority on what it says.
actor MappingSession {
    nonisolated let url: URL
    nonisolated let finder: ModelFinder
    /// Whether the document comes to the disk with the first save.
    nonisolated let isNew: Bool
    nonisolated let journal: Journal

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
    var recovery: Recovery?
    /// What the journal can't be written for; told once, for the work itself can go on.
    var journalFailure: String?
    var journalTask: Task<Void, Never>?

    /// Opens a document, or what a journal has of one that was never saved.
    ///
    /// - Parameters:
    ///   - url: An `.xcmappingmodel`.
    ///   - documents: Models that are at hand, besides those where the mapping says.
    /// - Throws: `StudioError` for a document that can't be read, or is in use.
    init(_ url: URL, documents: [URL] = []) throws {
        let url = url.standardizedFileURL
        let journal = Journal(besideDocument: url)
        let isThere = FileManager.default.fileExists(atPath: url.path)
        (self.url, self.journal) = (url, journal)
        finder = ModelFinder(mapping: url, documents: documents)
        if !isThere, let kept = Self.recovery(journal, nil).0 {
            (isNew, edited) = (true, kept.edited)
        } else {
            isNew = false
            do {
                let base = try Self.read(url)
                (self.base, edited) = (base, base.edited)
                (recovery, journalFailure) = Self.recovery(journal, base)
            } catch { throw StudioError(error) }
        }
        models = MappingModels(of: edited.mapping, finder)
        if isThere { lock = try DocumentLock(url) }
    }

    /// A document that is not on disk yet.
    init(new url: URL, _ mapping: MappingModel, documents: [URL]) throws {
        let url = url.standardizedFileURL
        (self.url, isNew, journal) = (url, true, Journal(besideDocument: url))
        finder = ModelFinder(mapping: url, documents: documents)
        edited = try EditedMapping(XMLStoreDocument(mapping))
        models = MappingModels(of: edited.mapping, finder)
        (recovery, journalFailure) = Self.recovery(journal, nil)
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
