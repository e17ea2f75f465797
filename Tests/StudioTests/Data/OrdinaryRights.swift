import Foundation
import Glibc
import Synchronization
import Testing

/// What the programs of root may do, without the rights to overlook permissions: they write to no file that is only to
/// be read, as those of other users.
enum OrdinaryRights {
    /// `CAP_DAC_OVERRIDE`, `CAP_DAC_READ_SEARCH` and `CAP_FOWNER`.
    private static let overlooking: [UInt] = [1, 2, 3]
    /// `PR_CAPBSET_DROP`: what a thread gives up, the programs that it starts never get.
    private static let giveUp: Int32 = 24

    /// Starts programs on a thread of its own, which hands the rights of an ordinary user on to them.
    static func start<Started: Sendable>(_ body: @escaping @Sendable () throws -> Started) async throws -> Started {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        if geteuid() == 0 { try giveUpRights() }
                        return try body()
                    })
            }
        }
    }

    /// C declares the function with any number of arguments, which Swift can't call: so it is looked up by its name.
    private static func giveUpRights() throws {
        typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
        let address = try #require(dlsym(nil, "prctl"))
        let control = unsafeBitCast(address, to: Control.self)
        for right in overlooking where control(giveUp, right, 0, 0, 0) != 0 {
            throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno))
        }
    }
}

/// The `sqlite3` program with a store open, as an app that runs.
final class StoreUser {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    init(_ store: URL) throws {
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["sqlite3", "-batch", store.path]
        (process.standardInput, process.standardOutput) = (input, output)
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit { end() }

    /// Runs statements, and waits for their end.
    ///
    /// - Returns: What was printed.
    @discardableResult
    func run(_ sql: String) throws -> String {
        try input.fileHandleForWriting.write(contentsOf: Data("\(sql);\n.print done\n".utf8))
        var printed = Data()
        while !printed.suffix(5).elementsEqual("done\n".utf8) {
            let part = output.fileHandleForReading.availableData
            try #require(!part.isEmpty, "sqlite3 ended: \(String(decoding: printed, as: UTF8.self))")
            printed += part
        }
        return String(decoding: printed.dropLast(5), as: UTF8.self)
    }

    /// Ends the program as a crash does: the store and its log stay as they are.
    func end() {
        guard process.isRunning else { return }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
