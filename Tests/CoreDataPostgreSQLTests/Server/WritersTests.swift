import Foundation
import RandomSeeds
import Testing

/// Eight processes with four contexts each, on one store, for 60 seconds; with `COREDATA_FULL_TESTS` for ten minutes.
/// Both kinds run at the same time, each on a server of its own. See `Tests/Tools/PostgreSQLWriters`.
@Suite("Processes that write at the same time")
struct WritersTests {
    @Test(
        "no update is lost, nothing is there twice, and inverses agree, under each merge policy",
        arguments: ["calm", "broken"])
    func writers(kind: String) throws {
        let (status, text) = try WritersProgram.run(["run", FullRun.isOn ? "600" : "60", kind])
        #expect(status == 0, "\(text)")
        #expect(text.split(separator: "\n").count { $0.hasSuffix("all is right") } == 5, "\(text)")
    }
}
