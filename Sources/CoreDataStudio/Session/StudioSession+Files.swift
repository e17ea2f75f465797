import Foundation
import ModelDocument

extension StudioSession {
    /// Writes what changed.
    ///
    /// - Throws: `changedOnDisk` if another program wrote and `overwrites` is false; `unwritableFile`.
    func save(overwrites: Bool, client: String?) throws -> Update {
        checkDisk()
        guard overwrites || disk == .same else {
            throw StudioError(
                .changedOnDisk,
                "\(url.lastPathComponent) was changed on disk by another program. Reload it, compare, or save over it.")
        }
        let paths: [String]
        do {
            if disk != .same { try files.acknowledgeDisk() }
            // A folder that is made anew is another one.
            if disk == .missing { lock = nil }
            paths = try files.save(document.document)
        } catch { throw StudioError(error) }
        // A program that has locked the new folder meanwhile keeps it; its changes are seen by looking at the disk.
        if lock == nil { lock = try? DocumentLock(url) }
        disk = .same
        history.close()
        journalTask?.cancel()
        journalTask = nil
        journal.remove()
        journalFailure = nil
        recovery = nil
        var update = update(RecordChanges(), versions: [], client: client, isMerged: false)
        update.saved = paths
        publish(.update(update))
        return update
    }

    /// Looks whether another program wrote the files, and tells the tabs.
    func checkDisk() {
        let state = files.check()
        guard state != disk else { return }
        disk = state
        publish(.disk(state))
    }

    /// What the user decides after another program wrote the files.
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
