import Foundation
import Hummingbird
import StoreBrowsing

/// What the server answers below `/api/documents`, by path and method.
enum DocumentRoutes {
    typealias Handler = @Sendable (OpenedDocuments, StudioRequest) async throws -> JSON

    static func isPath(_ path: String) -> Bool { path == "/api/documents" || path.hasPrefix("/api/documents/") }

    /// - Throws: `unknownPath`, `unknownMethod`.
    static func handler(for path: String, _ method: HTTPRequest.Method) throws -> Handler {
        let routes = method == .get ? reading : method == .post ? changing : [:]
        if let handler = routes[path] { return handler }
        guard reading[path] == nil, changing[path] == nil else {
            throw StudioError(.unknownMethod, "\(path) takes \(reading[path] == nil ? "POST" : "GET").")
        }
        throw StudioError(.unknownPath, "There is nothing at \(path).")
    }

    private static let reading: [String: Handler] = [
        "/api/documents": { documents, _ in await documents.list },
        "/api/documents/recent": { documents, _ in documents.recent.json },
        "/api/documents/folder": { _, request in
            try FolderListing(
                DocumentRoutes.checked(request.query["path"] ?? ""),
                namesBeginningWith: request.query["name"] ?? "", showsHidden: request.query["hidden"] == "true"
            )
            .json()
        },
    ]

    private static let changing: [String: Handler] = [
        "/api/documents/open": { documents, request in
            let request = try request.decoded(OpenRequest.self)
            if let drop = request.drop {
                let (opened, failures) = try await documents.openDrop(drop)
                if failures.isEmpty { return ["opened": .array(opened.map(JSON.text))] }
                return ["opened": .array(opened.map(JSON.text)), "failures": .array(failures.map(JSON.text))]
            }
            let place = try request.place()
            let isEdited = try place.isEdited(request.edit, documents.editsStores)
            return ["opened": [.text(try await documents.open(place, isEdited: isEdited))]]
        },
        "/api/documents/new": { documents, request in
            let request = try request.decoded(NewModelRequest.self)
            let (path, source) = try request.places()
            let made = try await documents.makeModel(at: path, from: source)
            return ["opened": [.text(made.id)], "notes": .array(made.notes.map(JSON.text))]
        },
        "/api/documents/close": { documents, request in
            let request = try request.decoded(CloseRequest.self)
            try await documents.close(request.document, discards: request.discard ?? false)
            return await documents.list
        },
        "/api/documents/order": { documents, request in
            try await documents.reorder(request.decoded(OrderRequest.self).documents)
            return await documents.list
        },
        "/api/documents/forget": { documents, request in
            try documents.recent.forget(request.decoded(ForgetRequest.self).location)
            return documents.recent.json
        },
        "/api/documents/drop": { documents, _ in try await documents.beginDrop() },
        "/api/documents/drop/cancel": { documents, request in
            try await documents.cancelDrop(request.decoded(DropRequest.self).drop)
            return [:]
        },
        "/api/documents/save-as": { documents, request in
            let request = try request.decoded(SaveAsRequest.self)
            return [
                "opened": [
                    .text(try await documents.saveCopy(request.document, as: DocumentRoutes.checked(request.path)))
                ]
            ]
        },
    ]

    /// A path that the system can be asked for.
    private static func checked(_ path: String) throws -> String {
        guard !path.contains("\0"), path.utf8.count <= 4_096 else {
            throw StudioError(.invalidRequest, "“\(path.prefix(80))” is no path.")
        }
        return path
    }

    private struct OpenRequest: Decodable {
        var path: String?
        var drop: String?
        var edit: Bool?

        /// - Throws: `invalidRequest` for no place, and for what has no end, such as a device.
        func place() throws -> DocumentPlace {
            let path = try DocumentRoutes.checked(path ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
            guard !path.isEmpty else { throw StudioError(.invalidRequest, "Name a file, a folder or a database.") }
            let place = try DocumentPlace(
                StorePlace.isDatabase(path) ? path : FolderListing.url(path).path)
            if case .model(let url, _, _) = place, StudioSession.isKept(url) { return .model(url, isNew: true) }
            if case .store(.file(let url)) = place, FileManager.default.fileExists(atPath: url.path),
                !StoreFileKind.isRegular(url)
            {
                throw StudioError(.invalidRequest, "\(url.path) is no file of a store.")
            }
            return place
        }
    }

    private struct NewModelRequest: Decodable {
        var path: String
        /// What a draft is made of.
        var source: String?

        /// - Throws: `invalidRequest` for no place.
        func places() throws -> (path: String, source: String?) {
            let path = try DocumentRoutes.checked(path).trimmingCharacters(in: .whitespacesAndNewlines)
            guard !path.isEmpty, !path.hasSuffix("/"), !StorePlace.isDatabase(path) else {
                throw StudioError(.invalidRequest, "Name the place of the new model, such as Shop.xcdatamodeld.")
            }
            let source = try source.map(DocumentRoutes.checked)?.trimmingCharacters(in: .whitespacesAndNewlines)
            return (path, source?.isEmpty == false ? source : nil)
        }
    }

    private struct CloseRequest: Decodable {
        var document: String
        var discard: Bool?
    }

    private struct OrderRequest: Decodable { var documents: [String] }
    private struct ForgetRequest: Decodable { var location: String? }
    private struct DropRequest: Decodable { var drop: String }

    private struct SaveAsRequest: Decodable {
        var document: String
        var path: String
    }
}

extension DocumentPlace {
    /// Whether a store is opened to be changed.
    ///
    /// - Parameter wanted: What the request says; without a word a store is opened as the studio was started, unless it
    ///   is one that is read as a whole.
    /// - Throws: `readOnly` where the studio may change none.
    fileprivate func isEdited(_ wanted: Bool?, _ isAllowed: Bool) throws -> Bool {
        guard case .store(let place) = self else { return false }
        if wanted == true, !isAllowed {
            throw StudioError(.readOnly, "Start the studio with --edit to change stores.")
        }
        return wanted ?? (isAllowed && ![.xml, .binary].contains(place.type))
    }
}
