import Foundation
import Synchronization

/// Passes bytes between clients and a server, and cuts each connection after a number of bytes.
///
/// ```swift
/// let proxy = try CuttingProxy(to: server) { Int.random(in: 0...20_000) }
/// let url = proxy.url(database: "league")
/// ```
///
/// A cut comes in the midst of whatever is under way: a question, an answer, a COMMIT of which the server has got a
/// part. ``silence()`` is another fault: a machine that is gone, or a router that has forgotten the connection.
public final class CuttingProxy: Sendable {
    private let path: String
    private let port: UInt16
    private let listener: Int32
    private let budget: @Sendable () -> Int
    private let cuts = Counter()
    private let pairs = Mutex<[Pair]>([])

    /// - Parameter budget: After how many bytes, of both directions together, the next connection is cut.
    public init(to server: PostgreSQLServer, budget: @escaping @Sendable () -> Int = { .max }) throws {
        path = server.folder + "/.s.PGSQL.5432"
        self.budget = budget
        listener = Foundation.socket(AF_INET, Self.stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        guard isListening else {
            throw PostgreSQLServerError("The proxy can't listen: \(String(cString: strerror(errno)))")
        }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0, let self else { return }
                self.serve(client)
            }
        }
    }

    deinit { stop() }

    /// Accepts no connection any more.
    public func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// Passes nothing any more between those that are connected now. Their connections stay open.
    public func silence() { pairs.withLock { pairs in pairs.forEach { $0.silence() } } }

    /// How many connections were cut.
    public var cutCount: Int { cuts.count }

    public func url(database: String) -> String {
        "postgresql://postgres@127.0.0.1:\(port)/\(database)?sslmode=disable"
    }

    #if os(Linux)
        private static let stream = Int32(SOCK_STREAM.rawValue)
    #else
        private static let stream = SOCK_STREAM
    #endif

    // MARK: One connection

    private func serve(_ client: Int32) {
        guard let server = connectToServer() else {
            close(client)
            return
        }
        let pair = Pair(client: client, server: server, budget: budget()) { [cuts] in _ = cuts.next() }
        pairs.withLock { $0.append(pair) }
        for (source, target) in [(client, server), (server, client)] {
            Thread.detachNewThread { pair.pass(from: source, to: target) }
        }
    }

    private func connectToServer() -> Int32? {
        let socket = Foundation.socket(AF_UNIX, Self.stream, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { place in
            place.copyBytes(from: path.utf8.prefix(place.count - 1))
        }
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        if isConnected { return socket }
        close(socket)
        return nil
    }

    /// The two sockets of a connection. They are closed when both directions have ended.
    private final class Pair: Sendable {
        private let client: Int32
        private let server: Int32
        private let rest: Mutex<Int>
        private let ended = Mutex(0)
        private let isSilent = Mutex(false)
        private let didCut: @Sendable () -> Void

        init(client: Int32, server: Int32, budget: Int, didCut: @escaping @Sendable () -> Void) {
            (self.client, self.server, self.didCut) = (client, server, didCut)
            rest = Mutex(budget)
        }

        func silence() { isSilent.withLock { $0 = true } }

        func pass(from source: Int32, to target: Int32) {
            var buffer = [UInt8](repeating: 0, count: 16_384)
            while true {
                let count = recv(source, &buffer, buffer.count, 0)
                if count <= 0 { break }
                if isSilent.withLock(\.self) { continue }
                let allowed = rest.withLock { rest in
                    let allowed = min(rest, count)
                    rest -= allowed
                    return allowed
                }
                if !send(buffer[..<allowed], to: target) { break }
                if allowed < count {
                    didCut()
                    break
                }
            }
            end()
        }

        private func send(_ bytes: ArraySlice<UInt8>, to target: Int32) -> Bool {
            var rest = bytes
            while !rest.isEmpty {
                let sent = rest.withUnsafeBytes {
                    Foundation.send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                if sent <= 0 { return false }
                rest = rest.dropFirst(sent)
            }
            return true
        }

        private func end() {
            shutdown(client, Int32(SHUT_RDWR))
            shutdown(server, Int32(SHUT_RDWR))
            let isLast = ended.withLock { ended in
                ended += 1
                return ended == 2
            }
            if isLast {
                close(client)
                close(server)
            }
        }
    }
}
