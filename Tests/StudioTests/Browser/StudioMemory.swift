import Foundation
import Testing

/// How much memory a studio's server and its page take.
struct StudioMemory {
    /// The most that the server had since its start, in megabytes.
    let server: Int
    /// What the page's objects take when the garbage is collected, in megabytes.
    let page: Double
    /// How many nodes the page has.
    let nodes: Int

    /// - Parameter store: The store that the server was started with; no other server has it.
    init(_ page: Page, of store: URL) async throws {
        server = try Self.peak(of: Self.server(of: store)) / 1_000_000
        for method in ["Performance.enable", "HeapProfiler.enable", "HeapProfiler.collectGarbage"] {
            _ = try await page.send(method)
        }
        let metrics = try await page.send("Performance.getMetrics")["metrics"].array
        func metric(_ name: String) throws -> Double {
            try #require(metrics.first { $0["name"].string == name }?["value"].number, "\(name)")
        }
        self.page = try metric("JSHeapUsedSize") / 1e6
        nodes = Int(try metric("Nodes"))
        for method in ["HeapProfiler.disable", "Performance.disable"] { _ = try await page.send(method) }
    }

    /// The folder of the server's process below `/proc`.
    private static func server(of store: URL) throws -> URL {
        let processes = try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }
        let found = processes.map { URL(filePath: "/proc/\($0)") }.first { process in
            // Arguments end in a zero byte each.
            let arguments = (FileManager.default.contents(atPath: process.path + "/cmdline") ?? Data()).split(
                separator: 0)
            return arguments.dropFirst().first?.elementsEqual("studio".utf8) == true
                && arguments.contains { $0.elementsEqual(store.path.utf8) }
        }
        return try #require(found, "no server has \(store.path)")
    }

    /// In bytes.
    static func peak(of process: URL) throws -> Int {
        let text = try String(contentsOf: process.appending(path: "status"), encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.filter(\.isNumber))) * 1024
    }
}
