import Foundation
import Hummingbird
import NIOCore
import ServiceLifecycle

/// Answers requests: first the door, then files, events and routes.
struct StudioResponder: HTTPResponder {
    typealias Context = BasicRequestContext

    let documents: OpenedDocuments
    let door: Guard
    let files: StaticFiles
    let routes = StudioRoutes()
    /// What the request is about; set for each in a copy of the responder.
    var opened = OpenedThings()

    /// The merge that a server is for; it has no documents.
    private let merge: MergeSession?

    init(documents: OpenedDocuments, door: Guard, files: StaticFiles) {
        (self.documents, self.door, self.files, merge) = (documents, door, files, nil)
    }

    init(merge: MergeSession, door: Guard, files: StaticFiles) {
        (self.door, self.files, self.merge) = (door, files, merge)
        documents = OpenedDocuments([], editsStores: false)
        opened.merge = merge
    }

    func respond(to request: Request, context: Context) async throws -> Response {
        var (response, responder) = (Response(status: .ok), self)
        do {
            response = try await responder.answer(request)
        } catch {
            response = await responder.failure(StudioError(error), request)
        }
        SafeHeaders.add(to: &response)
        return response
    }

    private mutating func answer(_ request: Request) async throws -> Response {
        try door.checkOrigin(of: request)
        let path = request.uri.path
        let query = request.queryMembers
        if path == "/", request.method == .get, let token = query["token"], door.isToken(token) {
            return Response(status: .seeOther, headers: [.location: door.page, .setCookie: door.cookie])
        }
        try door.checkCookie(of: request)
        if request.method == .get, let file = files.file(at: path) {
            return Response(
                status: .ok, headers: [.contentType: file.type], body: .init(byteBuffer: ByteBuffer(bytes: file.data)))
        }
        if merge != nil {
            try door.checkPage(of: request)
            guard Self.isMerge(path) else { throw StudioError(.notOpen, "Nothing but a merge is open here.") }
            return try await mergeAnswer(request, path)
        }
        let document = request.headers[.studioDocument] ?? query["document"]
        if path == "/api/store/export", request.method == .get {
            opened = try await documents.things(document)
            return try await export(query["ticket"] ?? "")
        }
        try door.checkPage(of: request)
        if path == "/api/opened", request.method == .get { return .json(.ok, try await documents.things(nil).json) }
        if DocumentRoutes.isPath(path) { return try await documentsAnswer(request, path, query) }
        opened = try await documents.things(document, withOthers: path.hasPrefix("/api/mapping/"))
        if path == "/api/events", request.method == .get { return await events(of: try opened.requiredModel()) }
        if path.hasPrefix("/api/mapping/") { return try await mappingAnswer(request, path, query) }
        if Self.isMerge(path) { return try await mergeAnswer(request, path) }
        if path.hasPrefix("/api/store/") { return try await storeAnswer(request, path, query) }
        let handler = try routes.handler(for: path, request.method)
        let session = try opened.requiredModel()
        try opened.checkWriting(path)
        let body = request.method == .post ? try await request.jsonBody() : Data()
        return .json(.ok, try await handler(session, StudioRequest(query: query, body: body)))
    }

    private static func isMerge(_ path: String) -> Bool { path == "/api/merge" || path.hasPrefix("/api/merge/") }

    // MARK: - The documents

    private func documentsAnswer(_ request: Request, _ path: String, _ query: [String: String]) async throws -> Response
    {
        if path == "/api/documents/events", request.method == .get {
            return await EventStream.response(documents.events(), with: nil) { nil }
        }
        if path == "/api/documents/file", request.method == .post { return try await takeFile(request, query) }
        let handler = try DocumentRoutes.handler(for: path, request.method)
        let body = request.method == .post ? try await request.jsonBody() : Data()
        return .json(.ok, try await handler(documents, StudioRequest(query: query, body: body)))
    }

    /// The bytes of a file that was dropped into the window.
    private func takeFile(_ request: Request, _ query: [String: String]) async throws -> Response {
        let members = StudioRequest(query: query, body: Data())
        let parts = try request.fileParts(DroppedFiles.mostBytes)
        let drop = try await documents.drop(members.required("drop"))
        try await drop.take(members.required("path"), parts)
        return .json(.ok, [:])
    }

    // MARK: - The mapping model

    private func mappingAnswer(_ request: Request, _ path: String, _ query: [String: String]) async throws -> Response {
        if path == "/api/mapping/events", request.method == .get {
            let session = try opened.requiredMapping()
            return EventStream.response(await session.events(), with: await documents.events()) { nil }
        }
        if path == "/api/mapping/new", request.method == .post {
            let request = StudioRequest(query: query, body: try await request.jsonBody())
            return .json(.ok, try await MappingRoutes.make(request, opened))
        }
        let handler = try MappingRoutes.handler(for: path, request.method)
        let session = try opened.requiredMapping()
        let body = request.method == .post ? try await request.jsonBody() : Data()
        return .json(.ok, try await handler(session, StudioRequest(query: query, body: body), opened))
    }

