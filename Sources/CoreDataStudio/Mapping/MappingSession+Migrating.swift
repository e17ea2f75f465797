import CoreData
import Foundation
import ModelArchive
import ModelDocument
import ModelLint
import StoreBrowsing

extension MappingSession {
    /// Tries the mapping on a copy of the open store. The store is only read.
    ///
    /// - Throws: `inUse` while another job runs; `invalidEdit` for a mapping that can't be compiled.
    func startDryRun(_ opened: OpenedThings) throws -> JSON {
        let store = try opened.requiredStore()
        let compiled = try compiledMapping()
        let job = try begin(.dryRun, of: store)
        let (place, control, versions) = (store.place, job.control, compiled.versions)
        Task {
            do {
                let trial = try await Self.inBackground {
                    try MappingTrial(
                        StoreMigrator(place, from: versions.source, to: versions.destination), compiled.mapping, control
                    )
                }
                finish(job.id) { $0.trial = trial }
            } catch { finish(job.id, error) }
        }
        return ["job": job.json]
    }

    /// Migrates the open store, after a backup of its file.
    ///
    /// - Throws: `readOnly` in a studio without `--edit`; `inUse`, `invalidEdit`.
    func startMigration(_ opened: OpenedThings) async throws -> JSON {
        let store = try opened.requiredStore()
        _ = try await store.editing()
        guard await store.unsavedCount() == 0 else {
            throw StoreSession.unsavedObjects
        }
        let compiled = try compiledMapping()
        if let refusal = StoreMigrator.refusal(of: compiled.mapping) {
            throw StudioError(.invalidEdit, ToolFailure(refusal).message)
        }
        let job = try begin(.migration, of: store)
        Task {
            do {
                try await migrate(opened, store, compiled, job)
                finish(job.id) { _ in }
            } catch { finish(job.id, error) }
        }
        return ["job": job.json]
    }

    private func migrate(
        _ opened: OpenedThings, _ store: StoreSession, _ compiled: Compiled, _ job: MappingJob
    ) async throws {
        let (place, control, versions) = (store.place, job.control, compiled.versions)
        // What can't be migrated is refused before anything is copied.
        try await Self.inBackground {
            _ = try StoreMigrator(place, from: versions.source, to: versions.destination)
        }
        let backup = try await store.backUpForMigration()
        self.job?.backup = backup
        try await opened.exchangeStore {
            try await Self.inBackground {
                try control.check()
                try StoreMigrator(place, from: versions.source, to: versions.destination)
                    .migrate(by: NSMappingModel(compiled.mapping), watch: control.watch)
            }
        }
    }

    /// Ends the job that runs, before its next object.
    func cancelJob() -> JSON {
        job?.control.cancel()
        return ["job": job?.json ?? .null]
    }

    // MARK: Jobs

    private struct Compiled: Sendable {
        var mapping: CompiledMapping
        var versions: (source: Model, destination: Model)
    }

    private func compiledMapping() throws -> Compiled {
        guard let source = models.source?.model, let destination = models.destination?.model else {
            throw StudioError(.invalidEdit, "Both models of the mapping have to be at hand.")
        }
        let mapping: CompiledMapping
        do { mapping = try CompiledMapping(edited.mapping, source: source, destination: destination) } catch {
            throw StudioError(.invalidEdit, ToolFailure(error).message)
        }
        // What key-value coding does not find would end the studio.
        if let obstacle = mapping.obstacle(from: source, to: destination) {
            throw StudioError(.invalidEdit, obstacle)
        }
        return Compiled(mapping: mapping, versions: (source, destination))
    }

    private func begin(_ kind: MappingJob.Kind, of store: StoreSession) throws -> MappingJob {
        if let job, job.state == .running {
            throw StudioError(.inUse, "A \(job.kind == .dryRun ? "dry run" : "migration") is under way.")
        }
        let new = MappingJob(id: (job?.id ?? 0) + 1, kind: kind, store: store.place.title)
        job = new
        Task { await tellProgress(of: new.id) }
        return new
    }

    /// Tells the windows how far a job is, some times a second.
    private func tellProgress(of id: Int) async {
        var told: MigrationControl.Progress?
        while let job, job.id == id, job.state == .running {
            if told != job.watch.progress {
                told = job.watch.progress
                publish(.job(job.json))
            }
            try? await Task.sleep(for: .milliseconds(150))
        }
    }

    private func finish(_ id: Int, _ change: (inout MappingJob) -> Void) {
        guard var done = job, done.id == id else { return }
        change(&done)
        done.state = .done
        job = done
        publish(.job(done.json))
    }

    private func finish(_ id: Int, _ error: any Error) {
        guard var failed = job, failed.id == id else { return }
        failed.state = failed.control.isCancelled ? .cancelled : .failed
        failed.message = failed.control.isCancelled ? nil : StudioError(readable: error).message
        job = failed
        publish(.job(failed.json))
    }

    /// Carries out what takes long, on a thread of its own.
    private static func inBackground<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result(catching: body)) }
        }
    }
}

extension StudioError {
    /// An error of the framework, too, with its sentence.
    fileprivate init(readable error: any Error) {
        if let own = error as? StudioError {
            self = own
        } else {
            self.init(error as? ToolFailure ?? ToolFailure(error))
        }
    }
}

extension StoreSession {
    fileprivate static var unsavedObjects: StudioError {
        StudioError(.invalidEdit, "Save the changes of the store's objects first, or give them up.")
    }

    /// Copies the file, and closes the store.
    ///
    /// - Returns: Where the copy is.
    fileprivate func backUpForMigration() async throws -> String? {
        try await editing().work { [place] changes in
            // Another window may have changed something meanwhile.
            guard changes.changedObjects.isEmpty else { throw StoreSession.unsavedObjects }
            let copy = try StoreBackup(of: place).make(changes.store.coordinator)
            try changes.store.close()
            return copy
        }
    }
}
