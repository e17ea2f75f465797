import Foundation

/// The documents of a studio, in the order of their tabs. All windows have the same ones.
actor OpenedDocuments {
    struct Entry: Sendable {
        /// Names the document in requests: `d1`. It is never used again for another one.
        let id: String
        fileprivate(set) var session: any StudioDocument
        /// The folder of a copy that was dropped into the window; nil for what lies where it is.
        let copy: DroppedFiles?
        /// As it was found last: a busy store would keep a window waiting.
        var isUnsaved = false
        /// Whether the store is closed while its file is migrated.
        fileprivate(set) var isMigrating = false
    }

    /// Whether stores may be opened to be changed.
    nonisolated let editsStores: Bool
    nonisolated let recent: RecentDocuments

    private(set) var entries: [Entry] = []
    private var lastNumber = 0
    private var opening: Set<String> = []
    /// The documents that are looked at just now.
    private var looking: Set<String> = []
    private var listeners: [UUID: AsyncStream<DocumentsEvent>.Continuation] = [:]
    private var lastTold: JSON = .null
    /// What is being dropped, by its identifier.
    var drops: [String: DroppedFiles] = [:]

    init(_ sessions: [any StudioDocument], editsStores: Bool, recent: RecentDocuments = RecentDocuments()) {
        (self.editsStores, self.recent) = (editsStores, recent)
        entries = sessions.enumerated().map { Entry(id: "d\($0 + 1)", session: $1, copy: nil) }
        lastNumber = sessions.count
        for session in sessions { recent.add(session) }
    }

    // MARK: What a request is about

    /// The document with an identifier, or without one the first of each kind.
    ///
    /// - Parameter withOthers: Whether the first ones of the other kinds are beside the document.
    /// - Throws: `notOpen` for an identifier of none.
    func things(_ id: String?, withOthers: Bool = false) throws -> OpenedThings {
        guard let id else { return OpenedThings(entries.reversed(), in: self) }
        let entry = try entry(id)
        let others = withOthers ? entries.reversed().filter { $0.session.kind != entry.session.kind } : []
        return OpenedThings(others + [entry], in: self)
    }

    func entry(_ id: String) throws -> Entry {
        guard let entry = entries.first(where: { $0.id == id }) else {
            throw StudioError(.notOpen, "This document is not open any more.")
        }
        return entry
    }

    // MARK: Opening

    /// Opens a document, or finds it where it is open already.
    ///
    /// - Parameters:
    ///   - copy: The dropped files that it is one of.
    ///   - place: Which tab it becomes; nil for the last one.
    /// - Returns: Its identifier.
    /// - Throws: `inUse` while it is being opened; what is wrong with the document.
    func open(
        _ document: DocumentPlace, isEdited: Bool, copy: DroppedFiles? = nil, at place: Int? = nil
    ) async throws -> String {
        let location = document.location
        if let known = entries.first(where: { $0.session.kind == document.kind && $0.session.location == location }) {
            return known.id
        }
        guard opening.insert(location).inserted else {
            throw StudioError(.inUse, "\(location) is being opened already.")
        }
        defer { opening.remove(location) }
        let models = entries.compactMap { ($0.session as? StudioSession)?.url }
        // A database may take its time; the other documents go on.
        let session = try await Task.detached { () -> any StudioDocument in
            // Models that are open for other reasons need not fit a store without one.
            try document.open(models: models, mustFit: true, isEdited: isEdited)
        }.value
        lastNumber += 1
        let entry = Entry(id: "d\(lastNumber)", session: session, copy: copy)
        entries.insert(entry, at: min(place ?? entries.count, entries.count))
        if copy == nil { recent.add(session) }
        tell()
        return entry.id
    }

    /// Has a document open that was made.
    ///
    /// - Returns: Its identifier.
    func add(_ session: any StudioDocument) -> String {
        lastNumber += 1
        let entry = Entry(id: "d\(lastNumber)", session: session, copy: nil)
        entries.append(entry)
        recent.add(session)
        tell()
        return entry.id
    }

    /// Takes a store, which is closed, away while `body` changes its file, and opens it anew behind that.
    ///
    /// - Throws: What `body` throws, and `unreadableStore` for a store that can't be opened any more.
    func exchange(_ old: StoreSession, _ body: @Sendable () async throws -> Void) async throws {
        func place() -> Int? { entries.firstIndex { $0.session as? StoreSession === old } }
        guard let first = place() else { return }
        let id = entries[first].id
        entries[first].isMigrating = true
        let result: Result<Void, any Error>
        do {
            try await body()
            result = .success(())
        } catch { result = .failure(error) }
        defer {
            if let index = entries.firstIndex(where: { $0.id == id }) { entries[index].isMigrating = false }
        }
        await old.endJournal()
        let models = entries.compactMap { ($0.session as? StudioSession)?.url }
        let new = try StoreSession(
            old.place, modelsAt: models, mustFit: models.count > 1, isEdited: true, journals: StoreSession.journals)
        new.listenToStore()
        if let now = place() { entries[now].session = new }
        await old.wasReplaced()
        try result.get()
    }

    /// Closes a document.
    ///
    /// - Throws: `unsaved` if something would be lost, unless it is to be.
    func close(_ id: String, discards: Bool) async throws {
        let entry = try entry(id)
        if !discards, await entry.session.isUnsaved() {
            throw StudioError(
                .unsaved, "\(entry.session.tabTitle) has changes that are not saved. Save them, or discard them.")
        }
        entries.removeAll { $0.id == id }
        // Windows hear of it before their streams end.
        tell()
        await entry.session.giveUp()
        if !entries.contains(where: { $0.copy === entry.copy }) { entry.copy?.remove() }
    }

    /// Gives the tabs another order.
    ///
    /// - Throws: `invalidRequest` unless all documents are named once.
    func reorder(_ ids: [String]) throws {
        let known = Dictionary(entries.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let sorted = ids.compactMap { known[$0] }
        guard ids.count == entries.count, Set(sorted.map(\.id)).count == entries.count else {
            throw StudioError(.invalidRequest, "The order has to name each open document once.")
        }
        entries = sorted
        tell()
    }

    // MARK: What windows are told

    var list: JSON {
        [
            "editsStores": .bool(editsStores),
            "documents": .array(entries.map(\.json)),
        ]
    }

    /// Looks at each document, and tells the windows of what is unsaved. A busy document keeps no other one waiting.
    func lookAround() {
        for entry in entries where looking.insert(entry.id).inserted {
            Task {
                await entry.session.lookAround()
                found(entry.id, isUnsaved: await entry.session.isUnsaved())
            }
        }
    }

    private func found(_ id: String, isUnsaved: Bool) {
        looking.remove(id)
        guard let place = entries.firstIndex(where: { $0.id == id }) else { return }
        entries[place].isUnsaved = isUnsaved
        tell()
    }

    private func tell() {
        let list = list
        guard list != lastTold else { return }
        lastTold = list
        for listener in listeners.values { listener.yield(DocumentsEvent(json: list)) }
    }

    /// What a window is told of the documents, until it goes.
    func events() -> AsyncStream<DocumentsEvent> {
        let (events, feed) = AsyncStream.makeStream(of: DocumentsEvent.self, bufferingPolicy: .bufferingNewest(4))
        let id = UUID()
        listeners[id] = feed
        // What was told between reading the list and listening is not missed.
        feed.yield(DocumentsEvent(json: list))
        feed.onTermination = { [weak self] _ in Task { await self?.stopTelling(id) } }
        return events
    }

    private func stopTelling(_ id: UUID) { listeners[id] = nil }

    /// Ends all documents with the studio.
    ///
    /// - Returns: What became of unsaved changes.
    func finish() async -> UnsavedChanges {
        var all: [UnsavedChanges] = []
        var kept: [DroppedFiles] = []
        for entry in entries {
            let unsaved = await entry.session.finish()
            all.append(unsaved)
            if unsaved != .none, let copy = entry.copy { kept.append(copy) }
        }
        // A copy with unsaved changes is where they are kept.
        for copy in entries.compactMap(\.copy) where !kept.contains(where: { $0 === copy }) { copy.remove() }
        drops.values.forEach { $0.remove() }
        for listener in listeners.values { listener.finish() }
        return UnsavedChanges(all)
    }
}

extension OpenedDocuments.Entry {
    fileprivate var json: JSON {
        [
            "id": .text(id), "kind": .text(session.kind.rawValue), "page": .text(session.kind.page),
            "name": .text(session.tabTitle), "location": .text(copy == nil ? session.location : session.tabTitle),
            "isCopy": .bool(copy != nil), "isUnsaved": .bool(isUnsaved),
            "isEdited": .bool((session as? StoreSession)?.edits != nil),
        ]
    }
}

/// The documents are others now, or in another order, or saved.
struct DocumentsEvent: ServerSentEvent {
    let json: JSON
    var name: String { "documents" }
}

extension UnsavedChanges {
    /// What became of the changes of several documents.
    fileprivate init(_ all: [UnsavedChanges]) {
        var (kept, lost): ([String], [String]) = ([], [])
        for each in all {
            switch each {
            case .none: break
            case .kept(let path): kept.append(path)
            case .lost(let reason): lost.append(reason)
            }
        }
        let paths = kept.joined(separator: ", ")
        if lost.isEmpty {
            self = kept.isEmpty ? .none : .kept(paths)
        } else {
            self = .lost((lost + (kept.isEmpty ? [] : ["Others are kept in \(paths)."])).joined(separator: " "))
        }
    }
}