    // MARK: - The store

    private func storeAnswer(_ request: Request, _ path: String, _ query: [String: String]) async throws -> Response {
        if path == "/api/store/events", request.method == .get {
            return await events(of: try opened.requiredStore())
        }
        if path == "/api/store/data", request.method == .post {
            return try await setBytes(request, query) { try await $0.setData($1, $2, $3, client: $4) }
        }
        if path == "/api/store/text", request.method == .post {
            return try await setBytes(request, query) { try await $0.setText($1, $2, $3, client: $4) }
        }
        if path == "/api/store/import-file", request.method == .post { return try await takeImport(request, query) }
        let handler = try StoreRoutes.handler(for: path, request.method)
        let store = try opened.requiredStore()
        let body = request.method == .post ? try await request.jsonBody() : Data()
        switch try await handler(store, StudioRequest(query: query, body: body)) {
        case .json(let value): return .json(.ok, value)
        case .bytes(let data):
            return Response(
                status: .ok, headers: [.contentType: "application/octet-stream"],
                body: .init(byteBuffer: ByteBuffer(bytes: data)))
        }
    }

    /// A download, as it is read from the store.
    private func export(_ ticket: String) async throws -> Response {
        let store = try opened.requiredStore()
        let request = try await store.takeExport(ticket)
        let body = ResponseBody { writer in
            try await store.export(request) { try await writer.write(ByteBuffer(bytes: $0)) }
            try await writer.finish(nil)
        }
        let name = request.fileName.unicodeScalars.map {
            $0.isASCII && $0.properties.isAlphabetic || $0 == "." ? $0 : "_"
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: request.format.type,
                .contentDisposition: "attachment; filename=\"\(String(String.UnicodeScalarView(name)))\"",
            ], body: body)
    }

    /// The bytes of a file or of a text, for an attribute.
    ///
    /// - Parameter set: Takes the bytes, the object's identifier, the attribute's path and the window.
    private func setBytes(
        _ request: Request, _ query: [String: String],
        _ set: (StoreSession, Data, String, String, String?) async throws -> JSON
    ) async throws -> Response {
        let store = try opened.requiredStore()
        let members = StudioRequest(query: query, body: try await request.fileBody(StoreSession.mostEditedBytes))
        return .json(
            .ok,
            try await set(
                store, members.body, members.required("object"), members.required("key"), query["client"]))
    }

    /// The bytes of a file that is to be imported.
    private func takeImport(_ request: Request, _ query: [String: String]) async throws -> Response {
        let store = try opened.requiredStore()
        let body = try await request.fileBody(StoreSession.mostEditedBytes)
        return .json(.ok, try await store.takeImport(body, name: query["name"] ?? ""))
    }

    // MARK: - Events

    private func events(of session: StudioSession) async -> Response {
        EventStream.response(await session.events(), with: await documents.events()) {
            .closing(await session.keepLeftovers())
        }
    }

    private func events(of store: StoreSession) async -> Response {
        EventStream.response(await store.followedEvents(), with: await documents.events()) { nil }
    }

    private func failure(_ error: StudioError, _ request: Request) async -> Response {
        var body: [String: JSON] = [
            "error": ["code": .text(error.code.rawValue), "message": .text(error.message)]
        ]
        if error.code == .conflict {
            let version = request.queryMembers["version"].map(ElementID.init(rawValue:))
            body["state"] = try? await opened.model?.state(ofVersion: version)
        }
        var response: Response
        if request.uri.path.hasPrefix("/api/") {
            response = .json(error.code.status, .object(body))
        } else {
            // A request of a browser without the token comes from a person.
            response = Response(
                status: error.code.status, headers: [.contentType: "text/plain; charset=utf-8"],
                body: .init(byteBuffer: ByteBuffer(string: error.message + "\n")))
        }
        // What was not read of a body is not worth reading.
        if [.tooLarge, .tooSlow].contains(error.code) { response.headers[.connection] = "close" }
        return response
    }
}

extension Response {
    static func json(_ status: HTTPResponse.Status, _ value: JSON) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(bytes: value.data())))
    }
}

extension StudioError.Code {
    /// The HTTP status that goes with the code.
    var status: HTTPResponse.Status {
        switch self {
        case .invalidJSON, .invalidRequest, .invalidEdit, .invalidQuery: .badRequest
        case .readOnly, .forbiddenHost, .forbiddenOrigin, .missingToken, .outsideOfFolder: .forbidden
        case .unknownPath, .unknownElement, .notOpen: .notFound
        case .unknownMethod: .methodNotAllowed
        case .conflict, .changedOnDisk, .foreignFile, .inUse, .unsaved, .needsPath: .conflict
        case .tooLarge: .contentTooLarge
        case .tooSlow: .requestTimeout
        case .notJSON: .unsupportedMediaType
        case .unwritableFile, .unreadableFile, .unreadableStore, .internal: .internalServerError
        }
    }
}
