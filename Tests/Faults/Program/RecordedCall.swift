import FileFaults
import Foundation

/// A file-system call that changed something, or forced changes to the disk, as it was recorded.
struct RecordedCall {
    enum Effect {
        case open(creates: Bool, empties: Bool)
        case write(offset: Int, bytes: [UInt8])
        case truncate(length: Int)
        case synchronize
        case delete
        case rename(to: String)
        case link(to: String)
        case makeFolder
        case removeFolder
        /// A step of the scenario was completed.
        case mark
    }

    let effect: Effect
    /// Below the folder, with a slash at its start.
    let path: String
    /// Which opening of a file; 0 where the path says which file.
    let handle: UInt32

    /// All calls of the record that had an effect, in their order.
    static var all: [RecordedCall] {
        (0..<filefaults_count_recorded()).compactMap { RecordedCall(filefaults_call($0).pointee) }
    }

    private init?(_ call: FileCall) {
        guard call.succeeded || call.kind == .mark, let effect = Effect(call) else { return nil }
        self.effect = effect
        path = Self.path(call.path)
        handle = call.handle
    }

    /// A path without a slash at its end, which those of folders may have.
    fileprivate static func path(_ path: UnsafePointer<CChar>?) -> String {
        let path = path.map { String(cString: $0) } ?? ""
        return path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    var isWrite: Bool { if case .write = effect { true } else { false } }

    /// Whether a disk that stops before the call can be another one than a disk that stops after it.
    var changesSomething: Bool {
        switch effect {
        case .open(let creates, let empties): creates || empties
        case .mark: false
        default: true
        }
    }
}

extension RecordedCall.Effect {
    fileprivate init?(_ call: FileCall) {
        let other = RecordedCall.path(call.otherPath)
        switch call.kind {
        case .open: self = .open(creates: call.creates, empties: call.empties)
        case .write:
            let bytes = UnsafeRawBufferPointer(start: call.bytes, count: Int(call.length))
            self = .write(offset: Int(call.offset), bytes: Array(bytes))
        case .sync: self = .synchronize
        case .truncate: self = .truncate(length: Int(call.length))
        case .delete: self = .delete
        case .rename: self = .rename(to: other)
        case .link: self = .link(to: other)
        case .makeFolder: self = .makeFolder
        case .removeFolder: self = .removeFolder
        case .mark: self = .mark
        case .read, .lock, .map, .list, .look, .attributes: return nil
        }
    }
}
