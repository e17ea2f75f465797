import Foundation
import RandomSeeds
import Testing

/// Eight processes with four contexts each, on one store.
///
/// With `COREDATA_FULL_TESTS` each takes ten minutes. See `Tests/Tools/PostgreSQLWriters`.
@Suite("Processes that write at the same time", .serialized)
struct WritersTests {
    @Test(
        "no update is lost, nothing is there twice, and inverses agree, under each merge policy",
        arguments: [("calm", 10), ("broken", 10)])
    func writers(kind: String, seconds: Int) throws {
        let (status, text) = try WritersProgram.run(["run", "\(FullRun.isOn ? 600 : seconds)", kind])
        #expect(status == 0, "\(text)")
        #expect(text.split(separator: "\n").count { $0.hasSuffix("all is right") } == 5, "\(text)")
    }
}
