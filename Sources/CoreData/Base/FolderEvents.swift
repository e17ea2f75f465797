import Dispatch
import FoundationGaps
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// Tells of writes to files, as the system notices them: no file is read for it.
final class FolderEvents: Sendable {
    static let shared = FolderEvents()

    /// What wants to know of files in a folder.
    private struct Observer: Sendable {
        let id: UInt64
        let names: Set<String>
        let told: @Sendable () -> Void
    }

    private struct State: Sendable {
        /// The system's queue of events; -1 before it is needed.
        var queue: Int32 = -1
        /// By the system's number for the folder.
        var observers: [Int32: [Observer]] = [:]
        var lastID: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Calls `told` when one of a folder's files is written to, made or removed, on a thread of its own.
    ///
    /// - Returns: The observation, which ends with the object.
    /// - Throws: A POSIX error where the system can't, or has no such notifications.
    func observe(
        _ names: Set<String>, in folder: URL, _ told: @escaping @Sendable () -> Void
    ) throws -> FolderObservation {
        #if canImport(Glibc) || canImport(Musl) || canImport(Android)
            return try state.withLock { state in
                if state.queue < 0 { state.queue = try begin() }
                let mask = UInt32(IN_MODIFY) | UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE)
                let number = inotify_add_watch(state.queue, folder.path, mask)
                if number < 0 { throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno)) }
                state.lastID += 1
                state.observers[number, default: []].append(Observer(id: state.lastID, names: names, told: told))
                return FolderObservation(id: state.lastID)
            }
        #else
            throw NSError(domain: NSPOSIXErrorDomain, code: Int(ENOTSUP))
        #endif
    }

    /// Ends an observation. A call that is under way may still come.
    fileprivate func end(_ id: UInt64) {
        state.withLock { state in
            for (number, observers) in state.observers {
                let rest = observers.filter { $0.id != id }
                guard rest.count < observers.count else { continue }
                state.observers[number] = rest.isEmpty ? nil : rest
                #if canImport(Glibc) || canImport(Musl) || canImport(Android)
                    if rest.isEmpty { inotify_rm_watch(state.queue, number) }
                #endif
            }
        }
    }

    #if canImport(Glibc) || canImport(Musl) || canImport(Android)
        /// Begins to listen. The thread stays for the life of the process.
        private func begin() throws -> Int32 {
            let queue = inotify_init1(Int32(IN_CLOEXEC))
            if queue < 0 { throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno)) }
            let thread = Thread { [unowned self] in listen(queue) }
            thread.name = "CoreData files"
            thread.start()
            return queue
        }

        private func listen(_ queue: Int32) {
            withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: MemoryLayout<inotify_event>.alignment) {
                while true {
                    let count = read(queue, $0.baseAddress, $0.count)
                    if count > 0 { tell(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
                    if count < 0, errno != EINTR {
                        FileHandle.standardError.write(
                            Data("CoreData: warning: The system no longer tells of writes to stores (\(errno)).\n".utf8)
                        )
                        return
                    }
                }
            }
        }

        private func tell(_ events: UnsafeRawBufferPointer) {
            let head = MemoryLayout<inotify_event>.size
            var changed: [Int32: Set<String>] = [:]
            var (place, isOverfull) = (0, false)
            while place + head <= events.count {
                let number = events.loadUnaligned(fromByteOffset: place, as: Int32.self)
                let mask = events.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
                let length = Int(events.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self))
                let name = events[(place + head)..<min(events.count, place + head + length)].prefix { $0 != 0 }
                changed[number, default: []].insert(String(decoding: name, as: UTF8.self))
                isOverfull = isOverfull || mask & UInt32(IN_Q_OVERFLOW) != 0
                place += head + length
            }
            let observers = state.withLock { state in
                // What the system had no place to tell may concern every file.
                if isOverfull { return state.observers.values.flatMap(\.self) }
                return changed.flatMap { number, names in
                    (state.observers[number] ?? []).filter { !$0.names.isDisjoint(with: names) }
                }
            }
            for observer in observers { observer.told() }
        }
    #endif
}

/// An observation of a folder's files, as long as it lives.
final class FolderObservation: Sendable {
    private let id: UInt64

    fileprivate init(id: UInt64) { self.id = id }

    deinit { FolderEvents.shared.end(id) }
}
