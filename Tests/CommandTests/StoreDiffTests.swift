import Foundation
import Testing

@Suite("coredata diff")
struct StoreDiffTests {
    private static let moody = "objcio-moody/Moody_3.moody"
    /// A mood is gone, one has another rating, and a country is new.
    static let changes = """
        DELETE FROM ZMOOD WHERE Z_PK = 1; UPDATE ZMOOD SET ZRATING = 9 WHERE Z_PK = 4;
        INSERT INTO ZGEOGRAPHICREGION (Z_PK, Z_ENT, Z_OPT, ZNUMERICISO3166CODE, ZUNIQUENESSDUMMY)
        SELECT 9, Z_ENT, 1, 4, 0 FROM ZGEOGRAPHICREGION WHERE Z_PK = 1
        """

    @Test("equal stores: nothing is said, and the exit code is 0")
    func equal() throws {
        let copy = try StoreCopy(Self.moody, sql: "VACUUM")
        let run = try Command(["diff", Samples.path(Self.moody), copy.path])
        #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty, "\(run.errors)")
    }

    @Test("a copy that was changed: objects are matched by entity and primary key, and the exit code is 1")
    func copies() throws {
        let copy = try StoreCopy(Self.moody, sql: Self.changes)
        let run = try Command(["diff", Samples.path(Self.moody), copy.path])
        #expect(run.status == 1, "\(run.errors)")
        #expect(
            run.output == """
                ~ Continent/p4.moods: ["Mood/p1"] → []
                ~ Country/p3.moods: ["Mood/p1"] → []
                + Country/p9
                - Mood/p1
                ~ Mood/p4.rating: 0 → 9

                """)
        let rows = try Command(["diff", Samples.path(Self.moody), copy.path, "--entity", "Mood", "--format", "tsv"])
        #expect(
            rows.output == """
                change\tentity\tkey\tproperty\tbefore\tafter
                deleted\tMood\tMood/p1\t\t\t
                changed\tMood\tMood/p4\trating\t0\t9

                """)
        #expect(rows.status == 1)
    }

    @Test("stores with different UUIDs: a uniqueness constraint or --match tells which objects are the same")
    func others() throws {
        let copy = try StoreCopy(
            Self.moody,
            sql: "UPDATE Z_METADATA SET Z_UUID = '00000000-0000-0000-0000-000000000001'; "
                + "UPDATE ZGEOGRAPHICREGION SET Z_PK = Z_PK + 100; UPDATE ZGEOGRAPHICREGION SET ZCONTINENT = ZCONTINENT "
                + "+ 100; UPDATE ZMOOD SET ZCOUNTRY = ZCOUNTRY + 100, ZCONTINENT = ZCONTINENT + 100; "
                + "UPDATE ZGEOGRAPHICREGION SET ZNUMBEROFMOODS = 7 WHERE Z_PK = 102")
        let arguments = ["diff", Samples.path(Self.moody), copy.path]
        let unmatched = try Command(arguments)
        #expect(unmatched.status == 7 && unmatched.errors.contains("which objects of Mood are the same"))
        let constraint = try Command(arguments + ["--entity", "Country"])
        #expect(constraint.status == 1)
        #expect(constraint.output == "~ Country[710, 0].numberOfMoods: 2 → 7\n", "\(constraint.errors)")
        let named = try Command(arguments + ["--match", "numericISO3166Code", "--match", "date"])
        #expect(named.output == "~ Country[710].numberOfMoods: 2 → 7\n", "\(named.errors)")
    }

    @Test("keys that are not unique, and attributes that are not there, end with 7")
    func badKeys() throws {
        let path = Samples.path(Self.moody)
        let twice = try Command(["diff", path, path, "--match", "rating", "--entity", "Mood"])
        #expect(twice.status == 7 && twice.errors.contains("have the same rating"), "\(twice.errors)")
        let unknown = try Command(["diff", path, path, "--match", "nothing"])
        #expect(unknown.status == 7 && unknown.errors.contains("has the attributes nothing"))
        #expect(try Command(["diff", path, path + "x"]).status == 2)
    }

    @Test("neither store changes")
    func evidence() throws {
        let path = Samples.path(Self.moody)
        let run = try Command(["diff", path, path, "--verify"])
        #expect(run.errors.components(separatedBy: "verified: nothing has changed").count == 3)
    }
}
