import Foundation

/// Files and folders as they may be found after the machine stopped.
struct Image {
    var names: [String: Disk.Entry] = [:]
    var bytes: [Int: [UInt8]] = [:]

    mutating func apply(_ change: Disk.Change.Kind) {
        switch change {
        case .write(let file, let offset, let new): write(new, file, offset)
        case .truncate(let file, let length):
            var old = bytes[file] ?? []
            if old.count > length { old.removeLast(old.count - length) } else { old.grow(to: length) }
            bytes[file] = old
        case .name(let path, let entry): names[path] = entry
        case .rename(let path, let other):
            if let entry = names.removeValue(forKey: path) { names[other] = entry }
        }
    }

    mutating func write(_ new: [UInt8], _ file: Int, _ offset: Int) {
        bytes[file, default: []].grow(to: offset + new.count)
        bytes[file]?.replaceSubrange(offset..<offset + new.count, with: new)
    }

    /// The files that a name leads to, by their paths. A name in a folder that is lost leads to nothing.
    var files: [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for case (let path, .file(let file)) in names where hasFolders(path) { files[path] = bytes[file] ?? [] }
        return files
    }

    private func hasFolders(_ path: String) -> Bool {
        let folder = (path as NSString).deletingLastPathComponent
        return path.isEmpty || folder == "/" || (names[folder] == .folder && hasFolders(folder))
    }

    /// A number that is the same for images that are alike.
    var digest: Int {
        var hasher = Hasher()
        hasher.combine(names)
        for (file, bytes) in bytes.sorted(by: { $0.key < $1.key }) {
            hasher.combine(file)
            bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
        return hasher.finalize()
    }

    /// Makes the folder, which must not exist.
    func write(to folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let folders = names.filter { $0.value == .folder && hasFolders($0.key) }.keys
        for path in folders.sorted() where path != "" {
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent(path), withIntermediateDirectories: true)
        }
        for (path, bytes) in files { try Data(bytes).write(to: folder.appendingPathComponent(path)) }
    }
}

extension [UInt8] {
    fileprivate mutating func grow(to length: Int) {
        if count < length { append(contentsOf: repeatElement(0, count: length - count)) }
    }
}
