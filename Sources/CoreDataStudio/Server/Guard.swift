import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

/// Refuses requests that come from elsewhere, or without the token.
///
/// A page of another origin can make a browser send requests to loopback, and can point a name of its own at 127.0.0.1.
/// So each request has to be addressed to the loopback by number or by `localhost`, has to come from our own page, and
/// has to have the cookie that only a holder of the token got.
final class Guard: Sendable {
    /// What gives the cookie: new at every start.
    let token: String
    /// What the cookie holds: another secret, so that the token in a history or a log is no cookie.
    private let session: String
    /// What only our page knows: it comes in the fragment of an address, which no browser sends to a server, and goes
    /// back in a header. A browser sends the cookie to every port of the host, so another server there can read and
    /// replay it.
    let pageSecret: String
    /// Known when the server listens.
    private let listeningPort = Mutex(0)

    /// - Parameter firstPage: The path of the page that one sees first.
    init(firstPage: String = "/") {
        self.firstPage = firstPage
        token = Self.secret()
        session = Self.secret()
        pageSecret = Self.secret()
    }

    /// A text that can't be guessed.
    static func secret() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in
            let digits = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    var port: Int {
        get { listeningPort.withLock { $0 } }
        set { listeningPort.withLock { $0 = newValue } }
    }

    /// The address with the token.
    var entrance: String { "http://127.0.0.1:\(port)/?token=\(token)" }

    /// The address of the page that one sees first.
    private let firstPage: String

    /// Where the entrance leads: the page, with its secret in the fragment.
    var page: String { "\(firstPage)#page=\(pageSecret)" }

    private var cookieName: String { "studio-\(port)" }

    /// The header that sets the cookie.
    var cookie: String { "\(cookieName)=\(session); Path=/; HttpOnly; SameSite=Strict" }

    private var hosts: [String] { ["127.0.0.1:\(port)", "localhost:\(port)"] }

    // MARK: - Checks

    /// Whether the request was meant for this server, and comes from no other page.
    ///
    /// - Throws: `forbiddenHost`, `forbiddenOrigin`.
    func checkOrigin(of request: Request) throws {
        guard let host = request.head.authority, hosts.contains(host) else {
            throw StudioError(.forbiddenHost, "This server answers to \(hosts[0]) only.")
        }
        let origin = request.headers[.origin]
        let isOwn = origin == "http://\(host)"
        guard origin == nil || isOwn else {
            throw StudioError(.forbiddenOrigin, "Requests from the pages of others are not answered.")
        }
        guard isOwn || [.get, .head].contains(request.method) else {
            throw StudioError(.forbiddenOrigin, "A request that changes something has to say its origin.")
        }
        let site = request.headers[.secFetchSite]
        guard site == nil || site == "same-origin" || site == "none" else {
            throw StudioError(.forbiddenOrigin, "Requests from the pages of others are not answered.")
        }
    }

    /// Whether the request has the cookie.
    ///
    /// - Throws: `missingToken`.
    func checkCookie(of request: Request) throws {
        let isKnown = request.headers[values: .cookie].contains { header in
            header.split(separator: ";").contains { pair in
                let pair = pair.trimmingCharacters(in: .whitespaces)
                return Self.areEqual(pair, "\(cookieName)=\(session)")
            }
        }
        guard isKnown else {
            throw StudioError(
                .missingToken,
                "Open the address that ‘coredata studio’ printed when it started; it has the token in it.")
        }
    }

    /// Whether the request comes from our page, and not from a server on another port that was sent our cookie.
    ///
    /// - Throws: `missingToken`.
    func checkPage(of request: Request) throws {
        guard Self.areEqual(request.headers[.studioPage] ?? "", pageSecret) else {
            throw StudioError(
                .missingToken,
                "This tab has no access. Open the address that ‘coredata studio’ printed when it started, in this tab.")
        }
    }

    func isToken(_ text: String) -> Bool { Self.areEqual(text, token) }

    /// Compares in a time that does not tell where the first difference is.
    static func areEqual(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

extension HTTPField.Name {
    static let studioPage = Self("Studio-Page")!
    static let studioDocument = Self("Studio-Document")!
    static let secFetchSite = Self("Sec-Fetch-Site")!
    static let frameOptions = Self("X-Frame-Options")!
    static let openerPolicy = Self("Cross-Origin-Opener-Policy")!
    static let resourcePolicy = Self("Cross-Origin-Resource-Policy")!
    static let referrerPolicy = Self("Referrer-Policy")!
}

/// What every response says.
enum SafeHeaders {
    static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:", "font-src 'self'",
        "connect-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'",
    ].joined(separator: "; ")

    static func add(to response: inout Response) {
        response.headers[.contentSecurityPolicy] = policy
        response.headers[.frameOptions] = "DENY"
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        response.headers[.openerPolicy] = "same-origin"
        response.headers[.resourcePolicy] = "same-origin"
        response.headers[.cacheControl] = "no-store"
    }
}
