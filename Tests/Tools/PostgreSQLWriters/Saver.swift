import CoreData
import Foundation

/// A process that saves when it is told to.
///
/// For each line of its input it inserts a player of that name, and writes when it began to save and when the save had
/// ended, as ``time()`` gives it.
struct Saver {
    private let url: URL

    init(_ text: String) throws {
        guard let url = URL(string: text) else { throw CocoaError(.formatting) }
        self.url = url
    }

    func run() throws {
        let context = WritersStore.context(try WritersStore.open(url, options: Self.options))
        while let name = readLine() {
            try context.performAndWait {
                WritersStore.insert("Player", named: name, into: context)
                let start = Self.time()
                try context.save()
                let line = "\(start) \(Self.time())\n"
                try FileHandle.standardOutput.write(contentsOf: Data(line.utf8))
            }
        }
    }

    /// What a store needs that tells of the saves of others.
    static var options: [AnyHashable: Any] {
        [
            NSPersistentHistoryTrackingKey: true as NSNumber,
            NSPersistentStoreRemoteChangeNotificationPostOptionKey: true as NSNumber,
        ]
    }

    /// Nanoseconds of a clock that all processes of this machine have.
    static func time() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
