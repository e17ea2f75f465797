import Foundation
import Glibc

/// Notices every file of a folder that is made, opened for writing, written to, renamed or removed, and every change of
/// its times or permissions. A file that is there for a moment alone is noticed, too.
final class FolderWatch {
    private let queue: Int32
    /// The watched folders by the system's number.
    private var folders: [Int32: String] = [:]

    private static let kinds: [(mask: UInt32, word: String)] = [
        (UInt32(IN_CREATE), "made"), (UInt32(IN_MODIFY), "written to"), (UInt32(IN_CLOSE_WRITE), "opened for writing"),
        (UInt32(IN_ATTRIB), "given other attributes"), (UInt32(IN_DELETE), "removed"),
        (UInt32(IN_MOVED_FROM), "moved away"), (UInt32(IN_MOVED_TO), "moved in"),
        (UInt32(IN_DELETE_SELF), "removed itself"), (UInt32(IN_MOVE_SELF), "moved itself"),
    ]

    /// Watches a folder and the folders in it.
    init(_ folder: URL) throws {
        queue = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        let mask = Self.kinds.reduce(UInt32(0)) { $0 | $1.mask }
        for path in [""] + paths.map({ "/" + $0 }) {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: folder.path + path, isDirectory: &isFolder)
            guard isFolder.boolValue else { continue }
            let number = inotify_add_watch(queue, folder.path + path, mask)
            if number < 0 { throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno)) }
            folders[number] = path
        }
    }

    deinit { close(queue) }

    /// What happened since the last look, in words.
    func events() -> [String] {
        var found: [String] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(queue, &buffer, buffer.count)
            guard count > 0 else { return found }
            buffer.withUnsafeBytes { found += sentences(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
        }
    }

    private func sentences(_ events: UnsafeRawBufferPointer) -> [String] {
        let head = MemoryLayout<inotify_event>.size
        var (place, found) = (0, [String]())
        while place + head <= events.count {
            let number = events.loadUnaligned(fromByteOffset: place, as: Int32.self)
            let mask = events.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
            let length = Int(events.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self))
            let name = String(
                decoding: events[(place + head)..<(place + head + length)].prefix { $0 != 0 }, as: UTF8.self)
            let words = Self.kinds.filter { mask & $0.mask != 0 }.map(\.word)
            // Other bits tell that there were too many events, or that a folder is gone.
            found.append(
                "\(folders[number] ?? "")/\(name) was \(words.isEmpty ? "\(mask)" : words.joined(separator: ", "))")
            place += head + length
        }
        return found
    }
}
