import Foundation

/// A folder as a program sees it, and what of it is on the disk for certain.
///
/// What is written to a file is certain once the file was synchronized; that a name leads to a file, or no longer does,
/// once its folder was. Until then each change may reach the disk or not, in any order: a file system promises no more.
struct Disk {
    /// What a name leads to.
    enum Entry: Hashable {
        case file(Int)
        case folder
    }

    /// A change that may still be lost.
    struct Change {
        enum Kind {
            case write(file: Int, offset: Int, bytes: [UInt8])
            case truncate(file: Int, length: Int)
            /// A name leads to something; nil: to nothing.
            case name(String, Entry?)
            /// A name leads to what another one led to, which is gone.
            case rename(String, to: String)
        }

        let kind: Kind
    }

    /// What is there for certain.
    private(set) var certain = Image()
    /// What is not, in the order in which it was done.
    private(set) var pending: [Change] = []
    /// What the program sees.
    private var names: [String: Entry] = [:]
    private var handles: [UInt32: Entry] = [:]
    private var nextFile = 0

    /// A disk that has a folder's files for certain.
    init(folder: URL) throws {
        names[""] = .folder
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() {
            let url = folder.appendingPathComponent(path)
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
            if isFolder.boolValue {
                names["/" + path] = .folder
            } else {
                certain.bytes[nextFile] = Array(try Data(contentsOf: url))
                names["/" + path] = .file(nextFile)
                nextFile += 1
            }
        }
        certain.names = names
    }

    mutating func apply(_ call: RecordedCall) {
        switch call.effect {
        case .open(let creates, let empties): open(call, creates, empties)
        case .write(let offset, let bytes):
            if let file = file(call) { pending.append(Change(kind: .write(file: file, offset: offset, bytes: bytes))) }
        case .truncate(let length):
            if let file = file(call) { pending.append(Change(kind: .truncate(file: file, length: length))) }
        case .synchronize: synchronize(call)
        case .delete, .removeFolder: set(call.path, nil)
        case .makeFolder: set(call.path, .folder)
        case .link(let other): set(other, names[call.path])
        case .rename(let other):
            names[other] = names.removeValue(forKey: call.path)
            pending.append(Change(kind: .rename(call.path, to: other)))
        case .mark: break
        }
    }

    private mutating func open(_ call: RecordedCall, _ creates: Bool, _ empties: Bool) {
        if creates, names[call.path] == nil {
            set(call.path, .file(nextFile))
            nextFile += 1
        }
        handles[call.handle] = names[call.path]
        if empties, !creates, let file = file(call) {
            pending.append(Change(kind: .truncate(file: file, length: 0)))
        }
    }

    private func file(_ call: RecordedCall) -> Int? {
        guard case .file(let file) = handles[call.handle] else { return nil }
        return file
    }

    private mutating func set(_ path: String, _ entry: Entry?) {
        names[path] = entry
        pending.append(Change(kind: .name(path, entry)))
    }

    /// A file's bytes, or a folder's names, become certain.
    private mutating func synchronize(_ call: RecordedCall) {
        let isSynchronized: (Change) -> Bool =
            switch handles[call.handle] {
            case .file(let file): { $0.file == file }
            case .folder: { $0.folders.contains(call.path.isEmpty ? "/" : call.path) }
            case nil: { _ in false }
            }
        for change in pending where isSynchronized(change) { certain.apply(change.kind) }
        pending.removeAll(where: isSynchronized)
    }
}

extension Disk.Change {
    /// The file whose bytes change.
    var file: Int? {
        switch kind {
        case .write(let file, _, _), .truncate(let file, _): file
        case .name, .rename: nil
        }
    }

    /// The folders whose names change.
    fileprivate var folders: [String] {
        let paths: [String] =
            switch kind {
            case .name(let path, _): [path]
            case .rename(let path, let other): [path, other]
            case .write, .truncate: []
            }
        return paths.map { ($0 as NSString).deletingLastPathComponent }
    }
}
