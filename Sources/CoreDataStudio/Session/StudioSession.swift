import Foundation
import ModelDocument

/// One document being edited, by whatever number of browser tabs: the authority on what it says.
///
/// Everything that changes something gives a new revision and an update, which goes to all tabs.
actor StudioSession {
    nonisolated let url: URL
    private(set) var document: EditedDocument
    private(set) var revision = 1
    private var source: IDSource
    private var history = UndoHistory()
    private(set) var files: DocumentFiles
    private(set) var disk = DocumentFiles.DiskState.same
    nonisolated let isNew: Bool

    nonisolated let journal: Journal
    private(set) var recovery: Recovery?
    /// What the journal can't be written for; told once, for the work itself can go on.
    private(set) var journalFailure: String?
    private var journalTask: Task<Void, Never>?
    private var lock: DocumentLock?

    /// What each step changed, for telling whether a late action meets it.
    private var touches: [(revision: Int, fields: TouchedFields)] = []
    private var recordCache: [ElementID: VersionRecords] = [:]
    private var problemCache: [ElementID: [Problem]] = [:]
    private var subscribers: [UUID: AsyncStream<StudioEvent>.Continuation] = [:]

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
    /// - Throws: `StudioError` for a document that can't be read, is in use, or is there although it is to be new.
    init(_ url: URL, isNew: Bool = false) throws {
        let url = url.standardizedFileURL
        self.url = url
        self.isNew = isNew
        journal = Journal(besideDocument: url)
        (document, files, source) = try Self.open(url, isNew: isNew)
        if !isNew { lock = try DocumentLock(url) }
        recovery = Self.recovery(journal, files, document.document)
        if recovery == nil { journal.remove() }
    }

    private static func open(_ url: URL, isNew: Bool) throws -> (EditedDocument, DocumentFiles, IDSource) {
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
            return (EditedDocument(.newDocument(url), &source), DocumentFiles(new: url), source)
        }
        guard isThere else {
            throw StudioError(.unreadableFile, "There is no model at \(url.path); --new makes one.")
        }
        do {
            let files = try DocumentFiles(contentsOf: url)
            guard let base = files.base else { throw StudioError(.internal, "The document was not read.") }
            return (EditedDocument(base, &source), files, source)
        } catch { throw StudioError(error) }
    }

    /// What a journal that was left behind offers; nothing if the document says that already.
    private static func recovery(
        _ journal: Journal, _ files: DocumentFiles, _ document: VersionedModel
    ) -> Recovery? {
        guard let entry = journal.read(), let recovered = try? entry.recovered(files),
            files.base == nil || recovered != document
        else { return nil }
        return Recovery(entry: entry, isOutdated: !entry.isBased(on: files))
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

// MARK: - Steps

extension StudioSession {
    /// Several actions that are one step.
    struct StepRequest: Sendable, Decodable {
        /// The revision that the tab had before its eyes.
        var revision: Int
        var client: String?
        var actions: [AnyAction]
        var title: String?
        var merge: String?
    }

    /// Carries out a step.
    ///
    /// - Throws: `conflict` if somebody else changed the same since, and whatever the actions throw; nothing is changed then.
    func perform(_ request: StepRequest) throws -> Update {
        guard let first = request.actions.first else {
            throw StudioError(.invalidRequest, "There are no actions in the request.")
        }
        guard (1...revision).contains(request.revision) else {
            throw StudioError(.invalidRequest, "There is no revision \(request.revision); the last is \(revision).")
        }
        let isLate = request.revision < revision
        let title = request.title ?? first.action.title(in: document)
        var draft = source
        var result = document
        do {
            for action in request.actions { result = try result.applying(action.action, &draft) }
            try checkThatItCanBeSaved(result)
        } catch {
            let error = StudioError(error)
            // What is not there any more was there when the tab asked for it.
            throw isLate && error.code == .unknownElement ? Self.conflict : error
        }
        let changes = changes(to: result)
        if isLate {
            let since = touches.filter { $0.revision > request.revision }
            guard !since.contains(where: { $0.fields.meets(changes.touched) }) else { throw Self.conflict }
        }
        source = draft
        // A step that was late does not hide in one of before it.
        return commit(
            result, changes, title, merge: isLate ? nil : request.merge.map { "\(request.client ?? "")\u{0}\($0)" },
            client: request.client, isMerged: isLate)
    }

    /// What can't be said in a document is refused at once, not when it is saved.
    private func checkThatItCanBeSaved(_ result: EditedDocument) throws {
        let former = Dictionary(uniqueKeysWithValues: document.document.versions.map { ($0.name, $0.model) })
        for version in result.document.versions where former[version.name] != version.model {
            _ = try version.model.contents()
        }
        guard files.isSingleVersion else { return }
        let isOneVersion = result.document.versions.map(\.name) == document.document.versions.map(\.name)
        guard isOneVersion, result.document.versionList == document.document.versionList else {
            throw StudioError(
                .invalidEdit,
                "An .xcdatamodel holds one version, which is named like it. Make an .xcdatamodeld folder around it to have more."
            )
        }
    }

    private static let conflict = StudioError(
        .conflict,
        "Somebody else changed the same in another window; this is what it says now. Look at it and try again.")

    func undo(client: String?) throws -> Update {
        guard let step = history.undo(from: document) else {
            throw StudioError(.invalidEdit, "There is nothing to undo.")
        }
        return show(step.document, client: client)
    }

    func redo(client: String?) throws -> Update {
        guard let step = history.redo(from: document) else {
            throw StudioError(.invalidEdit, "There is nothing to redo.")
        }
        return show(step.document, client: client)
    }

    /// A whole other state of the document, as one step.
    func replace(with new: VersionedModel, _ title: String, client: String?) -> Update {
        let result = document.changed(to: new, &source)
        return commit(result, changes(to: result), title, merge: nil, client: client, isMerged: false)
    }

    private func commit(
        _ result: EditedDocument, _ changes: RecordChanges, _ title: String, merge: String?, client: String?,
        isMerged: Bool
    ) -> Update {
        if result.document != document.document {
            history.add(title, from: document, merge: merge)
        }
        return take(result, changes, client: client, isMerged: isMerged)
    }

    /// Shows a state that history has.
    private func show(_ result: EditedDocument, client: String?) -> Update {
        take(result, changes(to: result), client: client, isMerged: false)
    }

    private func take(
        _ result: EditedDocument, _ changes: RecordChanges, client: String?, isMerged: Bool
    ) -> Update {
        let stale = result.changedVersions(since: document)
        document = result
        revision += 1
        touches.append((revision, changes.touched))
        for id in stale { (recordCache[id], problemCache[id]) = (nil, nil) }
        let present = Set(result.trees.map(\.id))
        recordCache = recordCache.filter { present.contains($0.key) }
        scheduleJournal()
        let update = update(changes, versions: stale, client: client, isMerged: isMerged)
        publish(.update(update))
        return update
    }

    /// What a state of the document would change in the records.
    private func changes(to result: EditedDocument) -> RecordChanges {
        var changes = RecordChanges()
        for id in result.changedVersions(since: document) {
            changes.add(from: records(ofVersion: id), to: result.records(ofVersion: id))
        }
        return changes
    }
}

extension EditedDocument {
    /// The versions that are new, gone, or otherwise than before.
    func changedVersions(since former: EditedDocument) -> [ElementID] {
        let (now, before) = (versionsByID, former.versionsByID)
        return now.keys.filter { id in
            guard let old = before[id], let new = now[id] else { return true }
            return old != new || (currentVersion == id) != (former.currentVersion == id)
        } + before.keys.filter { now[$0] == nil }
    }

    private var versionsByID: [ElementID: VersionedModel.Version] {
        Dictionary(uniqueKeysWithValues: zip(trees.map(\.id), document.versions))
    }

    /// The records of a version; `nil` if there is no such version.
    func records(ofVersion id: ElementID) -> VersionRecords? {
        guard let index = trees.firstIndex(where: { $0.id == id }) else { return nil }
        return VersionRecords(document.versions[index], trees[index], isCurrent: currentVersion == id)
    }
}

// MARK: - What others ask for

extension StudioSession {
    func records(ofVersion id: ElementID) -> VersionRecords? {
        if let records = recordCache[id] { return records }
        let records = document.records(ofVersion: id)
        recordCache[id] = records
        return records
    }

    func problems(ofVersion id: ElementID) -> [Problem] {
        if let problems = problemCache[id] { return problems }
        guard let index = document.trees.firstIndex(where: { $0.id == id }) else { return [] }
        let problems = Problem.all(in: document.document.versions[index].model, document.trees[index])
        problemCache[id] = problems
        return problems
    }

    /// Events from now on, until whoever listens stops.
    func events() -> AsyncStream<StudioEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: StudioEvent.self, bufferingPolicy: .bufferingNewest(256))
        let key = UUID()
        subscribers[key] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { await self?.unsubscribe(key) }
        }
        return stream
    }

    private func unsubscribe(_ key: UUID) { subscribers[key] = nil }

    func publish(_ event: StudioEvent) {
        for subscriber in subscribers.values { subscriber.yield(event) }
    }
}

