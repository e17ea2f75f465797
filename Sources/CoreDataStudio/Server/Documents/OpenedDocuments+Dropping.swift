import Foundation

// Documents that are copies of what was dropped into a window.

extension OpenedDocuments {
    /// As many drops as may wait to be opened.
    private static let mostDrops = 16

    /// Makes a place for what is dropped.
    func beginDrop() throws -> JSON {
        guard drops.count < Self.mostDrops else {
            throw StudioError(.tooLarge, "Too much is being dropped at once.")
        }
        let id = Guard.secret()
        drops[id] = try DroppedFiles()
        return ["drop": .text(id)]
    }

    func drop(_ id: String) throws -> DroppedFiles {
        guard let drop = drops[id] else { throw StudioError(.notOpen, "Nothing is being dropped there.") }
        return drop
    }

    /// Forgets what was dropped.
    func cancelDrop(_ id: String) throws {
        try drop(id).remove()
        drops[id] = nil
    }

    /// Opens what was dropped: models can be edited and saved elsewhere, stores can be read.
    ///
    /// A document that can't be opened keeps no other one from it.
    ///
    /// - Returns: The identifiers of the documents, and a sentence for each that can't be opened.
    /// - Throws: What is wrong, where nothing can be opened.
    func openDrop(_ id: String) async throws -> (opened: [String], failures: [String]) {
        let drop = try drop(id)
        drops[id] = nil
        var opened: [String] = []
        var failures: [DropFailure] = []
        do {
            for document in try drop.documents() {
                do {
                    opened.append(try await open(document, isEdited: false, copy: drop))
                } catch { failures.append(DropFailure(document, error)) }
            }
            if opened.isEmpty { throw StudioError(failures) }
        } catch {
            drop.remove()
            throw error
        }
        return (opened, failures.map(\.sentence))
    }

    /// Saves a copy of a model at a place, and opens it there in the place of the copy.
    ///
    /// - Returns: The identifier of the document that it is now.
    /// - Throws: `invalidRequest` for a place that can't be; `unwritableFile`.
    func saveCopy(_ id: String, as path: String) async throws -> String {
        let entry = try entry(id)
        guard entry.copy != nil, let session = entry.session as? StudioSession else {
            throw StudioError(.invalidRequest, "Only a copy of a model can be saved at another place.")
        }
        let target = try Self.target(path, ending: session.url.pathExtension)
        try await session.write(to: target)
        let place = entries.firstIndex { $0.id == id }
        let new = try await open(.model(target), isEdited: false, at: place)
        try await close(id, discards: true)
        return new
    }

    /// Where a person wants a document that is not there yet.
    ///
    /// - Throws: `invalidRequest` for a folder that is not there, and for a place that is taken.
    static func target(_ path: String, ending: String) throws -> URL {
        var target = FolderListing.url(path)
        if target.pathExtension != ending { target.appendPathExtension(ending) }
        guard FileManager.default.fileExists(atPath: target.deletingLastPathComponent().path) else {
            throw StudioError(.invalidRequest, "There is no folder \(target.deletingLastPathComponent().path).")
        }
        guard !FileManager.default.fileExists(atPath: target.path) else {
            throw StudioError(.invalidRequest, "\(target.path) is there already. Choose another name.")
        }
        return target
    }
}

/// Why a document that was dropped can't be opened.
private struct DropFailure {
    let name: String
    let error: StudioError

    init(_ document: DocumentPlace, _ error: any Error) {
        (name, self.error) = (URL(filePath: document.location).lastPathComponent, StudioError(error))
    }

    var sentence: String { "\(name) can't be opened. \(error.message)" }
}

extension StudioError {
    /// What is told where nothing that was dropped can be opened: of several documents, each with its name.
    fileprivate init(_ failures: [DropFailure]) {
        guard failures.count > 1, let first = failures.first else {
            self = failures.first?.error ?? StudioError(.invalidRequest, "There is nothing to open.")
            return
        }
        self.init(first.error.code, failures.map(\.sentence).joined(separator: " "))
    }
}

extension StudioSession {
    /// Writes the document as it is now at another place. What the folder has besides goes with it.
    ///
    /// - Throws: `unwritableFile`; there is nothing at the place then.
    fileprivate func write(to target: URL) throws {
        do {
            try FileManager.default.copyItem(at: url, to: target)
            var files = try DocumentFiles(contentsOf: target)
            _ = try files.save(document.document)
        } catch {
            try? FileManager.default.removeItem(at: target)
            throw StudioError(.unwritableFile, "\(target.path) can't be written: \(StudioError(error).message)")
        }
    }
}
