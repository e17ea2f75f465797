import CoreData
import Foundation
import NIOCore
import StoreBrowsing
import Synchronization

/// Files that were dropped into a window: a browser gives their bytes, not their place. They lie in a private folder
/// for as long as their document is open.
final class DroppedFiles: Sendable {
    /// As many bytes as one drop has at most.
    static let mostBytes = 4 << 30
    /// As many files as one drop has at most.
    static let mostFiles = 5_000
    private static let mostLevels = 16

    let folder: URL
    private let taken = Mutex((files: 0, bytes: 0))

    /// - Throws: `unwritableFile`.
    init() throws {
        folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "coredata-studio-\(UUID().uuidString)")
        do { try PrivateFile.makeFolder(folder) } catch { throw Self.unwritable(folder, error) }
    }

    private static func unwritable(_ url: URL, _ error: any Error) -> StudioError {
        StudioError(.unwritableFile, "\(url.path) can't be written: \(error.localizedDescription)")
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    // MARK: Taking files

    /// Writes a file as it comes.
    ///
    /// - Parameter path: Its name, with the folders that it was dropped in.
    /// - Throws: `invalidRequest` for a name that leads elsewhere, `tooLarge`, `unwritableFile`.
    func take<Body: AsyncSequence>(_ path: String, _ body: Body) async throws where Body.Element == ByteBuffer {
        let url = folder.appending(path: try Self.cleaned(path))
        guard
            taken.withLock({
                $0.files += 1; return $0.files <= Self.mostFiles
            })
        else {
            throw StudioError(.tooLarge, "At most \(Self.mostFiles) files can be dropped at once.")
        }
        let file = try create(url)
        defer { try? file.close() }
        for try await var part in body {
            guard let bytes = part.readBytes(length: part.readableBytes) else { continue }
            guard
                taken.withLock({
                    $0.bytes += bytes.count; return $0.bytes <= Self.mostBytes
                })
            else {
                throw StudioError(.tooLarge, "At most \(Self.mostBytes >> 30) GB can be dropped at once.")
            }
            do { try file.write(contentsOf: Data(bytes)) } catch { throw Self.unwritable(url, error) }
        }
    }

    /// A new file: one name is not taken twice, and no link is followed.
    private func create(_ url: URL) throws -> FileHandle {
        do { try PrivateFile.makeFolder(url.deletingLastPathComponent()) } catch { throw Self.unwritable(url, error) }
        let descriptor = open(url.path, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StudioError(
                .invalidRequest, "\(url.lastPathComponent) can't be taken: \(String(cString: strerror(errno))).")
        }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// A path that stays below the folder it is put in.
    ///
    /// - Throws: `invalidRequest`.
    static func cleaned(_ path: String) throws -> String {
        let names = path.split(separator: "/", omittingEmptySubsequences: false).map { name in
            String(name.map { $0 == "\\" || $0.unicodeScalars.contains(where: isControl) ? "_" : $0 })
        }
        let isRefused = names.contains { $0.isEmpty || $0 == "." || $0 == ".." || $0.utf8.count > 255 }
        guard !isRefused, names.count <= mostLevels else {
            throw StudioError(.invalidRequest, "“\(path.prefix(80))” is no name of a file.")
        }
        return names.joined(separator: "/")
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .control }

    // MARK: What can be opened

    /// The documents among the files: models, and stores with what lies beside them.
    ///
    /// - Throws: `invalidRequest` where there is none.
    func documents() throws -> [DocumentPlace] {
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
        let found = names.compactMap { name -> DocumentPlace? in
            let url = folder.appending(path: name)
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
            if isFolder.boolValue {
                if url.pathExtension == DocumentPlace.mappingEnding { return .mapping(url) }
                return DocumentPlace.modelEndings.contains(url.pathExtension) ? .model(url) : nil
            }
            return StoreFileKind.isStore(url) ? .store(.file(url)) : nil
        }
        guard !found.isEmpty else {
            throw StudioError(
                .invalidRequest,
                "There is no model and no store among what was dropped: \(names.prefix(5).joined(separator: ", ")).")
        }
        return found
    }
}
