import Foundation
import Testing

@Suite("coredata model lint says what is wrong, and where")
struct LintTests {
    private let sample = Samples.modelDocuments.appendingPathComponent(
        "magicalpanda-MagicalRecord-TestModel/TestModel.xcdatamodeld")

    @Test("a finding is a line with file, line, severity, sentence and code; warnings fail with --strict alone")
    func warnings() throws {
        let lint = try Command(["model", "lint", sample.path])
        #expect(lint.status == 0 && lint.errors.isEmpty, "\(lint.errors)")
        let lines = lint.output.split(separator: "\n")
        let prefix = "\(sample.path)/TestModel.xcdatamodel/contents:"
        #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix(prefix) && $0.contains(": warning: ") })
        #expect(lines.contains { $0.hasSuffix("[no-inverse]") })
        let strict = try Command(["model", "lint", "--strict", sample.path])
        #expect(strict.status == 1 && strict.output == lint.output)
    }

    @Test("an error fails, unless its code is ignored")
    func errors() throws {
        let (folder, document) = try copy {
            $0.replacing("parentEntity=\"AbstractRelatedEntity\"", with: "parentEntity=\"Nobody\"")
        }
        defer { withExtendedLifetime(folder) {} }
        let lint = try Command(["model", "lint", document.path])
        #expect(lint.status == 1 && lint.output.contains("[unknown-parent]"), "\(lint.output)")
        let ignored = try Command(["model", "lint", "--ignore", "unknown-parent", document.path])
        #expect(ignored.status == 0 && !ignored.output.contains("[unknown-parent]"), "\(ignored.output)")
        #expect(try Command(["model", "lint", "--ignore", "nonsense", document.path]).status == 64)
    }

    @Test("a model that can't be compiled is a finding")
    func uncompilable() throws {
        let (folder, document) = try copy {
            $0.replacing(
                "</entity>",
                with: "<attribute name=\"years\" attributeType=\"Integer 16\" defaultValueString=\"ten\"/></entity>")
        }
        defer { withExtendedLifetime(folder) {} }
        let lint = try Command(["model", "lint", document.path])
        #expect(lint.status == 1)
        #expect(
            lint.output.contains("has the default “ten”, which is no value of the type Integer 16 [invalid-default]"))
    }

    @Test("JSON holds the same")
    func json() throws {
        let lint = try Command(["model", "lint", "--json", sample.path])
        let findings = try #require(
            try JSONSerialization.jsonObject(with: Data(lint.output.utf8)) as? [[String: Any]])
        let lines = try Command(["model", "lint", sample.path]).output.split(separator: "\n").map(String.init)
        #expect(
            findings.map { finding in
                "\(finding["file"] ?? ""):\(finding["line"] ?? ""): \(finding["severity"] ?? ""): \(finding["message"] ?? "") [\(finding["code"] ?? "")]"
            } == lines)
    }

    @Test("a folder's documents are all checked, and all versions on request")
    func folders() throws {
        let all = try Command(["model", "lint", "--all-versions", Samples.modelDocuments.path])
        #expect(all.output.contains("TestModel.xcdatamodel/contents:"))
        #expect(all.errors.contains("binary kind") && all.status == 5, "one of them is of Xcode 3: \(all.errors)")
        let current = try Command(["model", "lint", Samples.modelDocuments.path])
        #expect(all.output.count >= current.output.count)
    }

    @Test("the examples' models have no findings")
    func examples() throws {
        let lint = try Command(["model", "lint", "--strict", Samples.package.appendingPathComponent("Examples").path])
        #expect(lint.status == 0 && lint.output.isEmpty, "\(lint.output)\(lint.errors)")
    }

    @Test("a compiled model is checked, too, without lines")
    func compiled() throws {
        let folder = try TemporaryFolder()
        let target = folder.url.appendingPathComponent("TestModel.momd").path
        #expect(try Command(["compile", sample.path, "-o", target]).status == 0)
        let lint = try Command(["model", "lint", target])
        #expect(lint.output.hasPrefix("\(target): warning: TestModel: "), "\(lint.output)")
    }

    @Test("the codes are listed")
    func codes() throws {
        let list = try Command(["model", "lint", "--codes"])
        #expect(list.status == 0 && list.output.contains("no-inverse") && list.output.contains("warning"))
        #expect(try Command(["model", "lint"]).status == 64)
    }

    /// A copy of the sample with another text.
    private func copy(_ change: (String) -> String) throws -> (TemporaryFolder, URL) {
        let folder = try TemporaryFolder()
        let document = folder.url.appendingPathComponent("TestModel.xcdatamodeld")
        try FileManager.default.copyItem(at: sample, to: document)
        let file = document.appendingPathComponent("TestModel.xcdatamodel/contents")
        try Data(change(String(contentsOf: file, encoding: .utf8)).utf8).write(to: file)
        return (folder, document)
    }
}
