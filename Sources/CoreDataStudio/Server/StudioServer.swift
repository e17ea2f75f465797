import Foundation
import Hummingbird
import Logging
import ModelDocument
import NIOCore
import ServiceLifecycle
import StoreBrowsing

/// The model editor and the data browser: models and stores, and the web pages on loopback that show them.
///
/// ```swift
/// let studio = try StudioServer(document: URL(filePath: "League.xcdatamodeld"))
/// try await studio.run { address in print(address) }
/// ```
package struct StudioServer: Sendable {
    private let documents: OpenedDocuments
    private let files: StaticFiles
    private let port: Int
    private let door: Guard

    /// Opens documents; more can be opened in the window.
    ///
    /// - Parameters:
    ///   - places: What is opened, in the order of the tabs. A store that carries no model is read with one that fits.
    ///   - editsStores: Whether stores may be changed; without it, they are opened for reading alone.
    ///   - port: The port to listen on; 0 for any that is free.
    /// - Throws: `StudioFailure` for what can't be opened.
    package init(documents places: [DocumentPlace], editsStores: Bool = false, port: Int = 0) throws {
        do {
            files = try StaticFiles()
            let models = places.compactMap(\.modelURL)
            // One model beside one store is meant for it.
            let isPair = models.count == 1 && places.count { $0.kind == .store } == 1
            let sessions = try places.map { try $0.open(models: models, mustFit: !isPair, isEdited: editsStores) }
            documents = OpenedDocuments(sessions, editsStores: editsStores)
        } catch { throw StudioFailure(message: StudioError(error).message) }
        let kinds = places.map(\.kind)
        let first = [DocumentKind.mapping, .store].first(where: kinds.contains) ?? kinds.first
        door = Guard(firstPage: first?.page ?? "/start")
        self.port = port
    }

    /// Opens a document, a store or both.
    ///
    /// - Throws: `StudioFailure` for what can't be opened.
    package init(
        document: URL?, isNew: Bool = false, mapping: URL? = nil, store: StorePlace? = nil, editsStore: Bool = false,
        port: Int = 0
    ) throws {
        let places = [
            document.map { DocumentPlace.model($0, isNew: isNew) }, mapping.map(DocumentPlace.mapping),
            store.map(DocumentPlace.store),
        ]
        try self.init(documents: places.compactMap { $0 }, editsStores: editsStore, port: port)
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
            responder: StudioResponder(documents: documents, door: door, files: files),
            server: .http1(configuration: .init(idleTimeout: .seconds(10))),
            configuration: .init(address: .hostname("127.0.0.1", port: port), serverName: nil),
            services: [DocumentWatch(documents: documents)],
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
        return await documents.finish()
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
}

/// Why the studio can't start: a sentence for its user.
package struct StudioFailure: Error, Sendable, Hashable {
    package var message: String
}

/// Watches the documents while the server runs.
private struct DocumentWatch: Service {
    let documents: OpenedDocuments

    func run() async throws {
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            await documents.lookAround()
            // Cancelled with the server, so that the end waits for nothing.
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(1)) }
        }
    }
}
