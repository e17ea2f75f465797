import Foundation
import Synchronization

/// The calls of the system by which a store's file is replaced.
///
/// Each returns what the function of the C library returns that has its name: -1 for a failure, which `errno` tells.
/// A test puts calls that fail in the place of the system's.
package protocol FileCalls: Sendable {
    func open(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32
    func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int
    func fsync(_ file: Int32) -> Int32
    func close(_ file: Int32) -> Int32
    func rename(_ old: String, _ new: String) -> Int32
    /// Gives a file another name, unless there is a file with that name.
    func link(_ old: String, _ new: String) -> Int32
    func unlink(_ path: String) -> Int32
}

/// The calls that stores make.
package enum StoreFileCalls {
    private static let calls = Mutex<any FileCalls>(SystemFileCalls())

    package static var current: any FileCalls {
        get { calls.withLock { $0 } }
        set { calls.withLock { $0 = newValue } }
    }
}

/// The system's own.
package struct SystemFileCalls: FileCalls {
    package init() {}

    package func open(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { Foundation.open(path, flags, mode) }

    package func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        Foundation.write(file, bytes.baseAddress, bytes.count)
    }

    package func fsync(_ file: Int32) -> Int32 { Foundation.fsync(file) }
    package func close(_ file: Int32) -> Int32 { Foundation.close(file) }
    package func rename(_ old: String, _ new: String) -> Int32 { Foundation.rename(old, new) }
    package func link(_ old: String, _ new: String) -> Int32 { Foundation.link(old, new) }
    package func unlink(_ path: String) -> Int32 { Foundation.unlink(path) }
}
