import Foundation

/// A server that is reached by TCP, over TLS alone. Its certificate is made for it.
public struct EncryptedServer: Sendable {
    public let server: PostgreSQLServer
    /// The address on this machine that the server listens at.
    public let address: String

    /// The name that the certificate is for.
    public static let name = "database.coredata.test"

    /// Makes a server and starts it.
    ///
    /// - Throws: ``PostgreSQLServerError``.
    public init() throws {
        // Each of them has an address of its own, so that all can have the same port.
        let address = "127.\((1...250).map(String.init).shuffled().prefix(3).joined(separator: "."))"
        let settings = ["listen_addresses": address, "ssl": "on"]
        server = try PostgreSQLServer(.none, settings) { programs, folder in
            try programs.copy(ServerTemplate.shared.get().folder, to: folder)
            try programs.makeCertificate(in: folder, name: Self.name)
        }
        self.address = address
    }

    /// The file with the certificate, which a client trusts the server by.
    public var certificate: String { server.folder + "/data/server.crt" }

    /// A connection string.
    ///
    /// - Parameters:
    ///   - name: What the client takes the server for.
    ///   - certificate: The file with the certificate that the client trusts.
    public func url(name: String = Self.name, trusting certificate: String? = nil) -> String {
        let file = (certificate ?? self.certificate).replacing("/", with: "%2F")
        return "postgresql://postgres@\(name)/postgres?hostaddr=\(address)&sslmode=verify-full&sslrootcert=\(file)"
    }
}
