import Foundation
import Hummingbird

/// What the server answers below `/api/merge`.
extension StudioResponder {
    func mergeAnswer(_ request: Request, _ path: String) async throws -> Response {
        let session = try opened.requiredMerge()
        switch (path, request.method) {
        case ("/api/merge", .get): return .json(.ok, await session.state)
        case ("/api/merge/choose", .post):
            let choice = try StudioRequest(query: [:], body: await request.jsonBody()).decoded(MergeChoice.self)
            return .json(.ok, try await session.choose(choice.conflict, choice.side))
        case ("/api/merge/finish", .post):
            let end = try StudioRequest(query: [:], body: await request.jsonBody()).decoded(MergeEnd.self)
            return .json(.ok, try await session.finish(writes: end.writes))
        case ("/api/merge", _), ("/api/merge/choose", _), ("/api/merge/finish", _):
            throw StudioError(.unknownMethod, "\(path) takes \(path == "/api/merge" ? "GET" : "POST").")
        default: throw StudioError(.unknownPath, "There is nothing at \(path).")
        }
    }
}

private struct MergeChoice: Decodable {
    /// Nil for all.
    var conflict: String?
    /// Nil takes a choice back.
    var side: String?
}

private struct MergeEnd: Decodable {
    var writes: Bool
}

extension OpenedThings {
    /// - Throws: `notOpen`.
    func requiredMerge() throws -> MergeSession {
        guard let merge else { throw StudioError(.notOpen, "This studio was started without a merge.") }
        return merge
    }
}
