import Foundation
import Testing

@Suite("coredata model diff and merge work on documents and with git")
struct DiffAndMergeTests {
    private let folder: TemporaryFolder
    private let document: URL

    /// A copy of a document with three versions, in a repository of its own.
    init() throws {
        folder = try TemporaryFolder()
        document = folder.url.appendingPathComponent("Sample Model.xcdatamodeld")
        try FileManager.default.copyItem(
            at: Samples.modelDocuments.appendingPathComponent(
                "alemar11-CoreDataPlus-SampleModel3/SampleModel3.xcdatamodeld"), to: document)
    }

    private func contents(_ version: String) -> URL {
        document.appendingPathComponent("\(version).xcdatamodel/contents")
    }

    private func edit(_ version: String, _ old: String, _ new: String) throws {
        let text = try String(contentsOf: contents(version), encoding: .utf8)
        try #require(text.contains(old))
        try Data(text.replacing(old, with: new).utf8).write(to: contents(version))
    }

    @discardableResult
    private func git(_ arguments: String...) throws -> Command {
        let identity = ["-c", "user.name=A", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]
        return try Command(
            executable: URL(fileURLWithPath: "/usr/bin/env"),
            arguments: ["git", "-C", folder.url.path] + identity + arguments)
    }

    private func commit() throws {
        try git("add", "-A")
        try #require(try git("commit", "-m", "change").status == 0)
    }

    // MARK: - Comparing

    @Test("two versions of one document")
    func versions() throws {
        let diff = try Command(["model", "diff", document.path, "--from", "SampleModel3", "--to", "SampleModel3_v2"])
        #expect(diff.status == 0, "\(diff.errors)")
        #expect(diff.output.contains(" User") && diff.output.contains("Stores need a migration"), "\(diff.output)")
        let same = try Command(["model", "diff", document.path, document.path])
        #expect(same.status == 0 && same.output == "The models are the same.\n")
    }

    @Test("a limit on the migration is told by the exit code")
    func limits() throws {
        try edit(
            "SampleModel3", "<attribute name=\"petName\"",
            "<attribute name=\"age\" attributeType=\"Integer 16\"/><attribute name=\"petName\"")
        let original = Samples.modelDocuments.appendingPathComponent(
            "alemar11-CoreDataPlus-SampleModel3/SampleModel3.xcdatamodeld/SampleModel3.xcdatamodel"
        ).path
        let changed = contents("SampleModel3").deletingLastPathComponent().path
        #expect(try Command(["model", "diff", original, changed]).status == 0)
        let limited = try Command(["model", "diff", original, changed, "--at-most", "lightweight"])
        #expect(limited.status == 1)
        #expect(limited.output.hasPrefix("+ attribute User.age: attributeType nothing → Integer 16 [light"))
        #expect(limited.output.contains("rows stand against it: new, required, no default]\n"), "\(limited.output)")
        #expect(try Command(["model", "diff", changed, original, "--at-most", "lightweight"]).status == 0)
        #expect(try Command(["model", "diff", changed, original, "--at-most", "none"]).status == 1)
        let json = try Command(["model", "diff", original, changed, "--json"])
        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        #expect(object?["migration"] as? String == "conditional")
        #expect((object?["changes"] as? [[String: Any]])?.first?["name"] as? String == "age")
    }

    @Test("a commit's model with the one that is there now")
    func commits() throws {
        try git("init", "-q")
        try commit()
        let none = try Command(["model", "diff", document.path, "--git", "HEAD"])
        #expect(none.status == 0 && none.output == "The models are the same.\n", "\(none.errors)")
        try edit("SampleModel3", "<attribute name=\"name\"", "<attribute name=\"name\" optional=\"YES\"")
        let change = try Command([
            "model", "diff", document.path, "--git", "HEAD", "--from", "SampleModel3", "--to", "SampleModel3",
        ])
        #expect(
            change.output == """
                ~ attribute User.name: optional nothing → YES [lightweight]
                Stores need a migration; a lightweight one does.

                """, "\(change.errors)")
        let unknown = try Command(["model", "diff", document.path, "--git", "nonsense"])
        #expect(unknown.status == 2 && unknown.errors.contains("nonsense"))
        #expect(try Command(["model", "diff", document.path, "--git", "--output=x"]).status == 64)
        #expect(try Command(["model", "diff", document.path]).status == 64)
    }

    // MARK: - Merging

    @Test("git merges models with the driver of the documentation; a conflict stays one, in a whole document")
    func driver() throws {
        try git("init", "-q")
        let tool = Command.executable("coredata").path
        try git("config", "merge.coredata-model.driver", "'\(tool)' model merge %O %A %B --output %A --name %P")
        try Data("**/*.xcdatamodel/contents merge=coredata-model\n".utf8).write(
            to: folder.url.appendingPathComponent(".gitattributes"))
        try commit()
        try git("checkout", "-q", "-b", "theirs")
        try edit(
            "SampleModel3", "<attribute name=\"petName\"",
            "<attribute name=\"height\" attributeType=\"Double\"/>\n        <attribute name=\"petName\"")
        try commit()
        try git("checkout", "-q", "main")
        try edit(
            "SampleModel3", "<attribute name=\"petName\"",
            "<attribute name=\"id\" attributeType=\"UUID\"/>\n        <attribute name=\"petName\"")
        try commit()
        let merge = try git("merge", "-q", "--no-edit", "theirs")
        #expect(merge.status == 0, "\(merge.output)\(merge.errors)")
        let text = try String(contentsOf: contents("SampleModel3"), encoding: .utf8)
        let names = text.split(separator: "\n").filter { $0.contains("<attribute") }.map {
            $0.split(separator: "\"")[1]
        }
        #expect(
            names == ["height", "id", "name", "petName"] || names == ["name", "height", "id", "petName"], "\(names)")
        #expect(try Command(["model", "roundtrip", document.path]).status == 0)

        try git("checkout", "-q", "-b", "more", "theirs")
        try edit("SampleModel3", "\"Double\"", "\"Float\"")
        try commit()
        try git("checkout", "-q", "main")
        try edit("SampleModel3", "\"Double\"", "\"Decimal\"")
        try commit()
        let conflict = try git("merge", "-q", "--no-edit", "more")
        #expect(conflict.status == 1)
        #expect(
            conflict.errors.contains(
                "Sample Model.xcdatamodeld/SampleModel3.xcdatamodel/contents: conflict: User.height: attributeType was"),
            "\(conflict.errors)")
        #expect(try String(contentsOf: contents("SampleModel3"), encoding: .utf8).contains("\"Decimal\""))
        #expect(try git("status", "--porcelain").output.contains("UU "))
    }

    @Test("the result goes to standard output; a damaged side is an error and writes nothing")
    func output() throws {
        let base = contents("SampleModel3").path
        let copy = try folder.file("theirs", Data(contentsOf: contents("SampleModel3")))
        let merge = try Command(["model", "merge", base, base, copy.path])
        #expect(merge.status == 0)
        #expect(try Data(merge.output.utf8) == Data(contentsOf: copy))
        let damaged = try folder.file("damaged", Data("<model>".utf8))
        let result = folder.url.appendingPathComponent("result")
        let failed = try Command(["model", "merge", base, base, damaged.path, "-o", result.path])
        #expect(failed.status == 4 && !FileManager.default.fileExists(atPath: result.path))
        let empty = try folder.file("empty", Data())
        let added = try Command(["model", "merge", empty.path, base, copy.path, "-o", result.path])
        #expect(added.status == 0, "\(added.errors)")
        #expect(try Data(contentsOf: result) == Data(contentsOf: copy))
    }
}
