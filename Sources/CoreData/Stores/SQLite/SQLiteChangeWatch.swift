import Dispatch
import FoundationGaps
import Synchronization

/// Tells of all commits to a database file, by this process and by others.
///
/// The system tells when the file or its log is written to. A connection of its own then looks at SQLite's number of
/// the file's version. The log is written before a commit counts: so it looks again some times, ever more rarely.
final class SQLiteChangeWatch: @unchecked Sendable {
    // Unchecked: the connection and what is known of the file are used on the queue alone.

    private let queue = DispatchQueue(label: "NSPersistentStoreRemoteChange")
    /// The queue that code runs on.
    private static let place = DispatchSpecificKey<ObjectIdentifier>()
    private let connection: SQLiteConnection
    private let told: @Sendable (_ lastTransaction: Int64?) -> Void
    private var version: Int64
    private var isEnded = false
    /// Which event the looks belong to; those for older events are given up.
    private var event = 0
    private let isEventWaiting = Atomic<Bool>(false)
    private var observation: FolderObservation?
    private var timer: (any DispatchSourceTimer)?

    /// After how many milliseconds the file is looked at again.
    private static let pauses = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]
    /// How often the file is looked at where the system does not tell of writes, in milliseconds.
    private static let interval = 50

    /// - Parameter told: Called on a thread of its own, with the number of the last transaction in the store's history.
    /// - Throws: What opening a connection throws.
    init(_ url: URL, timeout: Double, told: @escaping @Sendable (_ lastTransaction: Int64?) -> Void) throws {
        connection = try SQLiteConnection(path: url.path, access: .readOnly, timeout: timeout)
        self.told = told
        version = try connection.dataVersion()
        queue.setSpecific(key: Self.place, value: ObjectIdentifier(queue))
        observe(url)
    }

    deinit { end() }

    private func observe(_ url: URL) {
        let name = url.lastPathComponent
        do {
            observation = try FolderEvents.shared.observe(
                [name, name + "-wal", name + "-journal"], in: url.deletingLastPathComponent()
            ) { [weak self] in self?.noteEvent() }
        } catch {
            FileHandle.standardError.write(
                Data("CoreData: warning: The system can't tell of writes to \(url.path), which is polled.\n".utf8))
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now(), repeating: .milliseconds(Self.interval))
            timer.setEventHandler { [weak self] in self?.look() }
            timer.resume()
            self.timer = timer
        }
    }

    /// Ends the watch. No call of `told` begins afterwards.
    func end() {
        observation = nil
        timer?.cancel()
        // The last reference to the store may go on the queue itself.
        let isHere = DispatchQueue.getSpecific(key: Self.place) == ObjectIdentifier(queue)
        if isHere { close() } else { queue.sync { close() } }
    }

    private func close() {
        if isEnded { return }
        isEnded = true
        connection.close()
    }

    private func noteEvent() {
        // Many writes belong to one commit.
        if isEventWaiting.exchange(true, ordering: .acquiringAndReleasing) { return }
        queue.async { [weak self] in
            guard let self else { return }
            isEventWaiting.store(false, ordering: .releasing)
            event += 1
            look(for: event, after: Self.pauses[...])
        }
    }

    private func look(for event: Int, after pauses: ArraySlice<Int>) {
        guard !isEnded, event == self.event else { return }
        look()
        guard let pause = pauses.first else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(pause)) { [weak self] in
            self?.look(for: event, after: pauses.dropFirst())
        }
    }

    private func look() {
        // A file that can't be read now is looked at again after the next event.
        guard !isEnded, let now = try? connection.dataVersion(), now != version else { return }
        version = now
        told((try? SQLiteHistory.highestKey(.transaction, connection)) ?? nil)
    }
}
