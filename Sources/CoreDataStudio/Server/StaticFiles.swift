import Foundation

/// The files of the page: read once, when the server starts. What is not among them can't be asked for.
struct StaticFiles: Sendable {
    struct File: Sendable {
        var type: String
        var data: Data
    }

    private let files: [String: File]

    /// The pages: the model, the mapping model, the data of a store, a merge, and where nothing is open.
    private static let pages = [
        "/": "index.html", "/mapping": "mapping.html", "/data": "data.html", "/merge": "merge.html",
        "/start": "start.html",
    ]

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml", "png": "image/png", "ico": "image/x-icon", "woff2": "font/woff2",
        "json": "application/json", "txt": "text/plain; charset=utf-8",
    ]

    /// Reads the files beside the program.
    ///
    /// - Throws: `unreadableFile` if they are not there.
    init() throws {
        guard let folder = Self.folders.first(where: { FileManager.default.fileExists(atPath: $0.path) }) else {
            throw StudioError(
                .unreadableFile,
                "The studio's pages are missing: the folder swift-coredata_CoreDataStudio.resources has to lie beside the program."
            )
        }
        var files: [String: File] = [:]
        for path in (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? [] {
            let file = folder.appending(path: path)
            guard let type = Self.types[file.pathExtension], let data = try? Data(contentsOf: file) else { continue }
            files[path] = File(type: type, data: data)
        }
        self.files = files
    }

    /// Where the files may be. The package manager's own accessor stops the program where it finds none.
    private static var folders: [URL] {
        let program = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
        return [program, Bundle.main.bundleURL].compactMap { $0 }
            .map { $0.appending(path: "swift-coredata_CoreDataStudio.resources/Resources") }
    }

    /// The file that a path of a request stands for.
    func file(at path: String) -> File? {
        if let page = Self.pages[path] { return files[page] }
        guard path.hasPrefix("/assets/") else { return nil }
        return files[String(path.dropFirst("/assets/".count))]
    }
}
