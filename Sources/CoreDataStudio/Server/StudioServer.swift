import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import StoreBrowsing

/// The model editor and the data browser: a document, a store or both, and the web pages on loopback that show them.
///
/// ```swift
/// let studio = try StudioServer(document: URL(filePath: "League.xcdatamodeld"))
/// try await studio.run { address in print(address) }
/// ```
package struct StudioServer: Sendable {
    private let opened: OpenedThings
    private let files: StaticFiles
    private let port: Int
    private let door: Guard

    /// Opens a document, a store or both.
    ///
    /// - Parameters:
    ///   - document: A `.xcdatamodeld` or `.xcdatamodel` folder.
    ///   - isNew: Whether the document is to be made.
    ///   - mapping: An `.xcmappingmodel` folder.
    ///   - store: A file or a database.
    ///   - editsStore: Whether the store may be changed; without it, it is opened for reading alone.
    ///   - port: The port to listen on; 0 for any that is free.
    /// - Throws: `StudioFailure` for what can't be opened.
    package init(
        document: URL?, isNew: Bool = false, mapping: URL? = nil, store: StorePlace? = nil, editsStore: Bool = false,
        port: Int = 0
    ) throws {
        do {
            files = try StaticFiles()
            let store = try store.map { try StoreSession($0, modelAt: document, isEdited: editsStore) }
            store?.listenToStore()
            opened = OpenedThings(
                model: try document.map { try StudioSession($0, isNew: isNew) }, store: store,
                mapping: try mapping.map { try MappingSession($0, documents: document.map { [$0] } ?? []) })
        } catch { throw StudioFailure(message: StudioError(error).message) }
        door = Guard(firstPage: mapping != nil ? "/mapping" : store == nil ? "/" : "/data")
        self.port = port
    }

    /// Serves until the process is asked to end by an interrupt or a termination signal.
    ///
    /// - Parameter ready: Called with the address that lets in, when the server listens.
    /// - Returns: What became of unsaved changes.
    /// - Throws: `StudioFailure` if the port is taken.
    package func run(_ ready: @escaping @Sendable (String) async -> Void) async throws -> UnsavedChanges {
        var logger = Logger(label: "studio")
        logger.logLevel = .critical
        let application = Application(
            responder: StudioResponder(opened: opened, door: door, files: files),
            server: .http1(configuration: .init(idleTimeout: .seconds(10))),
            configuration: .init(address: .hostname("127.0.0.1", port: port), serverName: nil),
            services: opened.model.map { [DiskWatch(session: $0)] } ?? [],
            onServerRunning: { channel in
                door.port = channel.localAddress?.port ?? port
                await ready(door.entrance)
            },
            logger: logger)
        do {
            try await application.runService()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw StudioFailure(
                message: "Port \(port) is taken by another program. Choose another one with --port, or leave it out.")
        } catch let error as IOError where error.errnoCode == EACCES {
            throw StudioFailure(message: "Port \(port) may not be used by this account; choose one from 1024 on.")
        }
        let kept = await opened.model?.close() ?? .none
        let unsaved = kept.adding(await opened.mapping?.unsaved)
        guard let store = opened.store else { return unsaved }
        let lost = await store.unsavedCount()
        // A log that stays beside the file is no loss: the next program that opens it takes it over.
        try? await store.close()
        guard lost > 0 else { return unsaved }
        return unsaved.adding("\(lost) changed \(lost == 1 ? "object was" : "objects were") not saved.")
    }
}

/// What becomes of unsaved changes when the studio ends.
package enum UnsavedChanges: Sendable, Hashable {
    /// There are none.
    case none
    /// They are in the file at that path, and the next start offers them.
    case kept(String)
    /// They could not be written down, for that reason.
    case lost(String)

    /// Others that are lost with them; nil: none.
    fileprivate func adding(_ others: String?) -> UnsavedChanges {
        guard let others else { return self }
        return switch self {
        case .none: .lost(others)
        case .kept(let path): .lost("\(others) The model's changes are kept in \(path).")
        case .lost(let reason): .lost("\(others) \(reason)")
        }
    }
}

/// Why the studio can't start: a sentence for its user.
package struct StudioFailure: Error, Sendable, Hashable {
    package var message: String
}

/// Watches the disk while the server runs.
private struct DiskWatch: Service {
    let session: StudioSession

    func run() async throws {
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            await session.checkDisk()
            // Cancelled with the server, so that the end waits for nothing.
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(1)) }
        }
    }
}
