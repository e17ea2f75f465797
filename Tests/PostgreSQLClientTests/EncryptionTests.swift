import Foundation
import PostgreSQLClient
import PostgreSQLServer
import Testing

@Suite("Encrypted connections")
struct EncryptionTests {
    private static let shared = Result { try EncryptedServer() }
    private let server: EncryptedServer

    init() throws { server = try Self.shared.get() }

    @Test
    func allThatGoesOverAConnectionGoesEncrypted() throws {
        let connection = try connect(server.url())
        #expect(try connection.number("SELECT ssl::int FROM pg_stat_ssl WHERE pid = pg_backend_pid()") == 1)
        // More than fits into one record of TLS, in both directions.
        var text = values { $0.append(int64: 1) }
        try text.append(text: String(repeating: "ü", count: 300_000))
        #expect(try connection.number("SELECT length($2) + $1", text) == 300_001)
        try connection.execute("CREATE TEMP TABLE shelf (id int8, title text)")
        try connection.pipeline { pipeline in
            for id in 1...2_000 {
                try pipeline.add(
                    preparing: "INSERT INTO shelf VALUES ($1, repeat('x', 100))", values { $0.append(int64: Int64(id)) }
                )
            }
        }
        let rows = try connection.execute("SELECT id, repeat(title, 10) FROM shelf ORDER BY id")
        #expect(rows.rowCount == 2_000)
        #expect(try rows.int64(1_999, 0) == 2_000)
    }

    @Test
    func aRequestIsCancelledThatTakesTooLong() throws {
        let connection = try connect(server.url())
        let found = error {
            try connection.withTimeout(.milliseconds(100)) { _ = try connection.execute("SELECT pg_sleep(60)") }
        }
        #expect(found?.kind == .deadlineExceeded)
        #expect(try connection.number("SELECT 1::int8") == 1)
    }

    @Test
    func anotherNameThanThatOfTheCertificateIsRefused() throws {
        let found = try #require(error { try connect(server.url(name: "elsewhere.coredata.test")) })
        #expect(found.message.contains("certificate"), "\(found.message)")
    }

    @Test
    func aCertificateThatIsNotTrustedIsRefused() throws {
        let other = try EncryptedServer()
        let found = try #require(error { try connect(server.url(trusting: other.certificate)) })
        #expect(found.message.contains("certificate"), "\(found.message)")
    }
}