// MARK: - Files

extension StudioSession {
    /// Writes what changed.
    ///
    /// - Throws: `changedOnDisk` if somebody else wrote and `overwrites` is false; `unwritableFile`.
    func save(overwrites: Bool, client: String?) throws -> Update {
        checkDisk()
        guard overwrites || disk == .same else {
            throw StudioError(
                .changedOnDisk,
                "\(url.lastPathComponent) was changed on disk by somebody else. Reload it, compare, or save over it.")
        }
        let paths: [String]
        do {
            if disk != .same { try files.acknowledgeDisk() }
            // A folder that is made anew is another one.
            if disk == .missing { lock = nil }
            paths = try files.save(document.document)
        } catch { throw StudioError(error) }
        if lock == nil { lock = try? DocumentLock(url) }
        disk = .same
        history.close()
        journalTask?.cancel()
        journalTask = nil
        journal.remove()
        recovery = nil
        var update = update(RecordChanges(), versions: [], client: client, isMerged: false)
        update.saved = paths
        publish(.update(update))
        return update
    }

    /// Looks whether somebody else wrote the files, and tells the tabs.
    func checkDisk() {
        let state = files.check()
        guard state != disk else { return }
        disk = state
        publish(.disk(state))
    }

    /// What the user decides after somebody else wrote the files.
    enum DiskChoice: String, Sendable, Codable { case reload, keep }

