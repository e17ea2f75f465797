import Foundation
import Testing

@Suite("coredata port rewrites sources for both worlds")
struct PortTests {
    private static let source = """
        import CoreData

        @objc(Player)
        public class Player: NSManagedObject {
            @NSManaged public var name: String?
            @objc dynamic var title: String { name ?? "" }

            func sorted() -> NSSortDescriptor {
                NSSortDescriptor(key: #keyPath(Player.name), ascending: true, selector: #selector(NSString.compare(_:)))
            }
        }

        extension Player {
            @available(*, deprecated) @objc(addFriendsObject:)
            @NSManaged public func addToFriends(_ value: Player)
        }

        """

    private static let ported = """
        import CoreData

        #if canImport(ObjectiveC)
        @objc(Player)
        #endif
        public class Player: NSManagedObject {
            @NSManaged public var name: String?
            #if canImport(ObjectiveC)
            @objc
            #endif
            dynamic var title: String { name ?? "" }

            func sorted() -> NSSortDescriptor {
                NSSortDescriptor(key: "name", ascending: true, selector: Selector(("compare:")))
            }
        }

        extension Player {
            #if canImport(ObjectiveC)
            @objc(addFriendsObject:)
            #endif
            @available(*, deprecated)
            @NSManaged public func addToFriends(_ value: Player)
        }

        """

    @Test("what needs Objective-C gets a condition or another spelling; only --write writes, and twice is once")
    func rewriting() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("Player.swift", Data(Self.source.utf8))
        let shown = try Command(["port", folder.url.path])
        #expect(shown.status == 0 && shown.errors.isEmpty, "\(shown.errors)")
        #expect(shown.output.contains("+#if canImport(ObjectiveC)\n @objc(Player)\n+#endif\n"), "\(shown.output)")
        #expect(try String(contentsOf: file, encoding: .utf8) == Self.source)
        #expect(try Command(["port", file.path, "--write"]).output.contains("@@ -1,"))
        #expect(try String(contentsOf: file, encoding: .utf8) == Self.ported)
        let again = try Command(["port", file.path, "--write"])
        #expect(again.status == 0 && again.output.isEmpty)
    }

    @Test("the comparison is one that git applies, whether the last line ends or not", arguments: [true, false])
    func applying(endsInNewline: Bool) throws {
        func text(_ text: String) -> String { endsInNewline ? text : String(text.dropLast()) }
        let folder = try TemporaryFolder()
        let file = try folder.file("Player.swift", Data(text(Self.source).utf8))
        let diff = try Command(["port", file.path]).output.replacing(file.path, with: "Player.swift")
        let patch = try folder.file("patch", Data(diff.utf8))
        let apply = try Command(
            executable: URL(fileURLWithPath: "/usr/bin/env"),
            arguments: ["git", "-C", folder.url.path, "apply", patch.path])
        #expect(apply.status == 0, "\(apply.errors)")
        #expect(try String(contentsOf: file, encoding: .utf8) == text(Self.ported))
    }

    @Test("what has to be done by hand is left alone and told with its line")
    func remarks() throws {
        let folder = try TemporaryFolder()
        let text = """
            class A {
                public @objc func go() { perform(#selector(A.go)) }
            }

            """
        let file = try folder.file("A.swift", Data(text.utf8))
        let run = try Command(["port", file.path, "--write"])
        #expect(run.status == 1 && run.output.isEmpty)
        let lines = run.errors.split(separator: "\n")
        #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("\(file.path):2: warning: ") }, "\(run.errors)")
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
        #expect(try Command(["port", "/nowhere"]).status == 2)
    }
}
