import Foundation
import Testing

@Suite("coredata verify finds @NSManaged members without bodies")
struct VerifyTests {
    /// A package with a library that has a class with bodies for what it names; no other package is needed for that.
    private static let manifest = """
        // swift-tools-version: 6.0
        import PackageDescription
        let package = Package(
            name: "Club",
            targets: [
                .target(name: "Club-Model"), .executableTarget(name: "App", dependencies: ["Club-Model"]),
                .testTarget(name: "ClubTests"),
            ])
        """

    private static let member = """
        import Foundation

        open class Member: NSObject {
            @NSManaged public var name: String?
            @NSManaged public private(set) var number: Int
            @NSManaged public func join(_ club: String, in year: Int)
        }
        """

    private static let bodies = """
        extension Member {
            @_silgen_name("$s10Club_Model6MemberC4nameSSSgvg") public dynamic final func getName() -> String? { nil }
            @_silgen_name("$s10Club_Model6MemberC4nameSSSgvs") public dynamic final func setName(_ v: __owned String?) {}
            @_silgen_name("$s10Club_Model6MemberC6numberSivg") public dynamic final func getNumber() -> Int { 7 }
            @_silgen_name("$s10Club_Model6MemberC6numberSivs") public dynamic final func setNumber(_ v: __owned Int) {}
            @_silgen_name("$s10Club_Model6MemberC4join_2inySS_SitF")
            public dynamic final func joining(_ club: String, _ year: Int) {}
        }
        """

    private static let test = """
        import Foundation

        final class Guest: NSObject {
            @NSManaged private var secret: String?
        }
        """

    @Test("it says nothing where all have bodies, and names place, member and symbol of those that have none")
    func verifying() throws {
        let folder = try TemporaryFolder()
        for name in ["Sources/Club-Model", "Sources/App", "Tests/ClubTests"] {
            try FileManager.default.createDirectory(
                at: folder.url.appending(path: name), withIntermediateDirectories: true)
        }
        try folder.file("Package.swift", Data(Self.manifest.utf8))
        let member = try folder.file("Sources/Club-Model/Member.swift", Data(Self.member.utf8))
        let bodies = try folder.file("Sources/Club-Model/Bodies.swift", Data(Self.bodies.utf8))
        try folder.file("Sources/App/main.swift", Data("import Club_Model\nprint(Member().name ?? \"\")\n".utf8))
        let test = try folder.file("Tests/ClubTests/Guest.swift", Data("import Foundation\n".utf8))

        let clean = try Command(["verify", folder.url.path])
        #expect(clean.status == 0 && clean.output.isEmpty, "\(clean.output) \(clean.errors)")

        // The program does not link any more; what is missing is found all the same.
        let half = Self.bodies.replacing("6numberSivs", with: "6numberSivz").replacing("joining", with: "joined")
            .replacing("4join_2in", with: "4join_2at")
        try Data(half.utf8).write(to: bodies)
        try Data(Self.test.utf8).write(to: test)
        let found = try Command(["verify", folder.url.path])
        #expect(found.status == 1, "\(found.errors)")
        func advice(_ target: String) -> String {
            "Let the target \(target) use the plug-in CoreDataPlugin of swift-coredata in Package.swift."
        }
        #expect(
            found.output.replacing(/33_[0-9A-F]{32}LL/, with: "(file)") == """
                \(member.path):5:40: error: Member.number has no body: nothing defines $s10Club_Model6MemberC6numberSivs. \
                \(advice("Club-Model"))
                \(member.path):6:28: error: Member.join(_:in:) has no body: nothing defines \
                $s10Club_Model6MemberC4join_2inySS_SitF. \(advice("Club-Model"))
                \(test.path):3:13: error: Guest.secret has no body: nothing defines \
                $s9ClubTests5GuestC6secret(file)SSSgvg. \(advice("ClubTests"))

                """,
            "\(found.output)")

        let chosen = try Command(["verify", folder.url.path, "--target", "ClubTests"])
        #expect(chosen.status == 1 && chosen.output.contains("Guest.secret"), "\(chosen.output)")
        #expect(!chosen.output.contains("Member."), "\(chosen.output)")
    }

    @Test("no package, no such target, and a target that does not compile are told apart")
    func failures() throws {
        let folder = try TemporaryFolder()
        let none = try Command(["verify", folder.url.path])
        #expect(none.status == 2 && none.errors.contains("There is no Package.swift in"), "\(none.errors)")

        let manifest = """
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(name: "Club", targets: [.target(name: "Club")])
            """
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "Sources/Club"), withIntermediateDirectories: true)
        try folder.file("Package.swift", Data(manifest.utf8))
        try folder.file("Sources/Club/Club.swift", Data("class Broken { @NSManaged let name: String }".utf8))
        let unknown = try Command(["verify", folder.url.path, "--target", "Klub"])
        #expect(
            unknown.status == 2 && unknown.errors.contains("no target Klub of Swift sources; it has Club."),
            "\(unknown.errors)")
        let broken = try Command(["verify", folder.url.path])
        #expect(broken.status == 1 && broken.errors.contains("swift build --target Club failed"), "\(broken.errors)")
    }
}
