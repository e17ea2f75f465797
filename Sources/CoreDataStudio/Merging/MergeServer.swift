import Hummingbird
import Logging
import ModelDocument
import NIOCore
import ServiceLifecycle

/// A page on loopback on which a person settles the conflicts of a merge.
///
/// ```swift
/// let merge = try await MergeServer(task).run { address in print(address) }
/// ```
package struct MergeServer: Sendable {
    private let session: MergeSession
    private let files: StaticFiles
    private let port: Int
    private let door = Guard(firstPage: "/merge")

    /// - Throws: ``StudioFailure`` where the sides can't be merged.
    package init(_ task: MergeTask, port: Int = 0) throws {
        do {
            files = try StaticFiles()
            session = try MergeSession(task)
        } catch { throw StudioFailure(message: StudioError(error).message) }
        self.port = port
    }

    /// Serves until the merge is written or given up, or the process is asked to end.
    ///
    /// - Parameter ready: Called with the address that lets in, when the server listens.
    /// - Returns: The settled merge; nil where it was given up.
    /// - Throws: ``StudioFailure`` if the port is taken.
    package func run(_ ready: @escaping @Sendable (String) async -> Void) async throws -> ModelMerge? {
        var logger = Logger(label: "merge")
        logger.logLevel = .critical
        let application = Application(
            responder: StudioResponder(merge: session, door: door, files: files),
            server: .http1(configuration: .init(idleTimeout: .seconds(10))),
            configuration: .init(address: .hostname("127.0.0.1", port: port), serverName: nil),
            services: [MergeEndWatch(session: session)],
            onServerRunning: { channel in
                door.port = channel.localAddress?.port ?? port
                await ready(door.entrance)
            },
            logger: logger)
        do {
            try await application.runService()
        } catch is MergeEndWatch.Ended {
            return await session.outcome
        } catch let error as IOError {
            throw StudioFailure(message: "The page can’t be served on port \(port): \(error)")
        }
        return await session.outcome
    }
}

/// Ends the server when the merge has ended.
private struct MergeEndWatch: Service {
    struct Ended: Error {}

    let session: MergeSession

    func run() async throws {
        await session.ended()
        guard !Task.isShuttingDownGracefully, !Task.isCancelled else { return }
        // The page gets its answer first.
        try? await Task.sleep(for: .milliseconds(400))
        throw Ended()
    }
}
