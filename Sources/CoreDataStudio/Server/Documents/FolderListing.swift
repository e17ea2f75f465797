import CoreData
import Foundation
import StoreBrowsing

/// The folders of a folder, and what a studio can open in it.
struct FolderListing {
    /// As many entries as a response has at most.
    static let most = 1_000
    private let folder: URL
    private let beginning: String
    private let showsHidden: Bool

    /// - Parameters:
    ///   - path: A path; one that begins with `~` is in the user's folder, a relative one in that in which the studio
    ///     was started. An empty one is that folder.
    ///   - beginning: How the names begin that are listed, in small or capital letters.
    init(_ path: String, namesBeginningWith beginning: String = "", showsHidden: Bool) {
        folder = Self.url(path.isEmpty ? "." : path)
        (self.beginning, self.showsHidden) = (beginning.lowercased(), showsHidden)
    }

    /// The file or folder that a person's path names.
    static func url(_ path: String) -> URL {
        URL(fileURLWithPath: NSString(string: path).expandingTildeInPath).standardizedFileURL
    }

    /// - Throws: `unreadableFile` for what is no folder, or may not be read.
    func json() throws -> JSON {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder), isFolder.boolValue else {
            throw StudioError(.unreadableFile, "There is no folder \(folder.path).")
        }
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: folder.path) } catch {
            throw StudioError(.unreadableFile, "\(folder.path) can't be read: \(error.localizedDescription)")
        }
        let shown = names.filter { (showsHidden || !$0.hasPrefix(".")) && $0.lowercased().hasPrefix(beginning) }
            .sorted { $0.lowercased() == $1.lowercased() ? $0 < $1 : $0.lowercased() < $1.lowercased() }
        var entries: [JSON] = []
        for name in shown where entries.count < Self.most {
            guard let kind = kind(folder.appending(path: name)) else { continue }
            entries.append(["name": .text(name), "kind": .text(kind)])
        }
        let isRoot = folder.path == "/"
        return [
            "path": .text(folder.path), "parent": isRoot ? .null : .text(folder.deletingLastPathComponent().path),
            "entries": .array(entries), "isCut": .bool(entries.count == Self.most),
        ]
    }

    /// `folder`, or the kind of document; nil for what can't be opened.
    private func kind(_ url: URL) -> String? {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else { return nil }
        if isFolder.boolValue {
            if url.pathExtension == DocumentPlace.mappingEnding { return DocumentKind.mapping.rawValue }
            return DocumentPlace.modelEndings.contains(url.pathExtension) ? DocumentKind.model.rawValue : "folder"
        }
        return StoreFileKind.isStore(url) ? DocumentKind.store.rawValue : nil
    }
}

/// What the first bytes of a file say.
enum StoreFileKind {
    private static let logs = ["-wal", "-shm", "-journal"]

    /// Whether a file is of a type that stores have. Pipes and devices are not opened.
    static func isStore(_ url: URL) -> Bool {
        let url = url.resolvingSymlinksInPath()
        guard isRegular(url), !logs.contains(where: url.lastPathComponent.hasSuffix) else { return false }
        return NSPersistentStore.StoreType(ofFileAt: url) != nil
    }

    /// Whether there is a file that reading comes to an end of.
    static func isRegular(_ url: URL) -> Bool {
        let type = (try? FileManager.default.attributesOfItem(atPath: url.path))?[.type]
        return type as? FileAttributeType == .typeRegular
    }
}
