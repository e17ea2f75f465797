import Foundation
import ModelDocument
import ModelExchange
import StoreBrowsing

// Models that are made in the studio: empty ones, and drafts of what other programs have.

extension OpenedDocuments {
    /// The largest file that a draft is made of, in bytes.
    private static let mostBytes = 256 << 20

    /// Makes a model. It comes to the disk when it is saved.
    ///
    /// - Parameters:
    ///   - path: Where it will be; `.xcdatamodeld` is added if its name has another ending.
    ///   - source: A file or the URL of a database, of which a draft is made; nil for an empty model.
    /// - Returns: The document's identifier, and what was decided for the draft, a sentence each.
    /// - Throws: `invalidRequest` for a place that can't be, or a source of no use; `inUse` for one that is open;
    ///   `tooLarge`; what is wrong with the source.
    func makeModel(at path: String, from source: String?) async throws -> (id: String, notes: [String]) {
        let target = try Self.target(path, ending: "xcdatamodeld")
        try refuseOpen(target)
        let name = target.deletingPathExtension().lastPathComponent
        // A database may take its time; the other documents go on.
        let (session, notes) = try await Task.detached {
            let draft = try source.map(Self.draft)
            let document = draft?.document(named: name)
            return (try StudioSession(target, isNew: true, draft: document), draft?.notes ?? [])
        }.value
        // Another window may have made it meanwhile.
        do { try refuseOpen(target) } catch {
            await session.giveUp()
            throw error
        }
        // A draft is unsaved as it is.
        if session.isDrafted { await session.scheduleJournal() }
        return (add(session), notes)
    }

    private func refuseOpen(_ target: URL) throws {
        guard !entries.contains(where: { $0.session.location == target.path }) else {
            throw StudioError(.inUse, "\(target.path) is open already. Choose another name.")
        }
    }

    private static func draft(_ source: String) throws -> ModelDraft {
        if StorePlace.isDatabase(source) { return try DraftSource.draft(source).draft }
        let file = FolderListing.url(source)
        guard StoreFileKind.isRegular(file.resolvingSymlinksInPath()) else {
            throw StudioError(.invalidRequest, "There is no file \(file.path) that a model can be made of.")
        }
        let size = try? FileManager.default.attributesOfItem(atPath: file.resolvingSymlinksInPath().path)[.size] as? Int
        guard let size, size <= mostBytes else {
            throw StudioError(
                .tooLarge,
                "\(file.path) has more than \(mostBytes >> 20) MB. “coredata model draft” takes larger files.")
        }
        return try DraftSource.draft(file.path).draft
    }
}
