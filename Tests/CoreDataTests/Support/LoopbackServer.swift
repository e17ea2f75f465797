import Foundation

/// An HTTP server of a test's own, on this machine alone: one request after another, each answered by a block.
final class LoopbackServer: @unchecked Sendable {
    // Unchecked: the counter is under the lock; all else never changes.

    struct Request {
        let method: String
        let path: String
        let body: Data
    }

    let port: UInt16
    private let socket: Int32
    private let answer: @Sendable (Request) -> (status: Int, body: Data)
    private let lock = NSLock()
    private var served: [String] = []

    /// The requests since the last call, each as its method and path.
    func takeServed() -> [String] {
        lock.withLock {
            defer { served = [] }
            return served
        }
    }

    init(_ answer: @escaping @Sendable (Request) -> (status: Int, body: Data)) throws {
        self.answer = answer
        #if os(Linux)
            socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            socket = Foundation.socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = socket
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && listen(socket, 16) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard isBound else { throw CocoaError(.fileWriteUnknown) }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [weak self] in
            // Closed here, behind the last use: the number of a closed socket may be that of another server's.
            defer { close(socket) }
            while true {
                let connection = accept(socket, nil, nil)
                guard connection >= 0 else { return }
                self?.serve(connection)
                close(connection)
            }
        }
    }

    func stop() { shutdown(socket, Int32(SHUT_RDWR)) }

    private func serve(_ connection: Int32) {
        guard let request = Self.request(connection) else { return }
        lock.withLock { served.append("\(request.method) \(request.path)") }
        let (status, body) = answer(request)
        let head = "HTTP/1.1 \(status) OK\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n"
        let bytes = [UInt8](Data(head.utf8) + body)
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { write(connection, $0.baseAddress! + sent, bytes.count - sent) }
            if count <= 0 { return }
            sent += count
        }
    }

    private static func request(_ connection: Int32) -> Request? {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            if let end = data.range(of: Data("\r\n\r\n".utf8)) {
                let lines = String(decoding: data[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
                let header = lines.first { $0.lowercased().hasPrefix("content-length:") }
                let length = header.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
                let words = lines[0].split(separator: " ").map(String.init)
                if data.count - end.upperBound >= length, words.count > 1 {
                    return Request(method: words[0], path: words[1], body: data[end.upperBound...])
                }
            }
            let count = read(connection, &buffer, buffer.count)
            if count <= 0 { return nil }
            data.append(contentsOf: buffer[..<count])
        }
    }
}
