import Foundation
import Hummingbird

/// What the server answers below `/api/mapping/`, by path and method.
enum MappingRoutes {
    typealias Handler = @Sendable (MappingSession, StudioRequest, OpenedThings) async throws -> JSON

    /// - Throws: `unknownPath`, `unknownMethod`.
    static func handler(for path: String, _ method: HTTPRequest.Method) throws -> Handler {
        let routes = method == .get ? reading : method == .post ? changing : [:]
        if let handler = routes[path] { return handler }
        guard reading[path] == nil, changing[path] == nil else {
            throw StudioError(.unknownMethod, "\(path) takes \(reading[path] == nil ? "POST" : "GET").")
        }
        throw StudioError(.unknownPath, "There is nothing at \(path).")
    }

    private static let reading: [String: Handler] = [
        "/api/mapping/state": { session, _, _ in await session.state() },
        "/api/mapping/source": { session, _, _ in try await session.source() },
        "/api/mapping/job": { session, _, _ in ["job": await session.job?.json ?? .null] },
    ]

    private static let changing: [String: Handler] = [
        "/api/mapping/actions": { session, request, _ in
            try await session.perform(request.decoded(MappingStepRequest.self))
        },
        "/api/mapping/undo": { session, request, _ in
            await session.undo(try request.decoded(MappingRequest.self))
        },
        "/api/mapping/redo": { session, request, _ in
            await session.redo(try request.decoded(MappingRequest.self))
        },
        "/api/mapping/save": { session, request, _ in
            try await session.save(request.decoded(MappingRequest.self))
        },
        "/api/mapping/reload": { session, request, _ in
            try await session.reload(request.decoded(MappingRequest.self))
        },
        "/api/mapping/recovery": { session, request, _ in
            try await session.resolveRecovery(request.decoded(MappingSession.RecoveryRequest.self))
        },
        "/api/mapping/check": { session, request, _ in
            try await session.check(request.decoded(MappingTextRequest.self))
        },
        "/api/mapping/dry-run": { session, request, opened in
            try await session.startDryRun(opened.choosing(try request.decoded(MappingRequest.self).store))
        },
        "/api/mapping/migrate": { session, request, opened in
            try await session.startMigration(opened.choosing(try request.decoded(MappingRequest.self).store))
        },
        "/api/mapping/cancel": { session, _, _ in await session.cancelJob() },
    ]

    /// Makes a mapping model of two versions of the open model.
    static func make(_ request: StudioRequest, _ opened: OpenedThings) async throws -> JSON {
        let model = try opened.requiredModel()
        guard await !model.isDirty else {
            throw StudioError(.invalidEdit, "Save the model first: a mapping model names versions as they are on disk.")
        }
        let (session, leftOpen) = try MappingSession.infer(
            try request.decoded(NewMappingRequest.self), from: model.url)
        // It is unsaved as it is.
        await session.scheduleJournal()
        let document = await opened.open(session)
        return [
            "document": .optional(document), "leftOpen": .array(leftOpen.map(JSON.text)),
            "path": .text(session.url.path),
        ]
    }
}
