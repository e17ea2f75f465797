import CoreData
import HTTPTypes
import Hummingbird

/// Why a request was refused: a problem document of RFC 9457.
///
/// ```json
/// {"type": "/problems.html#invalid", "title": "Unprocessable Content", "status": 422,
///  "detail": "2 properties have values that can't be saved.",
///  "errors": [{"property": "lastName", "detail": "lastName is a required value.", "code": 1570}]}
/// ```
struct Problem: Error, Sendable, Hashable {
    /// What is wrong with one property.
    struct Entry: Sendable, Hashable {
        let property: String
        var detail: String
        /// Core Data's number for the rule that was broken.
        var code: Int?
        /// The path of the object with the property, if it is another one than the request's.
        var href: String?
    }

    /// Names a section of `problems.html`; nil where the status says everything.
    var type: String?
    var status: HTTPResponse.Status
    var detail: String
    var errors: [Entry] = []
    var headers: HTTPFields = [:]

    var document: JSON {
        var values: [String: JSON] = [
            "type": .text(type.map { "/problems.html#\($0)" } ?? "about:blank"),
            "title": .text(status.reasonPhrase), "status": .number(Decimal(status.code)), "detail": .text(detail),
        ]
        if !errors.isEmpty { values["errors"] = .list(errors.map(\.document)) }
        return .object(values)
    }

    var response: Response {
        var headers = headers
        headers[.contentType] = "application/problem+json"
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: document.data)))
    }
}

extension Problem.Entry {
    fileprivate var document: JSON {
        var values: [String: JSON] = ["property": .text(property), "detail": .text(detail)]
        if let code { values["code"] = .number(Decimal(code)) }
        if let href { values["href"] = .text(href) }
        return .object(values)
    }
}

extension Problem {
    static func badRequest(_ detail: String) -> Problem { Problem(status: .badRequest, detail: detail) }

    static func missing(_ resource: Resource, _ id: String) -> Problem {
        Problem(status: .notFound, detail: "There is no \(resource.singular) with the id \(id.prefix(60)).")
    }

    static func invalid(_ errors: [Entry]) -> Problem {
        let detail =
            errors.count == 1
            ? "A property has a value that can't be saved."
            : "\(errors.count) properties have values that can't be saved."
        return Problem(type: "invalid", status: .unprocessableContent, detail: detail, errors: errors)
    }

    static let busy = Problem(
        type: "busy", status: .serviceUnavailable, detail: "Too many requests wait for the store.",
        headers: [.retryAfter: "1"])

    static let changed = Problem(
        type: "changed", status: .preconditionFailed,
        detail: "The object was changed since you read it. Read it again.")

    static let contended = Problem(
        type: "changed", status: .conflict, detail: "Others change the object at the same moment. Try again.")

    static let preconditionRequired = Problem(
        type: "changed", status: .preconditionRequired,
        detail: "Say in the header If-Match which version of the object you have read.")
}
