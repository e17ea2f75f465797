import Foundation

/// Reads what files were in a commit, by asking `git`.
enum GitCheckout {
    /// Lays a document out as it was in a commit, for as long as it is read.
    ///
    /// - Parameters:
    ///   - path: A file or folder in a working copy; it need not be there any more.
    ///   - revision: A commit in any spelling that git knows.
    /// - Throws: ``CommandFailure`` if there is no repository, no such commit, or nothing of that name in it.
    static func withDocument<Result>(
        _ path: String, at revision: String, _ body: (String) throws -> Result
    ) throws -> Result {
        let url = URL(fileURLWithPath: path).standardizedFileURL
        let (folder, name) = (url.deletingLastPathComponent(), url.lastPathComponent)
        let list = try git(["ls-tree", "-r", "-z", "--name-only", revision, "--", "./" + name], in: folder)
        let files = String(decoding: list, as: UTF8.self).split(separator: "\0").map(String.init)
        guard !files.isEmpty else { throw CommandFailure(.missingFile, "There is no \(name) in \(revision).") }
        let copy = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-" + UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: copy) }
        for file in files {
            let target = copy.appendingPathComponent(file)
            do {
                try FileManager.default.createDirectory(
                    at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
                try git(["show", "\(revision):./\(file)"], in: folder).write(to: target)
            } catch let error as CocoaError {
                throw CommandFailure(error)
            }
        }
        return try body(copy.appendingPathComponent(name).path)
    }

    private static func git(_ arguments: [String], in folder: URL) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git", "-C", folder.path] + arguments
        process.standardInput = FileHandle.nullDevice
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        do { try process.run() } catch { throw CommandFailure(error) }
        // What git says of a failure is a line or two and fits into the pipe.
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        let message = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            let text = String(decoding: message, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            throw CommandFailure(.missingFile, text.isEmpty ? "git could not be run." : "git: \(text)")
        }
        return data
    }
}
