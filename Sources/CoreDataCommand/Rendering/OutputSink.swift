import Foundation
import StoreBrowsing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where text goes to: standard output, or a file that appears when it is complete.
final class OutputSink {
    private let file: OutputFile?
    private let handle: FileHandle
    // Exclusive access is not checked at run time: what writes into the buffer never reaches the sink.
    @exclusivity(unchecked) private var buffer = ByteBuffer()

    /// Standard output.
    init() { (file, handle) = (nil, .standardOutput) }

    /// - Parameter stores: The stores that are looked at.
    /// - Throws: ``CommandFailure`` where the file can't be made, or would lie beside a store.
    init(path: String, stores: [String]) throws {
        let file = try OutputFile(path: path, stores: stores)
        guard FileManager.default.createFile(atPath: file.temporary.path, contents: nil),
            let handle = try? FileHandle(forWritingTo: file.temporary)
        else { throw CommandFailure(.other, "\(path) can't be written.") }
        (self.file, self.handle) = (file, handle)
    }

    func write(_ text: String) throws {
        buffer.append(text)
        if buffer.count >= 1 << 18 { try flush() }
    }

    /// Lets `body` write into what leaves next.
    @inline(__always)
    func write(_ body: (inout ByteBuffer) throws -> Void) throws {
        try body(&buffer)
        if buffer.count >= 1 << 18 { try flush() }
    }

    /// Writes what is left; a file gets its name.
    func finish() throws {
        try flush()
        guard let file else { return }
        try handle.close()
        try file.finish()
    }

    /// Writes what is waiting.
    func flush() throws {
        defer { buffer.removeAll() }
        do {
            try handle.write(contentsOf: buffer.bytes)
        } catch {
            throw CommandFailure(.other, "The output can't be written: \(error.localizedDescription)")
        }
    }

    /// The columns of the terminal that reads this; nil for a file or a pipe.
    var terminalWidth: Int? { file == nil ? Terminal.width(of: STDOUT_FILENO) : nil }
}

/// A file that is written beside its place and gets its name when it is complete; without ``finish()`` it is removed.
final class OutputFile {
    let temporary: URL
    private let place: URL
    private var isFinished = false

    init(path: String, stores: [String]) throws {
        place = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        let folder = place.deletingLastPathComponent().standardizedFileURL
        for store in stores {
            guard case .file(let evidence) = try StorePlace(store) else { continue }
            if evidence.deletingLastPathComponent().standardizedFileURL.path == folder.path {
                throw CommandFailure(
                    .other, "\(path) lies in the store's own folder, which stays as it is; name another one.")
            }
        }
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: place.path, isDirectory: &isFolder), isFolder.boolValue {
            throw CommandFailure(.other, "\(path) is a folder.")
        }
        temporary = folder.appendingPathComponent(".\(place.lastPathComponent).\(UUID().uuidString)")
    }

    /// Gives the file its name.
    func finish() throws {
        guard rename(temporary.path, place.path) == 0 else {
            throw CommandFailure(.other, "\(place.path) can't be written: \(String(cString: strerror(errno)))")
        }
        isFinished = true
    }

    deinit { if !isFinished { try? FileManager.default.removeItem(at: temporary) } }
}

/// What is known of a terminal.
enum Terminal {
    /// The columns of the terminal behind a descriptor; nil where there is none.
    static func width(of descriptor: Int32) -> Int? {
        guard isatty(descriptor) == 1 else { return nil }
        var size = winsize()
        if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        return ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
    }
}