    func resolveDisk(_ choice: DiskChoice, client: String?) throws -> Update {
        checkDisk()
        let onDisk: VersionedModel?
        do { onDisk = try VersionedModel(contentsOf: url) } catch {
            if choice == .reload { throw StudioError(error) }
            onDisk = nil
        }
        do { try files.adopt(onDisk) } catch { throw StudioError(error) }
        disk = .same
        if choice == .reload, let onDisk, onDisk != document.document {
            return replace(with: onDisk, "Reload from Disk", client: client)
        }
        scheduleJournal()
        let update = update(RecordChanges(), versions: [], client: client, isMerged: false)
        publish(.update(update))
        return update
    }
}

// MARK: - The journal

extension StudioSession {
    enum RecoveryChoice: String, Sendable, Codable { case recover, discard }

    /// Takes up the work of a run that did not end well, or lets it go.
    func resolveRecovery(_ choice: RecoveryChoice, client: String?) throws -> Update {
        guard let recovery else { throw StudioError(.invalidEdit, "There is nothing to recover.") }
        let recovered: VersionedModel?
        do { recovered = choice == .recover ? try recovery.entry.recovered(files) : nil } catch {
            throw StudioError(error)
        }
        self.recovery = nil
        if let recovered { return replace(with: recovered, "Recover Unsaved Changes", client: client) }
        journal.remove()
        if isDirty { scheduleJournal() }
        let update = update(RecordChanges(), versions: [], client: client, isMerged: false)
        publish(.update(update))
        return update
    }

    /// Has the journal written soon; what comes until then goes with it.
    private func scheduleJournal() {
        guard recovery == nil, journalTask == nil else { return }
        journalTask = Task { [weak self] in
            try? await Task.sleep(for: .milliseconds(300))
            guard !Task.isCancelled else { return }
            await self?.writeJournal()
        }
    }

    /// Writes down what is unsaved, or removes the journal where nothing is.
    func writeJournal() {
        journalTask = nil
        // What an earlier run left is not replaced before somebody decided about it.
        guard recovery == nil else { return }
        guard isDirty, !isUntouchedNew else { return journal.remove() }
        do {
            try journal.write(Journal.Entry(document.document, files))
            journalFailure = nil
        } catch {
            journalFailure = StudioError(error).message
        }
    }

    private var isUntouchedNew: Bool { isNew && files.base == nil && revision == 1 }

    /// Ends the session: the journal stays where something is unsaved.
    ///
    /// - Returns: whether something is.
    func close() -> Bool {
        journalTask?.cancel()
        writeJournal()
        publish(.closing)
        for subscriber in subscribers.values { subscriber.finish() }
        subscribers = [:]
        return isDirty && !isUntouchedNew
    }
}
