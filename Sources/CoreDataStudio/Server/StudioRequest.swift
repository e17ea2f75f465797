import Foundation
import Hummingbird
import NIOCore

/// What a route gets of a request.
struct StudioRequest: Sendable {
    var query: [String: String]
    var body: Data

    /// A member of the query that has to be there.
    func required(_ name: String) throws -> String {
        guard let value = query[name], !value.isEmpty else {
            throw StudioError(.invalidRequest, "The query lacks ‘\(name)’.")
        }
        return value
    }

    func requiredID(_ name: String) throws -> ElementID { ElementID(rawValue: try required(name)) }

    func id(_ name: String) -> ElementID? { query[name].map(ElementID.init(rawValue:)) }

    /// The body as a value.
    ///
    /// - Throws: `invalidJSON`, `invalidRequest`, each with what is wrong where.
    func decoded<Value: Decodable>(_ type: Value.Type) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: body)
        } catch let error as StudioError {
            throw error
        } catch let error as DecodingError {
            throw StudioError(error)
        }
    }
}

extension StudioError {
    /// What is wrong with a request's body.
    fileprivate init(_ error: DecodingError) {
        func place(_ context: DecodingError.Context) -> String {
            let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
            return path.isEmpty ? "The request" : "‘\(path.joined(separator: "."))’"
        }
        switch error {
        case .keyNotFound(let key, let context):
            self.init(.invalidRequest, "\(place(context)) lacks the member ‘\(key.stringValue)’.")
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            self.init(.invalidRequest, "\(place(context)) is of the wrong kind: \(context.debugDescription)")
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            self.init(.invalidJSON, "The request's body is no JSON.")
        case .dataCorrupted(let context):
            self.init(.invalidRequest, "\(place(context)) can't be read: \(context.debugDescription)")
        @unknown default: self.init(.invalidJSON, "The request's body can't be read.")
        }
    }
}

extension Request {
    /// The largest body that is read.
    static let bodyLimit = 4 << 20
    /// How long a body may take: one that stays half-sent must not hold its connection.
    static let bodyTime = Duration.seconds(10)

    /// The members of the query; of those that come twice, the first.
    var queryMembers: [String: String] {
        var members: [String: String] = [:]
        for (name, value) in uri.queryParameters where members[String(name)] == nil {
            members[String(name)] = String(value)
        }
        return members
    }

    /// The whole body of a request with JSON.
    ///
    /// - Throws: `tooLarge`, before more than the limit was read; `tooSlow`; `notJSON`.
    func jsonBody() async throws -> Data {
        guard headers[.contentType]?.lowercased().hasPrefix("application/json") == true else {
            throw StudioError(.notJSON, "The body has to be application/json.")
        }
        return try await wholeBody(Self.bodyLimit)
    }

    /// The whole body of a request with a file.
    ///
    /// - Throws: `tooLarge`, before more than the limit was read; `tooSlow`; `notJSON` for another type of body, which
    ///   pages of other servers could send.
    func fileBody(_ limit: Int) async throws -> Data {
        guard headers[.contentType]?.lowercased() == "application/octet-stream" else {
            throw StudioError(.notJSON, "The body has to be application/octet-stream.")
        }
        return try await wholeBody(limit)
    }

    /// The parts of a large file, as they come. Each part has to come within the time of a body.
    ///
    /// - Throws: `tooLarge`, `notJSON`.
    func fileParts(_ limit: Int) throws -> RequestBody {
        guard headers[.contentType]?.lowercased() == "application/octet-stream" else {
            throw StudioError(.notJSON, "The body has to be application/octet-stream.")
        }
        if let length = headers[.contentLength].flatMap(Int.init), length > limit {
            throw StudioError(.tooLarge, "The file is larger than \(limit >> 30) GB.")
        }
        return body
    }

    private func wholeBody(_ limit: Int) async throws -> Data {
        let tooLarge = StudioError(.tooLarge, "The body is larger than \(limit >> 20) MB, which no request needs.")
        if let length = headers[.contentLength].flatMap(Int.init), length > limit { throw tooLarge }
        var data = Data()
        // Where no part comes at all, the server's idle time ends the connection.
        let end = ContinuousClock.now + Self.bodyTime
        for try await var part in body {
            guard ContinuousClock.now < end else {
                throw StudioError(
                    .tooSlow, "The body did not arrive within \(Self.bodyTime.components.seconds) seconds.")
            }
            guard data.count + part.readableBytes <= limit else { throw tooLarge }
            if let bytes = part.readBytes(length: part.readableBytes) { data.append(contentsOf: bytes) }
        }
        return data
    }
}
