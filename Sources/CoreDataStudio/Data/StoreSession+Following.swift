import CoreData
import Foundation
import ModelDocument
import StoreBrowsing

// A file that is open for reading is evidence: nothing is written beside it. As long as a window listens, the files are
// looked at, and read anew when they are others. A database tells by itself.

/// What is known of a store that is open for reading, and that other programs may change.
struct Following {
    /// The files as they were when they were read; nil for a database.
    var stamp: StoreStamp?
    /// What tells of the saves of others to a database.
    var database: NSPersistentStoreCoordinator?
    /// How many windows listen.
    var listeners = 0
    var task: Task<Void, Never>?
    /// Why what is shown is older than the store; nil where it is not.
    var problem: String?
    /// How often in a row the files could not be read.
    var failures = 0
}

extension StoreSession {
    /// How often the files are looked at.
    private static let interval = Duration.milliseconds(250)
    /// How often in a row the files may not be readable before it is told.
    private static let patience = 12

    /// What a window is told, until it goes. As long as there is one, the session follows the store.
    func followedEvents() -> AsyncStream<StoreEvent> {
        let told = events()
        if let database = following.database {
            following.database = nil
            watch.start(database) { [weak self] in Task { await self?.storeChanged() } }
        }
        guard edits == nil, following.stamp != nil else { return told }
        let (events, feed) = AsyncStream.makeStream(of: StoreEvent.self, bufferingPolicy: .bufferingNewest(64))
        let task = Task {
            for await event in told { feed.yield(event) }
            feed.finish()
        }
        feed.onTermination = { [weak self] _ in
            task.cancel()
            Task { await self?.listenerWent() }
        }
        following.listeners += 1
        if following.task == nil {
            following.task = Task { [weak self] in
                while let pause = await self?.followFiles() { try? await Task.sleep(for: pause) }
            }
        }
        return events
    }

    private func listenerWent() { following.listeners -= 1 }

    /// Reads the files anew if they are others than before.
    ///
    /// - Returns: How long to wait until the next time; nil where no window listens any more.
    private func followFiles() async -> Duration? {
        guard following.listeners > 0, case .file(let url) = place else {
            following.task = nil
            return nil
        }
        let now = StoreStamp(of: url)
        guard now != following.stamp else { return Self.interval }
        let start = ContinuousClock.now
        await readAnew(url, now)
        // A large store that is saved often takes a fifth of the time at most.
        return max(Self.interval, (ContinuousClock.now - start) * 4)
    }

    private func readAnew(_ url: URL, _ stamp: StoreStamp) async {
        do {
            guard let new = try await Self.reopened(place, url, openedWith, model, stamp) else { return fail(nil) }
            screen.take(new.screen)
            background.take(new.background)
            (following.stamp, following.problem, following.failures) = (stamp, nil, 0)
            await storeChanged()
        } catch {
            // A store of another model stays as it was read: the page is about that model.
            if error is OtherModel { following.stamp = stamp }
            fail(error)
        }
    }

    /// Files that another program writes at this moment are read a moment later.
    private func fail(_ error: (any Error)?) {
        following.failures += 1
        guard error is OtherModel || following.failures == Self.patience else { return }
        let reason = error.map { $0 is OtherModel ? OtherModel.message : OpenedStore.failure($0).message }
        following.problem =
            "What other programs save is not shown: \(reason ?? "the store is written to without a pause.")"
        listeners.tell(.store)
    }

    /// Two connections to what the store is now; nil where it was changed meanwhile.
    private static func reopened(
        _ place: StorePlace, _ url: URL, _ models: [String], _ model: Model, _ stamp: StoreStamp
    ) async throws -> (screen: ReadingQueue, background: ReadingQueue)? {
        // Copies of large files take a while, and are made where nothing else waits.
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global(qos: .utility).async {
                continuation.resume(
                    with: Result {
                        let store = try OpenedStore(place, models: models, tellsOddities: false) { _ in }
                        guard try store.readingModel() == model else { throw OtherModel() }
                        let new = try ReadingQueue.pair(reading: store)
                        return stamp.isOneState(with: StoreStamp(of: url)) ? (new.screen, new.background) : nil
                    })
            }
        }
    }

    /// Another program has migrated the store.
    private struct OtherModel: Error {
        static let message = "the store has another model now. Close it and open it again."
    }
}
