import Foundation
public final class PostgreSQLServer: Sendable {
    public static var shared: PostgreSQLServer { get throws { PostgreSQLServer() } }
    public let url = ProcessInfo.processInfo.environment["COREDATA_POSTGRESQL_URL"]!
}
