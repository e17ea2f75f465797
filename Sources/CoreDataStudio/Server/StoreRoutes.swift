import Foundation
import Hummingbird

/// What the server answers below `/api/store/`, by path and method. Downloads are in ``StudioResponder``.
enum StoreRoutes {
    enum Answer: Sendable {
        case json(JSON)
        case bytes(Data)
    }

    typealias Handler = @Sendable (StoreSession, StudioRequest) async throws -> Answer

    /// - Throws: `unknownPath`, `unknownMethod`.
    static func handler(for path: String, _ method: HTTPRequest.Method) throws -> Handler {
        let routes = method == .get ? reading : method == .post ? asking : [:]
        if let handler = routes[path] { return handler }
        guard reading[path] == nil, asking[path] == nil else {
            throw StudioError(.unknownMethod, "\(path) takes \(reading[path] == nil ? "POST" : "GET").")
        }
        throw StudioError(.unknownPath, "There is nothing at \(path).")
    }

    private static let reading: [String: Handler] = [
        "/api/store/schema": { store, _ in .json(try await store.schema()) },
        "/api/store/counts": { store, _ in .json(try await store.countsJSON()) },
        "/api/store/changes": { store, _ in .json(try await store.changes()) },
        "/api/store/memory": { store, _ in .json(["values": .object(store.memory.values())]) },
        "/api/store/bytes": { store, request in
            let from = try request.number("from") ?? 0
            let count = try request.number("count") ?? StoreSession.mostBytes
            return .bytes(
                try await store.bytes(
                    request.required("object"), request.required("key"),
                    from..<from + min(count, StoreSession.mostBytes)
                ))
        },
        "/api/store/tree": { store, request in
            .json(try await store.tree(request.required("object"), request.required("key")))
        },
    ]

    /// What they ask for does not fit into an address, or changes something.
    static let asking: [String: Handler] = [
        "/api/store/edit": { .json(try await $0.edit($1.decoded(EditRequest.self))) },
        "/api/store/undo": { .json(try await $0.undoEdit($1.decoded(StepRequest.self))) },
        "/api/store/redo": { .json(try await $0.redoEdit($1.decoded(StepRequest.self))) },
        "/api/store/discard": { .json(try await $0.discardEdits($1.decoded(StepRequest.self))) },
        "/api/store/recovery": { .json(try await $0.resolveRecovery($1.decoded(StagedRecoveryRequest.self))) },
        "/api/store/save": { .json(try await $0.saveEdits($1.decoded(StepRequest.self))) },
        "/api/store/deletion": { .json(try await $0.previewDeletion($1.decoded(DeletionRequest.self))) },
        "/api/store/import": { .json(try await $0.importFile($1.decoded(ImportRequest.self))) },
        "/api/store/pick": { .json(try await $0.pick($1.decoded(PickRequest.self))) },
        "/api/store/rows": { .json(try await $0.rows($1.decoded(RowsRequest.self))) },
        "/api/store/total": { .json(try await $0.total($1.decoded(RowQuery.self))) },
        "/api/store/history": { .json(try await $0.history($1.decoded(HistoryRequest.self))) },
        "/api/store/as-of": { .json(try await $0.asOf($1.decoded(AsOfRequest.self))) },
        "/api/store/remember": { store, request in
            try store.memory.keep(try request.decoded(Remembered.self).values)
            return .json([:])
        },
        "/api/store/object": { .json(try await $0.object($1.decoded(ObjectRequest.self))) },
        "/api/store/filter": { .json($0.checkFilter(try $1.decoded(FilterRequest.self))) },
        "/api/store/explain": { .json(try await $0.explain($1.decoded(RowQuery.self))) },
        "/api/store/export": { .json(try await $0.prepareExport($1.decoded(ExportRequest.self))) },
    ]
}

/// What the page wants to have remembered.
private struct Remembered: Decodable {
    var values: [String: JSON]
}

extension StudioRequest {
    /// A member of the query that is a number from 0 on.
    fileprivate func number(_ name: String) throws -> Int? {
        guard let text = query[name] else { return nil }
        guard let number = Int(text), (0...1 << 40).contains(number) else {
            throw StudioError(.invalidRequest, "‘\(name)’ has to be a number from 0 on.")
        }
        return number
    }
}
