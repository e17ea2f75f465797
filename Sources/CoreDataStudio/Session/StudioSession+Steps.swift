import Foundation
import ModelDocument

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
    /// - Throws: `conflict` if another user changed the same since, and whatever the actions throw; nothing is changed
    ///   then.
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
        "The same was changed in another window; this is what it says now. Look at it and try again.")

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
