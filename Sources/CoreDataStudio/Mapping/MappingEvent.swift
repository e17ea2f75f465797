import Foundation

/// What windows of a mapping model are told without asking.
enum MappingEvent: Sendable {
    /// The mapping model is another one now.
    case update(JSON, client: String?)
    /// A dry run or a migration got on.
    case job(JSON)

    var name: String {
        switch self {
        case .update: "update"
        case .job: "job"
        }
    }

    var json: JSON {
        switch self {
        case .update(let state, let client): ["state": state, "client": .optional(client)]
        case .job(let job): job
        }
    }
}

extension MappingSession {
    /// What a window is told, until it goes.
    func events() -> AsyncStream<MappingEvent> {
        // A window that reads no more loses events, and notices by the revisions.
        let (events, feed) = AsyncStream.makeStream(of: MappingEvent.self, bufferingPolicy: .bufferingNewest(64))
        let id = UUID()
        feeds[id] = feed
        feed.onTermination = { [weak self] _ in Task { await self?.stopTelling(id) } }
        return events
    }

    private func stopTelling(_ id: UUID) { feeds[id] = nil }

    func publish(_ event: MappingEvent) { for feed in feeds.values { feed.yield(event) } }
}
