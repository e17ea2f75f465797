import Foundation

/// Keeps a second editor off a document; the system lets go of it when the process ends, however it ends.
final class DocumentLock: Sendable {
    private let descriptor: Int32

    /// Takes the document for this process.
    ///
    /// - Throws: `inUse` if another editor has it.
    init(_ url: URL) throws {
        descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw StudioError(.unreadableFile, "\(url.path) can't be opened: \(String(cString: strerror(errno))).")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw StudioError(
                .inUse, "\(url.lastPathComponent) is open in another studio already; use that one, or end it first.")
        }
    }

    deinit { close(descriptor) }
}
