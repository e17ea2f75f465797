import Foundation
import ModelDocument

/// The temporary files of this process: a hidden folder beside the document, there only while something is written.
///
/// Each process has a folder of its own. It holds a `.gitignore` that ignores all of it. A killed process leaves its
/// folder, which the next start removes.
struct Drafts: Sendable {
    let folder: URL
    private let parent: URL
    private let prefix: String

    /// - Parameter document: the `.xcdatamodeld` or `.xcdatamodel` folder.
    init(besideDocument document: URL) {
        parent = document.deletingLastPathComponent()
        prefix = ".\(document.lastPathComponent).studio-drafts."
        folder = parent.appending(path: "\(prefix)\(ProcessInfo.processInfo.processIdentifier)")
    }

    /// Replaces a file in one step. When this returns, the bytes are on the disk, not in a cache.
    ///
    /// - Parameter permissions: of the new file; `nil` for those that the account gives to new files.
    /// - Throws: an error with the system's reason.
    func replace(_ file: URL, with data: Data, permissions: Int?) throws {
        try makeFolder()
        defer { remove() }
        let draft = folder.appending(path: "draft")
        let descriptor = open(
            draft.path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, permissions == nil ? 0o666 : 0o600)
        guard descriptor >= 0 else { throw Self.systemError() }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: data)
        if let permissions, fchmod(descriptor, mode_t(permissions)) != 0 { throw Self.systemError() }
        try handle.synchronize()
        try handle.close()
        guard rename(draft.path, file.path) == 0 else { throw Self.systemError() }
    }

    /// The error of the system call before, with its sentence.
    private static func systemError() -> NSError {
        let number = errno
        return NSError(
            domain: NSPOSIXErrorDomain, code: Int(number),
            userInfo: [NSLocalizedDescriptionKey: String(cString: strerror(number))])
    }

    /// Replaces a file of the document and keeps its permissions; one that holds these bytes already is left alone.
    ///
    /// - Throws: `ModelDocumentError` `unwritableFile` with the file.
    func write(_ data: Data, to file: URL) throws {
        guard (try? Data(contentsOf: file)) != data else { return }
        // Where the file is a link, what it leads to is replaced, not the link.
        let file = file.resolvingSymlinksInPath()
        try DocumentFile.onDisk(file) {
            let manager = FileManager.default
            try manager.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            let attributes = try? manager.attributesOfItem(atPath: file.path)
            let permissions = (attributes?[.posixPermissions] as? NSNumber)?.intValue
            try replace(file, with: data, permissions: permissions)
        }
    }

    /// Makes the folder, ignored by git as a whole.
    func makeFolder() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("*\n".utf8).write(to: folder.appending(path: ".gitignore"))
    }

    private func remove() {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Removes what killed processes left.
    func removeLeftovers() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
        for name in names where name.hasPrefix(prefix) {
            guard let process = Int32(name.dropFirst(prefix.count)), !Self.isRunning(process) else { continue }
            try? FileManager.default.removeItem(at: parent.appending(path: name))
        }
    }

    private static func isRunning(_ process: Int32) -> Bool {
        guard process != ProcessInfo.processInfo.processIdentifier else { return false }
        return kill(process, 0) == 0 || errno == EPERM
    }
}
