import Foundation
import ModelDocument

/// One document being edited, by whatever number of browser tabs: the authority on what it says.
///
/// Everything that changes something gives a new revision and an update, which goes to all tabs.
actor StudioSession {
    nonisolated let url: URL
    nonisolated let isNew: Bool
    /// Whether a new document began with a draft.
    nonisolated let isDrafted: Bool
    nonisolated let journal: Journal

    // What follows is changed by the extensions of this actor alone, each in its file.

    var document: EditedDocument
    var revision = 1
    var source: IDSource
    var history = UndoHistory()
    var files: DocumentFiles
    var disk = DocumentFiles.DiskState.same
    var recovery: Recovery?
    /// What the journal can't be written for; told once, for the work itself can go on.
    var journalFailure: String?
    var journalTask: Task<Void, Never>?
    var lock: DocumentLock?

    /// What each step changed, for telling whether a late action meets it.
    var touches: [(revision: Int, fields: TouchedFields)] = []
    var recordCache: [ElementID: VersionRecords] = [:]
    var problemCache: [ElementID: [Problem]] = [:]
    var subscribers: [UUID: AsyncStream<StudioEvent>.Continuation] = [:]

    /// Unsaved work of a run that did not end well.
    struct Recovery: Sendable {
        var entry: Journal.Entry
        /// Whether what is on disk is what the work was done on.
        var isOutdated: Bool
    }

    /// Opens a document.
    ///
    /// - Parameters:
    ///   - url: a `.xcdatamodeld` or `.xcdatamodel` folder.
    ///   - isNew: whether it is to be made; it comes to the disk with the first save.
    ///   - draft: what a new document begins with; nil for an empty model.
    /// - Throws: `StudioError` for a document that can't be read, is in use, or is there although it is to be new.
    init(_ url: URL, isNew: Bool = false, draft: VersionedModel? = nil) throws {
        let url = url.standardizedFileURL
        self.url = url
        self.isNew = isNew
        isDrafted = isNew && draft != nil
        journal = Journal(besideDocument: url)
        (document, files, source) = try Self.open(url, isNew: isNew, draft: draft)
        if !isNew { lock = try DocumentLock(url) }
        Drafts(besideDocument: url).removeLeftovers()
        (recovery, journalFailure) = Self.recovery(journal, files, document.document)
    }

    /// Whether a journal has a document that was never saved.
    static func isKept(_ url: URL) -> Bool {
        !FileManager.default.fileExists(atPath: url.path) && Journal(besideDocument: url).isThere
    }

    private static func open(
        _ url: URL, isNew: Bool, draft: VersionedModel?
    ) throws -> (EditedDocument, DocumentFiles, IDSource) {
        guard ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension) else {
            throw StudioError(
                .invalidRequest, "\(url.lastPathComponent) is no model: its name has to end in .xcdatamodeld.")
        }
        let isThere = FileManager.default.fileExists(atPath: url.path)
        var source = IDSource()
        if isNew {
            guard !isThere else {
                throw StudioError(.invalidRequest, "\(url.path) is there already; open it without --new.")
            }
            let parent = url.deletingLastPathComponent()
            guard FileManager.default.fileExists(atPath: parent.path) else {
                throw StudioError(.unreadableFile, "There is no folder \(parent.path) to make the model in.")
            }
            return (EditedDocument(draft ?? .newDocument(url), &source), DocumentFiles(new: url), source)
        }
        guard isThere else {
            let isKept = Journal(besideDocument: url).read() != nil
            throw StudioError(
                .unreadableFile,
                "There is no model at \(url.path); --new makes one\(isKept ? " and offers what was never saved of it" : "")."
            )
        }
        do {
            let files = try DocumentFiles(contentsOf: url)
            guard let base = files.base else { throw StudioError(.internal, "The document was not read.") }
            return (EditedDocument(base, &source), files, source)
        } catch { throw StudioError(error) }
    }

    /// What a journal that was left behind offers; nothing if the document says that already. One that can't be read is
    /// put aside, never deleted: a later release may read it.
    private static func recovery(
        _ journal: Journal, _ files: DocumentFiles, _ document: VersionedModel
    ) -> (Recovery?, failure: String?) {
        guard journal.isThere else { return (nil, nil) }
        guard let entry = journal.read(), let recovered = try? entry.recovered(files) else {
            return (nil, "What an earlier run kept can't be read; it is put aside as \(journal.putAside().path).")
        }
        guard files.base == nil || recovered != document else {
            journal.remove()
            return (nil, nil)
        }
        return (Recovery(entry: entry, isOutdated: !entry.isBased(on: files)), nil)
    }

    /// Whether there is something to save.
    var isDirty: Bool { files.base != document.document }

    var undoTitle: String? { history.undoTitle }
    var redoTitle: String? { history.redoTitle }
}

extension VersionedModel {
    /// A new document as Xcode makes it.
    fileprivate static func newDocument(_ url: URL) -> VersionedModel {
        var model = Model()
        model.documentInfo = .newDocument()
        model.versionIdentifiers = [""]
        return VersionedModel(name: url.deletingPathExtension().lastPathComponent, model: model)
    }
}
