import Foundation
import Hummingbird

/// What the server answers, by path and method.
struct StudioRoutes: Sendable {
    typealias Handler = @Sendable (StudioSession, StudioRequest) async throws -> JSON

    private let reading: [String: Handler]
    private let changing: [String: Handler]

    init() {
        reading = Self.readingRoutes.merging(Self.graphRoutes) { first, _ in first }
        changing = Self.changingRoutes
    }

    /// - Throws: `unknownPath`, `unknownMethod`.
    func handler(for path: String, _ method: HTTPRequest.Method) throws -> Handler {
        let routes = method == .get ? reading : method == .post ? changing : [:]
        if let handler = routes[path] { return handler }
        guard reading[path] == nil, changing[path] == nil else {
            throw StudioError(.unknownMethod, "\(path) takes \(reading[path] == nil ? "POST" : "GET").")
        }
        throw StudioError(.unknownPath, "There is nothing at \(path).")
    }

    private static let readingRoutes: [String: Handler] = [
        "/api/document": { try await $0.state(ofVersion: $1.id("version")) },
        "/api/compare": { try await $0.compare(from: $1.required("from"), to: $1.required("to")) },
        "/api/source": { try await $0.source(ofVersion: $1.requiredID("version")) },
        "/api/code": { try await $0.code(ofEntity: $1.requiredID("entity")) },
        "/api/snippet": { try await $0.snippet(forRequest: $1.requiredID("request")) },
    ]

    private static let changingRoutes: [String: Handler] = [
        "/api/actions": { try await $0.perform($1.decoded(StudioSession.StepRequest.self)).json },
        "/api/undo": { try await $0.undo(client: $1.decoded(ClientRequest.self).client).json },
        "/api/redo": { try await $0.redo(client: $1.decoded(ClientRequest.self).client).json },
        "/api/preview/rename": { session, request in
            let request = try request.decoded(RenamePreviewRequest.self)
            return try await session.previewRename(request.element, to: request.name)
        },
        "/api/preview/set": { session, request in
            let request = try request.decoded(SetPreviewRequest.self)
            return try await session.previewSet(request.element, to: request.changes)
        },
        "/api/save": { session, request in
            let request = try request.decoded(SaveRequest.self)
            return try await session.save(overwrites: request.overwrites ?? false, client: request.client).json
        },
        "/api/disk": { session, request in
            let request = try request.decoded(ChoiceRequest<StudioSession.DiskChoice>.self)
            return try await session.resolveDisk(request.choice, client: request.client).json
        },
        "/api/recovery": { session, request in
            let request = try request.decoded(ChoiceRequest<StudioSession.RecoveryChoice>.self)
            return try await session.resolveRecovery(request.choice, client: request.client).json
        },
        "/api/generate": { try await $0.generate($1.decoded(StudioSession.GenerateRequest.self)) },
        "/api/predicate": { try await $0.checkPredicate($1.decoded(PredicateRequest.self)) },
    ]

    private struct ClientRequest: Decodable { var client: String? }

    private struct RenamePreviewRequest: Decodable {
        var element: ElementID
        var name: String
    }

    private struct SetPreviewRequest: Decodable {
        var element: ElementID
        var changes: [String: JSON]
    }

    private struct SaveRequest: Decodable {
        var overwrites: Bool?
        var client: String?
    }

    private struct ChoiceRequest<Choice: Decodable>: Decodable {
        var choice: Choice
        var client: String?
    }
}
