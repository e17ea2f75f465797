import Foundation
import ModelDocument

/// What changed, as all tabs learn it.
struct Update: Sendable {
    var revision: Int
    var client: String?
    var changes: RecordChanges
    var problems: [ElementID: [Problem]]
    var status: SessionStatus
    /// Whether the step was made on an older revision and put on top of others' steps.
    var isMerged: Bool
    /// What a save wrote.
    var saved: [String]?

    var json: JSON {
        var members = status.members
        members["revision"] = .integer(revision)
        members["client"] = .optional(client)
        members["changed"] = .object(
            Dictionary(uniqueKeysWithValues: changes.changed.map { ($0.rawValue, .object($1)) }))
        members["removed"] = .ids(changes.removed.sorted { $0.rawValue < $1.rawValue })
        members["created"] = .ids(changes.topmostCreated)
        members["problems"] = .object(
            Dictionary(uniqueKeysWithValues: problems.map { ($0.rawValue, .array($1.map(\.json))) }))
        members["merged"] = .bool(isMerged)
        if let saved { members["saved"] = .array(saved.map(JSON.text)) }
        return .object(members)
    }
}

/// What the window's frame shows.
struct SessionStatus: Sendable {
    var versions: [ElementID]
    var currentVersion: ElementID
    var undo: String?
    var redo: String?
    var undoStep: Int?
    var redoStep: Int?
    var isDirty: Bool
    var disk: JSON
    var recovery: JSON
    var journalFailure: String?

    var members: [String: JSON] {
        [
            "versions": .ids(versions), "currentVersion": .text(currentVersion.rawValue), "undo": .optional(undo),
            "redo": .optional(redo), "undoStep": .optional(undoStep), "redoStep": .optional(redoStep),
            "isDirty": .bool(isDirty), "disk": disk, "recovery": recovery,
            "journalFailure": .optional(journalFailure),
        ]
    }
}

/// What tabs are told without asking.
enum StudioEvent: Sendable {
    case update(Update)
    case disk(DocumentFiles.DiskState)
    case closing(UnsavedChanges)

    var name: String {
        switch self {
        case .update: "update"
        case .disk: "disk"
        case .closing: "closing"
        }
    }

    var json: JSON {
        switch self {
        case .update(let update): update.json
        case .disk(let state): ["disk": state.json]
        case .closing(.none): ["unsaved": "none", "message": nil]
        case .closing(.kept(let path)): ["unsaved": "kept", "message": .text(path)]
        case .closing(.lost(let reason)): ["unsaved": "lost", "message": .text(reason)]
        }
    }
}

extension DocumentFiles.DiskState {
    var json: JSON {
        switch self {
        case .same: ["status": "same", "message": nil, "paths": []]
        case .changed(let paths):
            [
                "status": "changed", "message": "Another program changed the model on disk.",
                "paths": .array(paths.map(JSON.text)),
            ]
        case .unreadable(let message): ["status": "unreadable", "message": .text(message), "paths": []]
        case .missing: ["status": "missing", "message": "The model is not on disk any more.", "paths": []]
        }
    }
}

extension StudioSession.Recovery {
    var json: JSON {
        [
            "savedAt": .text(entry.savedAt),
            "differs": true, "isOutdated": .bool(isOutdated),
            "paths": .array((entry.files.keys.sorted() + entry.removed).map(JSON.text)),
        ]
    }
}

extension StudioSession {
    var status: SessionStatus {
        SessionStatus(
            versions: document.trees.map(\.id), currentVersion: document.currentVersion, undo: undoTitle,
            redo: redoTitle, undoStep: history.undoStep, redoStep: history.redoStep, isDirty: isDirty, disk: disk.json,
            recovery: recovery?.json ?? .null,
            journalFailure: journalFailure)
    }

    func update(
        _ changes: RecordChanges, versions: [ElementID], client: String?, isMerged: Bool
    ) -> Update {
        let present = Set(document.trees.map(\.id))
        let found = versions.filter(present.contains).map { ($0, problems(ofVersion: $0)) }
        return Update(
            revision: revision, client: client, changes: changes,
            problems: Dictionary(uniqueKeysWithValues: found), status: status, isMerged: isMerged)
    }

    /// Everything that a tab needs to begin with one version.
    ///
    /// - Parameter version: `nil` for the current one.
    /// - Throws: `unknownElement`.
    func state(ofVersion version: ElementID?) throws -> JSON {
        let version = version ?? document.currentVersion
        guard let records = records(ofVersion: version) else {
            throw StudioError(.unknownElement, "There is no version ‘\(version)’.")
        }
        var all = records.records
        for (index, tree) in document.trees.enumerated() where tree.id != version {
            all[tree.id] = VersionRecords.version(
                document.document.versions[index], tree, isCurrent: tree.id == document.currentVersion)
        }
        var members = status.members
        members["revision"] = .integer(revision)
        members["version"] = .text(version.rawValue)
        members["document"] = documentInfo
        members["records"] = .object(Dictionary(uniqueKeysWithValues: all.map { ($0.rawValue, .object($1)) }))
        members["problems"] = .array(problems(ofVersion: version).map(\.json))
        return .object(members)
    }

    private var documentInfo: JSON {
        [
            "name": .text(document.document.name), "path": .text(url.path), "folder": .text(folder.path),
            "holdsVersions": .bool(!files.isSingleVersion), "isNew": .bool(files.base == nil),
        ]
    }

    /// The folder that generated code has to stay in.
    var folder: URL { url.deletingLastPathComponent() }
}
