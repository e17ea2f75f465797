import Foundation
import ModelDocument

extension StudioSession {
    func records(ofVersion id: ElementID) -> VersionRecords? {
        if let records = recordCache[id] { return records }
        let records = document.records(ofVersion: id)
        recordCache[id] = records
        return records
    }

    func problems(ofVersion id: ElementID) -> [Problem] {
        if let problems = problemCache[id] { return problems }
        guard let index = document.trees.firstIndex(where: { $0.id == id }) else { return [] }
        let problems = Problem.all(in: document.document.versions[index].model, document.trees[index])
        problemCache[id] = problems
        return problems
    }

    /// Events from now on, until the listener stops.
    func events() -> AsyncStream<StudioEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: StudioEvent.self, bufferingPolicy: .bufferingNewest(256))
        let key = UUID()
        subscribers[key] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { await self?.unsubscribe(key) }
        }
        return stream
    }

    private func unsubscribe(_ key: UUID) { subscribers[key] = nil }

    func publish(_ event: StudioEvent) {
        for subscriber in subscribers.values { subscriber.yield(event) }
    }
}
