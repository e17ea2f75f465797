import Foundation
import Hummingbird

/// The files of the web page: read once, when the service starts. Nothing else can be asked for.
struct PageFiles: Sendable {
    struct File: Sendable {
        let type: String
        let data: Data
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml",
    ]

    /// The files by their paths.
    let files: [String: File]

    init() throws {
        guard let folder = Bundle.module.resourceURL?.appending(path: "Page") else {
            throw ServiceError("The web page is not among the program's resources.")
        }
        var files: [String: File] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let url = folder.appending(path: name)
            guard let type = Self.types[url.pathExtension] else { continue }
            files["/\(name)"] = File(type: type, data: try Data(contentsOf: url))
        }
        files["/"] = files["/index.html"]
        self.files = files
    }

    func addRoutes(to router: Router<some RequestContext>) {
        for (path, file) in files {
            router.get(RouterPath(path)) { _, _ in
                Response(
                    status: .ok, headers: [.contentType: file.type],
                    body: .init(byteBuffer: ByteBuffer(bytes: file.data)))
            }
        }
    }
}
