import Foundation
import PostgreSQLClient
import PostgreSQLServer
import Testing

/// What the system does to notice that the other end of a connection is gone.
@Suite("Signs of life of a connection")
struct KeepaliveTests {
    private let proxy: CuttingProxy

    init() throws { proxy = try CuttingProxy(to: .shared) }

    /// The options of the socket that leads to the proxy: whether there are signs of life, after how many idle seconds,
    /// at what interval, and how many may be lost.
    private func options(_ parameters: String) throws -> [Int32] {
        let url = proxy.url(database: "postgres")
        let connection = try connect(url + parameters)
        defer { connection.close() }
        let port = try #require(URLComponents(string: url)?.port)
        let socket = try #require((0..<Int32(4_096)).first { Self.port(of: $0) == port })
        return [
            Self.option(SOL_SOCKET, SO_KEEPALIVE, of: socket), Self.option(tcp, Self.idle, of: socket),
            Self.option(tcp, TCP_KEEPINTVL, of: socket), Self.option(tcp, TCP_KEEPCNT, of: socket),
        ]
    }

    private let tcp = Int32(IPPROTO_TCP)
    #if os(Linux)
        private static let idle = TCP_KEEPIDLE
    #else
        private static let idle = TCP_KEEPALIVE
    #endif

    /// The port at the other end of a socket.
    private static func port(of socket: Int32) -> Int? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(socket, $0, &length) == 0 }
        }
        guard isConnected, address.sin_family == sa_family_t(AF_INET) else { return nil }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    private static func option(_ level: Int32, _ name: Int32, of socket: Int32) -> Int32 {
        var value: Int32 = -1
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(socket, level, name, &value, &length)
        return value
    }

    @Test
    func aMachineThatIsGoneIsNoticedWithinAMinute() throws {
        let found = try options("")
        #expect(found == [1, 30, 10, 3])
    }

    @Test
    func theConnectionStringHasTheLastWord() throws {
        #expect(try options("&keepalives_idle=7&keepalives_count=9") == [1, 7, 10, 9])
        #expect(try options("&keepalives=0")[0] == 0)
    }
}
