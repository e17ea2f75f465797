import CoreData
import Foundation
import ModelDocument
import StoreBrowsing

/// A store that is browsed, by whatever number of browser tabs. It is opened as evidence and never changed, unless it
/// is opened for editing.
///
/// Two connections work beside each other. One reads what is on the screen, the other what takes longer: all keys of a
/// query, and exports.
actor StoreSession {
    nonisolated let place: StorePlace
    /// The model that the store is read with: its own, the one that was given, or what its tables say.
    nonisolated let model: Model
    nonisolated let identifier: String?
    /// What the user should know of the store, a sentence each.
    nonisolated let notes: [String]

    nonisolated let memory: StoreMemory
    nonisolated let screen: ReadingQueue
    nonisolated let background: ReadingQueue
    /// The changes that are not saved; nil where the store is open for reading alone.
    nonisolated let edits: StagedChanges?
    /// Where the changes are written down; nil where that can't be done.
    nonisolated let journal: StagedJournal?
    nonisolated let watch = StoreWatch()
    /// The models that were given for a store that has none in it.
    nonisolated let openedWith: [String]

    // What follows is changed by the extensions of this actor alone, each in its file.

    var lists = RowLists()
    var counts: [String: EntityCount]?
    var tickets = ExportTickets()
    var following = Following()
    var listeners = StoreListeners()
    /// How often what was found in the store was forgotten.
    var age = 0
    /// The file that was given last to be imported.
    var importDraft: ImportDraft?
    var journalTask: Task<Void, Never>?
    /// The last write of the journal.
    var journalWrite: Task<String?, Never>?
    /// Whether something was changed since the journal was written.
    var isJournalStale = false

    /// Opens a store.
    ///
    /// - Parameters:
    ///   - place: An SQLite file, or a database.
    ///   - documents: The models for a store that has none in it.
    ///   - mustFit: Whether a model is taken only if it has the store's entities.
    ///   - isEdited: Whether the store may be changed.
    ///   - journals: Where the journals of all stores are; nil to write none.
    ///   - watch: Opens a store that is read and tells of what others save; it gives nil for a file.
    /// - Throws: `ToolFailure` for what is no store, or can't be read.
    init(
        _ place: StorePlace, modelsAt documents: [URL] = [], mustFit: Bool = false, isEdited: Bool = false,
        journals: URL? = nil, watch: (OpenedStore) throws -> LiveStore? = ReadingQueue.watched
    ) throws {
        self.place = place
        let stamp = StoreStamp(of: place)
        var lines: [String] = []
        var models: [String] = []
        var store = try OpenedStore(place) { lines.append($0) }
        if store.model == nil, let document = documents.first(where: store.fits) ?? documents.first,
            !mustFit || store.fits(document)
        {
            (lines, models) = ([], [document.path])
            store = try OpenedStore(place, models: models) { lines.append($0) }
        }
        openedWith = models
        model = try store.readingModel()
        identifier = store.identifier
        memory = StoreMemory(of: store.identifier ?? place.name)
        if isEdited {
            let live = try LiveStore(LiveStore.Place(store), for: .editing)
            let edits = StagedChanges(live)
            self.edits = edits
            let identifier = store.identifier
            journal = journals.flatMap { Self.journal(place, identifier, $0, edits) }
            (screen, background) = (ReadingQueue(QuerySession(live)), ReadingQueue(QuerySession(live)))
        } else {
            (edits, journal) = (nil, nil)
            let queues = try ReadingQueue.pair(reading: store, watch: watch)
            (screen, background) = (queues.screen, queues.background)
            following = Following(stamp: stamp, database: queues.database)
            if let note = queues.note { lines.append(note) }
        }
        // Each connection says the same about the model.
        notes = lines.reduce(into: []) { known, line in if !known.contains(line) { known.append(line) } }
    }

    /// What the page has to know first.
    func schema() async throws -> JSON {
        let (entities, hasHistory) = try await screen.read { session in
            let entities = session.model.entities.filter { $0.name != nil }
                .sorted { ($0.name ?? "") < ($1.name ?? "") }
                .map { JSON.schema(of: $0, searched: session.searchedAttributes(of: $0)) }
            return (entities, session.hasHistory)
        }
        return [
            "name": .text(place.title), "path": .text(place.name), "identifier": .optional(identifier),
            "notes": .array(notes.map(JSON.text)), "entities": .array(entities), "hasHistory": .bool(hasHistory),
            "isEdited": .bool(edits != nil),
        ]
    }
}

extension QuerySession {
    /// The attributes of which the store has an index for full-text search.
    fileprivate func searchedAttributes(of entity: NSEntityDescription) -> [String] {
        // A mark that can't be kept is no reason to show nothing.
        guard (try? context.hasSearchIndex(of: entity)) == true else { return [] }
        return (try? context.searchedAttributes(of: entity).names) ?? []
    }
}

extension OpenedStore {
    /// Whether a model has all entities of the store.
    fileprivate func fits(_ document: URL) -> Bool {
        guard let versions = try? VersionedModel(contentsOf: document) else { return false }
        let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
        let names = hashes.isEmpty ? Set(entityNames) : Set(hashes.keys)
        return versions.versions.contains { names.isSubset(of: $0.model.entities.map(\.name)) }
    }
}

extension JSON {
    fileprivate static func schema(of entity: NSEntityDescription, searched: [String]) -> JSON {
        [
            "name": .optional(entity.name), "parent": .optional(entity.superentity?.name),
            "isAbstract": .bool(entity.isAbstract),
            "title": .array(ObjectTitles().keys(of: entity).map(JSON.text)),
            "properties": .array(ShownProperty.all(of: entity).map(\.json)),
            "searched": .array(searched.map(JSON.text)),
        ]
    }
}
