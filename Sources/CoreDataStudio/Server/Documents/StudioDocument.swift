import Foundation
import StoreBrowsing

/// What a document of a studio is. Another kind has a case here, a page, a case in ``DocumentPlace``, and a session
/// that is a ``StudioDocument``.
enum DocumentKind: String, Sendable, CaseIterable, Codable {
    case model, mapping, store

    /// The page that shows documents of the kind.
    var page: String {
        switch self {
        case .model: "/"
        case .mapping: "/mapping"
        case .store: "/data"
        }
    }

    /// What the kind is, in sentences.
    var title: String {
        switch self {
        case .model: "a model"
        case .mapping: "a mapping model"
        case .store: "a store"
        }
    }
}

/// A session of a studio, as its tab knows it.
protocol StudioDocument: Sendable {
    var kind: DocumentKind { get }
    /// What the tab is called.
    var tabTitle: String { get }
    /// The path, or the URL without a password.
    var location: String { get }
    /// Whether something would be lost if the document were closed.
    func isUnsaved() async -> Bool
    /// Looks whether other programs changed the document. It is called once a second.
    func lookAround() async
    /// Writes down what is unsaved, and ends: the studio ends.
    func finish() async -> UnsavedChanges
    /// Ends, and gives up what is unsaved: the tab is closed.
    func giveUp() async
}

extension StudioSession: StudioDocument {
    nonisolated var kind: DocumentKind { .model }
    nonisolated var tabTitle: String { url.lastPathComponent }
    nonisolated var location: String { url.path }

    func isUnsaved() -> Bool { isDirty && !isUntouchedNew }
    func lookAround() { checkDisk() }
    func finish() -> UnsavedChanges { close() }

    func giveUp() {
        journalTask?.cancel()
        // What an earlier run left stays until the person decides about it.
        if recovery == nil { journal.remove() }
        for subscriber in subscribers.values { subscriber.finish() }
        subscribers = [:]
        lock = nil
    }
}

extension MappingSession: StudioDocument {
    nonisolated var kind: DocumentKind { .mapping }
    nonisolated var tabTitle: String { url.lastPathComponent }
    nonisolated var location: String { url.path }

    func isUnsaved() -> Bool { isDirty }
    func lookAround() {}

    func finish() -> UnsavedChanges {
        defer { end() }
        return keepLeftovers()
    }

    func giveUp() {
        giveUpChanges()
        end()
    }

    private func end() {
        _ = cancelJob()
        for feed in feeds.values { feed.finish() }
        feeds = [:]
        unlock()
    }
}

extension StoreSession: StudioDocument {
    nonisolated var kind: DocumentKind { .store }
    nonisolated var tabTitle: String { place.title }
    nonisolated var location: String { place.name }

    func isUnsaved() async -> Bool { await unsavedCount() > 0 }
    func lookAround() {}

    func finish() async -> UnsavedChanges {
        let unsaved = await keepChanges()
        listeners.finish()
        // A log that stays beside the file is no loss: the next program that opens it takes it over.
        try? await close()
        return unsaved
    }

    func giveUp() async {
        await giveUpChanges()
        listeners.finish()
        try? await close()
    }
}
