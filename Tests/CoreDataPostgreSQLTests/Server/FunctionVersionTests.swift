import CoreData
import CoreDataPostgreSQL
import Foundation
import PostgreSQLClient
import Testing

/// Programs with older and newer versions of the library, which share a database and its functions.
@Suite("Versions of the functions in a database")
struct FunctionVersionTests {
    private let store: NamedStore
    private let version: Int

    init() throws {
        store = try NamedStore()
        let context = try store.open(NamedModel().make())
        try context.performAndWait {
            _ = context.insert("Band", ["name": "Can"])
            try context.save()
        }
        version = try #require(try Self.version(store))
    }

    private static func version(_ store: NamedStore) throws -> Int? {
        let found = try store.run("SELECT obj_description('coredata'::regnamespace, 'pg_namespace')")
        return found.first.flatMap { $0.flatMap { Int($0) } }
    }

    /// Has the database say that another version made the functions.
    private func setVersion(_ version: Int) throws { try store.run("COMMENT ON SCHEMA coredata IS '\(version)'") }

    private func countOfCan(_ store: NamedStore) throws -> Int {
        let context = try store.open(NamedModel().make())
        return try context.performAndWait { try context.all("Band", "name LIKE[cd] 'CÁN'").count }
    }

    @Test("a program with an older version leaves newer functions as they are", arguments: [1, 98])
    func newer(difference: Int) throws {
        try setVersion(version + difference)
        try store.run(
            """
            CREATE OR REPLACE FUNCTION coredata.natural_logarithm(value double precision) RETURNS double precision \
            LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS 'SELECT 42::double precision'
            """)
        #expect(try countOfCan(store) == 1)
        #expect(try Self.version(store) == version + difference)
        #expect(try store.run("SELECT coredata.natural_logarithm(1)::text") == ["42"])
    }

    @Test("a program with a newer version replaces older functions, and those of no version")
    func older() throws {
        for comment in ["'\(version - 1)'", "NULL", "'of another program'"] {
            try store.run("COMMENT ON SCHEMA coredata IS \(comment)", "DROP FUNCTION coredata.natural_logarithm")
            #expect(try countOfCan(store) == 1)
            #expect(try Self.version(store) == version)
            #expect(try store.run("SELECT coredata.natural_logarithm(1)::text") == ["0"])
        }
    }

    @Test("a role with few rights opens a store beside newer functions; to replace older ones takes more")
    func role() throws {
        let role = "visitor_" + store.url.path.filter(\.isLetter).lowercased() + "\(UInt32.random(in: 0...UInt32.max))"
        try store.run(
            "CREATE ROLE \(role) LOGIN", "GRANT USAGE ON SCHEMA public, coredata TO \(role)",
            "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO \(role)",
            "GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO \(role)")
        let url = store.url.absoluteString.replacing("postgres@", with: "\(role)@")
        let visitor = NamedStore(url: try #require(URL(string: url)))
        try setVersion(version + 1)
        #expect(try countOfCan(visitor) == 1)
        try setVersion(version - 1)
        let error = try #require(store.error { _ = try countOfCan(visitor) })
        #expect(error.code == CocoaError.Code.fileReadNoPermission.rawValue, "\(error)")
        #expect(error.localizedFailureReason?.contains("as the owner of the schema coredata") == true, "\(error)")
        #expect(try Self.version(store) == version - 1)
    }
}
