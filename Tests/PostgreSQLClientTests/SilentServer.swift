import Foundation
import PostgreSQLClient
import Testing

/// A socket that takes connections, and never answers.
final class SilentServer {
    let port: UInt16
    private let file: Int32

    init() throws {
        let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutableBytes(of: &address) { memory in
            guard let pointer = memory.assumingMemoryBound(to: sockaddr.self).baseAddress else { return }
            #expect(bind(file, pointer, length) == 0)
            #expect(listen(file, 5) == 0)
            #expect(getsockname(file, pointer, &length) == 0)
        }
        self.file = file
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(file) }
}
