import Foundation
import StoreBrowsing
import StoreInspection
import Synchronization

/// A dry run or a migration: how far it is, and what came of it.
struct MappingJob: Sendable {
    enum Kind: String, Sendable {
        case dryRun = "dry-run"
        case migration
    }

    enum State: String, Sendable {
        case running, done, failed, cancelled
    }

    let id: Int
    let kind: Kind
    /// What the store is called.
    let store: String
    let watch: JobWatch
    let control: MigrationControl
    var state = State.running
    var trial: MappingTrial?
    /// Why it failed.
    var message: String?
    /// Where the store is as it was before a migration.
    var backup: String?

    init(id: Int, kind: Kind, store: String) {
        (self.id, self.kind, self.store) = (id, kind, store)
        let watch = JobWatch()
        self.watch = watch
        control = MigrationControl { watch.note($0) }
    }

    var json: JSON {
        let progress = watch.progress
        return [
            "id": .integer(id), "kind": .text(kind.rawValue), "store": .text(store),
            "state": .text(state.rawValue),
            "fraction": .number(progress.fraction), "mapping": .optional(progress.mapping),
            "message": .optional(message), "backup": .optional(backup), "report": trial?.json ?? .null,
        ]
    }
}

/// How far a job is, as the thread that carries it out says.
final class JobWatch: Sendable {
    private let latest = Mutex(MigrationControl.Progress(fraction: 0))

    var progress: MigrationControl.Progress { latest.withLock { $0 } }

    func note(_ progress: MigrationControl.Progress) { latest.withLock { $0 = progress } }
}

extension MappingTrial {
    /// The report of a dry run.
    fileprivate var json: JSON {
        [
            "steps": .array(
                steps.map {
                    [
                        "name": .text($0.name), "source": .optional($0.source),
                        "destination": .optional($0.destination),
                        "total": .integer($0.total), "read": .integer($0.read), "made": .integer($0.made),
                        "dropped": .integer($0.read - $0.made),
                    ]
                }),
            "lines": .array(
                lines.map {
                    [
                        "kind": .text($0.kind.rawValue), "entity": .text($0.entity), "property": .optional($0.property),
                        "message": .text($0.message), "rows": .optional($0.rows.map { rows in Int(rows) }),
                        "total": .optional($0.total.map { total in Int(total) }),
                    ]
                }),
            "failures": .array(
                failures.map {
                    [
                        "message": .text($0.message), "object": .optional($0.object),
                        "property": .optional($0.property), "mapping": .optional($0.mapping),
                    ]
                }),
            "result": .array(result.map { ["entity": .text($0.entity), "count": .integer($0.count)] }),
        ]
    }
}
