import CoreData
import HTTPTypes
import Hummingbird
import HummingbirdCore

/// The routes of a resource: its list, and its objects.
///
/// | method | path | |
/// |---|---|---|
/// | GET | /players | a page of the list |
/// | POST | /players | makes an object |
/// | GET | /players/ID | one object, with its relationships |
/// | PATCH | /players/ID | changes some of its properties |
/// | DELETE | /players/ID | deletes it by the delete rules |
struct ResourceRoutes: Sendable {
    /// The largest body of a request, in bytes.
    private static let bodyLimit = 64 * 1024

    let resource: Resource
    let store: LeagueStore

    func add(to router: Router<some RequestContext>) {
        let list = RouterPath("/\(resource.name)")
        let object = RouterPath("/\(resource.name)/:id")
        router.get(list) { request, _ in try await self.list(request) }
        router.post(list) { request, _ in try await self.create(request) }
        router.get(object) { _, context in try await self.show(context.parameters.require("id")) }
        router.patch(object) { request, context in
            try await self.update(context.parameters.require("id"), request)
        }
        router.delete(object) { request, context in
            try await self.delete(context.parameters.require("id"), request)
        }
        refuse([.put, .patch, .delete], at: list, of: router, allowed: "GET, POST")
        refuse([.put, .post], at: object, of: router, allowed: "GET, PATCH, DELETE")
    }

    private func refuse(
        _ methods: [HTTPRequest.Method], at path: RouterPath, of router: Router<some RequestContext>, allowed: String
    ) {
        for method in methods {
            router.on(path, method: method) { _, _ -> Response in
                throw Problem(
                    status: .methodNotAllowed, detail: "The methods here are \(allowed).", headers: [.allow: allowed])
            }
        }
    }

    // MARK: Reading

    private func list(_ request: Request) async throws -> Response {
        let query = try ListQuery(request.uri, for: resource)
        let page = try await store.read { context in try self.resource.page(query, in: context) }
        var headers: HTTPFields = [:]
        if let next = page.next { headers[.linkTo] = "<\(nextPath(next, request.uri))>; rel=\"next\"" }
        let values: JSON = .object([
            "items": .list(page.items), "next": page.next.map { .text(nextPath($0, request.uri)) } ?? .null,
        ])
        return .json(.ok, values, headers)
    }

    private func nextPath(_ cursor: String, _ uri: URI) -> String {
        let others = (uri.query ?? "").split(separator: "&").filter { !$0.hasPrefix("after=") }
        return "\(uri.path)?\((others + ["after=\(cursor)"]).joined(separator: "&"))"
    }

    private func show(_ id: String) async throws -> Response {
        let (detail, version) = try await store.read { context in
            let object = try self.resource.find(id, in: context)
            return (self.resource.detail(of: object), self.resource.version(of: object))
        }
        return .json(.ok, detail, [.eTag: "\"\(version)\""])
    }

    // MARK: Writing

    private func create(_ request: Request) async throws -> Response {
        let values = try await self.values(of: request)
        let id = UUID()
        let (detail, version) = try await store.write { context in
            let object = NSEntityDescription.insertNewObject(forEntityName: self.resource.entityName, into: context)
            object.setValue(id, forKey: "id")
            try self.resource.apply(values, to: object)
            return object
        } result: { object in
            (self.resource.detail(of: object), self.resource.version(of: object))
        }
        return .json(.created, detail, [.eTag: "\"\(version)\"", .location: resource.path(id)])
    }

    private func update(_ id: String, _ request: Request) async throws -> Response {
        let precondition = try Precondition(request)
        let values = try await self.values(of: request)
        let (detail, version) = try await store.write { context in
            let object = try self.resource.find(id, in: context)
            try precondition.check(self.resource.version(of: object))
            try self.resource.apply(values, to: object)
            return object
        } result: { object in
            (self.resource.detail(of: object), self.resource.version(of: object))
        }
        return .json(.ok, detail, [.eTag: "\"\(version)\""])
    }

    private func delete(_ id: String, _ request: Request) async throws -> Response {
        let precondition = try Precondition(request)
        try await store.write { context in
            let object = try self.resource.find(id, in: context)
            try precondition.check(self.resource.version(of: object))
            context.delete(object)
            return object
        } result: { _ in
        }
        return Response(status: .noContent)
    }

    /// The members of the JSON object that the body has to be.
    ///
    /// - Throws: ``Problem`` 415, 413 or 400.
    private func values(of request: Request) async throws -> [String: JSON] {
        let type = request.headers[.contentType]?.split(separator: ";").first?.trimmingCharacters(in: .whitespaces)
        guard ["application/json", "application/merge-patch+json"].contains(type?.lowercased()) else {
            throw Problem(status: .unsupportedMediaType, detail: "The body is JSON: Content-Type: application/json.")
        }
        let body = Data(buffer: try await request.body.collect(upTo: Self.bodyLimit))
        guard let value = try? JSONDecoder().decode(JSON.self, from: body) else {
            throw Problem.badRequest("The body can't be read as JSON.")
        }
        guard case .object(let values) = value else {
            throw Problem.badRequest("The body is an object of JSON, not \(value.kind).")
        }
        return values
    }
}

/// The versions of an object that a client has read: the header `If-Match`.
private struct Precondition: Sendable {
    /// nil for any.
    private let versions: [String]?

    /// - Throws: ``Problem`` 428 without the header: nothing is changed that was not read.
    init(_ request: Request) throws {
        guard let header = request.headers[.ifMatch] else { throw Problem.preconditionRequired }
        versions =
            header.trimmingCharacters(in: .whitespaces) == "*"
            ? nil : header.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// - Throws: ``Problem`` 412 if the object has another version now.
    func check(_ version: String) throws {
        guard versions?.contains("\"\(version)\"") ?? true else { throw Problem.changed }
    }
}

extension HTTPField.Name {
    fileprivate static let linkTo = Self("Link")!
}

extension Response {
    static func json(_ status: HTTPResponse.Status, _ value: JSON, _ headers: HTTPFields = [:]) -> Response {
        var headers = headers
        headers[.contentType] = "application/json"
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: value.data)))
    }
}
