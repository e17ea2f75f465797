import Foundation
import Glibc
import Synchronization
import Testing

@testable import CoreDataStudio

/// The program `coredata studio`, running.
final class LiveStudio: Sendable {
    let address: URL
    let port: Int
    let token: String
    /// What the page knows and no other server does; known with the first cookie.
    private let pageSecret = Mutex("")
    private let process: Process
    private let errors: Pipe
    /// Its folder for application data.
    let data: URL
    private let ownsData: Bool

    /// The program that was built beside these tests.
    static let program: URL? = {
        var folder = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        while folder.path != "/" {
            let candidate = folder.appending(path: "coredata")
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
            folder.deleteLastPathComponent()
        }
        return nil
    }()

    /// Starts the program and waits for the address that it prints.
    ///
    /// - Parameter document: The model, or a store.
    convenience init(_ document: URL, _ options: [String] = []) throws { try self.init([document.path] + options) }

    /// - Parameters:
    ///   - arguments: What stands after `coredata studio`.
    ///   - data: A folder for application data that outlives this studio; nil for one of its own.
    init(_ arguments: [String], data: URL? = nil) throws {
        ownsData = data == nil
        self.data = data ?? FileManager.default.temporaryDirectory.appending(path: "studio-data-\(UUID().uuidString)")
        process = Process()
        let program: URL = try #require(Self.program)
        process.executableURL = program
        process.arguments = ["studio", "--no-open"] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["XDG_DATA_HOME": self.data.path]) { $1 }
        let output = Pipe()
        errors = Pipe()
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        var line = Data()
        while !line.contains(UInt8(ascii: "\n")) {
            let part = output.fileHandleForReading.availableData
            guard !part.isEmpty else { break }
            line += part
        }
        let text = String(decoding: line, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
        address = try #require(URL(string: text), "it printed: \(text)")
        port = try #require(address.port)
        token = String(try #require(text.split(separator: "=").last))
    }

    deinit {
        end(SIGKILL)
        if ownsData { try? FileManager.default.removeItem(at: data) }
    }

    /// Ends the program.
    ///
    /// - Returns: what it said on standard error, and its exit code.
    @discardableResult
    func end(_ signal: Int32) -> (message: String, status: Int32) {
        guard process.isRunning else { return ("", process.terminationStatus) }
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        let data = (try? errors.fileHandleForReading.readToEnd()) ?? nil
        return (String(decoding: data ?? Data(), as: UTF8.self), process.terminationStatus)
    }

    var isRunning: Bool { process.isRunning }

    /// The most memory that the program had since its start, in megabytes.
    func peakMemory() throws -> Int {
        try StudioMemory.peak(of: URL(filePath: "/proc/\(process.processIdentifier)")) / 1_000_000
    }

    // MARK: - Requests

    var origin: String { "http://127.0.0.1:\(port)" }

    /// The cookie that the token gives.
    func cookie() throws -> String {
        let answer = try send("GET", "/?token=\(token)", ["Host": "127.0.0.1:\(port)"])
        #expect(answer.status == 303)
        let page = try #require(answer.headers["location"]?.components(separatedBy: "#page=").last)
        pageSecret.withLock { $0 = page }
        return try #require(answer.headers["set-cookie"]?.split(separator: ";").first.map(String.init))
    }

    /// Headers of our own page.
    func headers(_ cookie: String) -> [String: String] {
        [
            "Host": "127.0.0.1:\(port)", "Origin": origin, "Cookie": cookie, "Content-Type": "application/json",
            "Studio-Page": page,
        ]
    }

    var page: String { pageSecret.withLock { $0 } }

    func post(_ path: String, _ body: JSON, _ cookie: String) throws -> RawResponse {
        try send("POST", path, headers(cookie), body: body.data())
    }

    func get(_ path: String, _ cookie: String) throws -> RawResponse {
        try send("GET", path, ["Host": "127.0.0.1:\(port)", "Cookie": cookie, "Studio-Page": page])
    }

    /// Sends just these bytes as a request.
    func send(_ method: String, _ path: String, _ headers: [String: String], body: Data = Data()) throws -> RawResponse
    {
        var text = "\(method) \(path) HTTP/1.1\r\n"
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { text += "\(name): \(value)\r\n" }
        if !body.isEmpty, headers["Content-Length"] == nil { text += "Content-Length: \(body.count)\r\n" }
        text += "Connection: close\r\n\r\n"
        let socket = try RawSocket(port: port)
        try socket.write(Data(text.utf8) + body)
        return try RawResponse(socket.readToEnd())
    }
}

/// A connection to loopback.
final class RawSocket {
    private let descriptor: Int32

    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        // The C interface takes addresses of all families by one pointer type.
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        try #require(status == 0, "no connection to port \(port)")
    }

    deinit { close(descriptor) }

    /// Writes as much as the other side takes.
    ///
    /// - Returns: how many bytes that was.
    @discardableResult
    func write(_ data: Data) throws -> Int {
        var done = 0
        let bytes = [UInt8](data)
        while done < bytes.count {
            // A server that has hung up must not end the tests by a signal.
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.send(
                    descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { break }
            done += count
        }
        return done
    }

    func read() -> Data? {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Data(buffer[..<count]) : nil
    }

    func readToEnd() -> Data {
        var data = Data()
        while let part = read() { data += part }
        return data
    }
}

/// A response, as it came.
struct RawResponse {
    var status: Int
    var headers: [String: String] = [:]
    var body: Data

    init(_ data: Data) throws {
        let end = try #require(data.range(of: Data("\r\n\r\n".utf8)), "no response")
        let lines = String(decoding: data[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        status = try #require(lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
        }
        body = Data(data[end.upperBound...])
        if headers["transfer-encoding"] == "chunked" { body = Self.joined(body) }
    }

    private static func joined(_ chunks: Data) -> Data {
        var (result, rest) = (Data(), chunks)
        while let line = rest.range(of: Data("\r\n".utf8)),
            let count = Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16), count > 0
        {
            result += rest[line.upperBound...].prefix(count)
            rest = Data(rest[line.upperBound...].dropFirst(count + 2))
        }
        return result
    }

    var json: JSON { (try? JSONDecoder().decode(JSON.self, from: body)) ?? .null }
    var errorCode: String? { json["error"]?["code"]?.text }
    var text: String { String(decoding: body, as: UTF8.self) }
}
