import Foundation
import Testing

/// What the command prints for a line of arguments, as it is recorded in `Expected/commands`.
@Suite("Recorded command lines")
struct RecordedLineTests {
    /// A recorded line; `STORES`, `MODELS` and `COPY` stand for folders.
    struct Line: CustomTestStringConvertible, Sendable {
        let name: String
        let arguments: [String]

        init(_ name: String, _ arguments: String...) { (self.name, self.arguments) = (name, arguments) }

        var testDescription: String { name }
    }

    private static let moody = "STORES/objcio-moody/Moody_3.moody"

    static let lines = [
        Line("query", "query", moody, "Mood"),
        Line(
            "query-group", "query", moody, "Mood", "--group-by", "country.numericISO3166Code", "--columns",
            "@count,@max.date"),
        Line("query-count", "query", moody, "Mood", "--count"),
        Line("query-distinct", "query", moody, "Mood", "--columns", "creatorID", "--distinct"),
        Line("query-jsonl", "query", moody, "Country", "--format", "jsonl"),
        Line("query-markdown", "query", moody, "Country", "--format", "markdown"),
        Line("query-wrong-key", "query", moody, "Mood", "--columns", "colour"),
        Line("query-wrong-entity", "query", moody, "Mod"),
        Line("export-csv", "export", moody, "--format", "csv"),
        Line("export-csv-exact", "export", moody, "--format", "csv", "--exact"),
        Line("export-tsv", "export", moody, "--format", "tsv"),
        Line("export-json", "export", moody, "--format", "json", "--entity", "Mood"),
        Line("export-limit", "export", moody, "--format", "tsv", "--limit", "3"),
        Line("export-table", "export", moody, "--format", "table", "--entity", "Country"),
        Line("inspect-tsv", "inspect", moody, "--format", "tsv"),
        Line("inspect-counts", "inspect", moody, "--counts-only"),
        Line("check", "check", moody, "--format", "table"),
        Line("diff", "diff", moody, "COPY"),
        Line("diff-csv", "diff", moody, "COPY", "--format", "csv"),
        Line("diff-match", "diff", moody, "COPY", "--entity", "Country", "--match", "numericISO3166Code"),
        Line("model-lint-csv", "model", "lint", "DOCUMENT", "--format", "csv"),
        Line("model-lint-markdown", "model", "lint", "DOCUMENT", "--format", "markdown"),
        Line("model-diff-tsv", "model", "diff", "SOUND", "CHANGED", "--format", "tsv"),
        Line("model-diff-jsonl", "model", "diff", "SOUND", "CHANGED", "--format", "jsonl"),
        Line("model-diff", "model", "diff", "SOUND", "CHANGED"),
        Line("model-diff-json", "model", "diff", "SOUND", "CHANGED", "--json"),
        Line("model-diff-faulty", "model", "diff", "DOCUMENT", "CHANGED"),
    ]

    @Test("print what is recorded", arguments: lines)
    func line(line: Line) throws {
        let copy = try StoreCopy("objcio-moody/Moody_3.moody", sql: StoreDiffTests.changes)
        let document = try Self.document("Shop", entities: Self.shop, in: copy.folder)
        let sound = try Self.document("Sound", entities: Self.soundShop, in: copy.folder)
        let changed = try Self.document("Changed", entities: Self.changedShop, in: copy.folder)
        let places = [
            ("STORES", Samples.stores.path), ("COPY", copy.path), ("DOCUMENT", document), ("SOUND", sound),
            ("CHANGED", changed),
        ]
        let arguments = line.arguments.map { argument in
            places.reduce(argument) { $1.0 == "STORES" ? $0.replacing("STORES", with: $1.1) : $0 == $1.0 ? $1.1 : $0 }
        }
        let run = try Command(arguments)
        var printed = "$ coredata \(line.arguments.joined(separator: " "))\n"
        printed += "\(run.output)\(run.errors)exit \(run.status)\n"
        for (name, path) in places { printed = printed.replacing(path, with: name) }
        let file = Samples.expected.appendingPathComponent("commands/\(line.name).txt")
        if ProcessInfo.processInfo.environment["COREDATA_RECORD"] == "1" {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(printed.utf8).write(to: file)
        }
        #expect(printed == (try? String(contentsOf: file, encoding: .utf8)))
    }

    private static func document(_ name: String, entities: String, in folder: TemporaryFolder) throws -> String {
        let document = folder.url.appendingPathComponent(name + ".xcdatamodel")
        try FileManager.default.createDirectory(at: document, withIntermediateDirectories: true)
        let xml = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            \(entities)
            </model>
            """
        try Data(xml.utf8).write(to: document.appendingPathComponent("contents"))
        return document.path
    }

    /// A model with faults.
    private static let shop = """
        <entity name="Order"><attribute name="total" attributeType="Decimal"/>
        <relationship name="items" toMany="YES" deletionRule="Nullify" destinationEntity="Item"/></entity>
        <entity name="Item" parentEntity="Thing"><attribute name="price, net" attributeType="Decimal"/></entity>
        """

    private static let soundShop = """
        <entity name="Order"><attribute name="total" attributeType="Decimal"/>
        <attribute name="count" optional="YES" attributeType="Integer 32"/>
        <attribute name="placed" optional="YES" attributeType="Date"/>
        <relationship name="items" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Item"/></entity>
        <entity name="Item"><attribute name="price" attributeType="Decimal"/></entity>
        """

    private static let changedShop = """
        <entity name="Order"><attribute name="total" optional="YES" attributeType="Double"/>
        <attribute name="count" optional="YES" attributeType="Integer 16"/>
        <attribute name="placed" optional="YES" attributeType="String"/></entity>
        <entity name="Customer"><attribute name="name" optional="YES" attributeType="String"/></entity>
        """
}
