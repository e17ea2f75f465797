import Foundation

extension SQLiteStore {
    /// After a commit: removes the files that no row names any more.
    ///
    /// The commit is forced to the disk first: a power loss could else bring the rows back without their files. A file
    /// that can't be removed does no harm. It is tried again after the next save, and when the store is closed.
    func remove(_ files: [URL]) {
        if !files.isEmpty { unneededFiles += files }
        guard !unneededFiles.isEmpty, (try? connection.synchronizeCommits()) != nil else { return }
        if holds.postpone(unneededFiles) { return unneededFiles.removeAll() }
        unneededFiles.removeAll { (try? DurableFile.remove($0)) != nil }
    }

    /// After a save that failed: removes the files of rows that never came to be.
    ///
    /// - Parameter mayBeCommitted: Whether the commit itself failed. The log may then have all of it, and a crash could
    ///   bring the rows back: the files stay until something else is committed in its place. Without a log the rows may
    ///   be there for good, if only the removal of the journal was not forced to the disk: then the files stay.
    func takeBack(_ files: [URL], mayBeCommitted: Bool) {
        if files.isEmpty { return }
        if !mayBeCommitted {
            unneededFiles += files.filter { (try? DurableFile.remove($0)) == nil }
        } else if (try? connection.text("PRAGMA journal_mode")) == "wal" {
            unneededFiles += files
        }
    }

    /// Removes what could not be removed before. The metadata are written once more, as something to commit.
    func removeUnneededFiles() {
        if unneededFiles.isEmpty { return }
        let isCommitted: Void? = try? connection.write {
            let stored = try SQLiteMetadata.read(connection)
            try SQLiteMetadata.write(stored.values, identifier: stored.identifier ?? "", to: connection)
        }
        if isCommitted != nil { remove([]) }
    }
}
