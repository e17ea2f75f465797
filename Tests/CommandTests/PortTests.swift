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

    @Test(
        "observers of notifications get closures, on one line or several; the lines of remarks stay those of the file")
    func observers() throws {
        let folder = try TemporaryFolder()
        let text = """
            import Foundation
            class A {
                func start() {
                    NotificationCenter.default.addObserver(self, selector: #selector(changed), name: .x, object: nil)
                    center.addObserver(
                        self,
                        selector: #selector(A.saved(_:)),
                        name: Notification.Name("y"),
                        object: context)
                    if true { center.addObserver(self, selector: #selector(stopped), name: nil, object: nil) }
                    center.addObserver(other, selector: #selector(changed), name: .x, object: nil)
                }
                @objc func changed(_ notification: Notification) {}
                @objc func saved(_ notification: Notification) {}
                @objc private func stopped() {}
            }

            """
        let file = try folder.file("A.swift", Data(text.utf8))
        let run = try Command(["port", file.path, "--write"])
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("\(file.path):11: warning: #selector(changed) has no spelling"), "\(run.errors)")
        let ported = try String(contentsOf: file, encoding: .utf8)
        for line in [
            "        _ = NotificationCenter.default.addObserver(forName: .x, object: nil, queue: nil) { [weak self] notification in self?.changed(notification) }\n",
            """
                    _ = center.addObserver(
                        forName: Notification.Name("y"),
                        object: context, queue: nil) { [weak self] notification in self?.saved(notification) }

            """,
            "        if true { _ = center.addObserver(forName: nil, object: nil, queue: nil) { [weak self] _ in self?.stopped() } }\n",
        ] {
            #expect(ported.contains(line), "\(ported)")
        }
        #expect(try Command(["port", file.path]).output.isEmpty)
    }

    @Test("what no rewriting helps is told with file and line, unless a condition leaves it to Apple's platforms")
    func needs() throws {
        let folder = try TemporaryFolder()
        let text = """
            import CoreData.NSManagedObject
            import os.lock
            import OSLog
            import Combine
            import class Foundation.NSObject
            #if canImport(Combine)
            import Combine
            #endif
            extension Player {
                override public func willSave() {}
                func a() { let override = 1; _ = override }
            }
            class B: Player {
                override func willSave() {}
                let request = Player.fetchRequest() as! NSFetchRequest<Player>
                let other = x as? [Player]
            }

            """
        let file = try folder.file("A.swift", Data(text.utf8))
        let run = try Command(["port", file.path])
        #expect(run.status == 1)
        let lines = run.errors.split(separator: "\n").map { $0.dropFirst(file.path.count) }
        let expected = [
            ":1: warning: there are no submodules here: write import CoreData", ":2: warning: os.lock is Apple's",
            ":3: warning: OSLog is Apple's", ":4: warning: Combine is Apple's",
            ":10: warning: an extension can't override here", ":15: warning: a cast to another NSFetchRequest<…>",
        ]
        #expect(lines.count == expected.count, "\(run.errors)")
        for (line, start) in zip(lines, expected) { #expect(line.hasPrefix(start), "\(line)") }
    }

    @Test(
        "in a package the sources of targets are rewritten, and what the plug-in copies; a file that is named always is"
    )
    func packages() throws {
        let folder = try TemporaryFolder()
        func add(_ path: String, _ text: String) throws -> URL {
            let url = folder.url.appending(path: path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
            return url
        }
        let text = "import Foundation\n@objc class A {}\n"
        _ = try add(
            "Package.swift",
            """
            // swift-tools-version: 6.0
            // @objc
            import PackageDescription
            let package = Package(name: "P", targets: [
                .target(name: "P", exclude: ["Xcode", "Notes"], resources: [.copy("Templates")])])
            """)
        _ = try add("Sources/P/A.swift", text)
        _ = try add("Sources/P/Xcode/B.swift", text)
        _ = try add("Sources/P/Notes/C.swift", "@objc class A {}\n")
        let template = try add("Sources/P/Templates/D.swift", text)
        _ = try add("Sources/P/P.docc/E.swift", text)
        _ = try add("Scripts/F.swift", "@objc class A {}\n")
        let shown = try Command(["port", folder.url.path]).output
        let files = shown.split(separator: "\n").filter { $0.hasPrefix("+++ ") }.map {
            $0.split(separator: "/").last.map(String.init) ?? ""
        }
        #expect(files == ["A.swift", "B.swift"], "\(shown)")
        #expect(try Command(["port", template.path]).output.contains("+#if canImport(ObjectiveC)"))
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
