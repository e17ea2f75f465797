import Foundation

/// Ends another thread's wait for a socket: a pipe that is waited for beside it.
final class WakeUp: Sendable {
    private let reading: Int32
    private let writing: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw PostgreSQLError(
                .connectionFailed, "The process can't open more files: \(String(cString: strerror(errno)))")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        reading = ends[0]
        writing = ends[1]
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// Wakes the thread that waits, or the next one that will.
    func signal() {
        var byte: UInt8 = 1
        // A full pipe wakes as well.
        _ = write(writing, &byte, 1)
    }

    /// Makes up for all signals so far.
    func clear() {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            while read(reading, buffer.baseAddress, buffer.count) > 0 {}
        }
    }

    /// Waits for a socket.
    ///
    /// - Parameters:
    ///   - events: `POLLIN` and `POLLOUT`.
    ///   - deadline: Nil to wait for as long as it takes.
    func wait(for socket: Int32, _ events: Int32, until deadline: ContinuousClock.Instant?) -> SocketEvent {
        while true {
            var files = (
                pollfd(fd: socket, events: Int16(events), revents: 0),
                pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
            )
            let milliseconds = deadline.map { ($0 - .now).pollTime } ?? -1
            let count = withUnsafeMutableBytes(of: &files) { memory in
                poll(memory.assumingMemoryBound(to: pollfd.self).baseAddress, 2, milliseconds)
            }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            if count < 0 { return .failed(errno) }
            if files.1.revents != 0 { return .woken }
            if files.0.revents != 0 { return .ready(isReadable: Int32(files.0.revents) & ~POLLOUT != 0) }
            if let deadline, deadline <= .now { return .timedOut }
        }
    }
}

enum SocketEvent {
    /// Readable also means that there is an error to be read.
    case ready(isReadable: Bool)
    case woken
    case timedOut
    case failed(Int32)
}

extension Duration {
    /// Milliseconds for `poll`, rounded up: it is called again if they were too few.
    fileprivate var pollTime: Int32 {
        let (seconds, parts) = max(self, .zero).components
        if seconds > 1_000_000 { return 1_000_000_000 }
        return Int32(seconds * 1_000 + (parts + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    /// For messages: `2.5 s`.
    var text: String {
        let (seconds, parts) = components
        let value = Double(seconds) + Double(parts) / 1e18
        return "\(value == value.rounded() ? String(Int(value)) : String(value)) s"
    }
}
