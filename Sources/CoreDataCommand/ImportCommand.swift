import ArgumentParser
import CoreData
import Foundation
import StoreBrowsing
import StoreImporting

/// `coredata import STORE FILE --entity E`: rows of a file as objects.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Insert the rows of a CSV or JSON lines file as objects.",
        discussion: """
            Columns are attributes of the same name, or what --map says; address.city is an element of a composite \
            attribute. Dates are ISO 8601, binary data is base64. An empty field is the attribute's default, or nil; "" \
            in quotes is the empty text. Values are checked by the model: type, required values, rules. Relationships are \
            not imported.

            All rows are imported in one transaction, or none: an error names the line and the column. With --batch a \
            transaction has that many rows. An error then says how many rows are imported, which --skip passes over \
            when the file is mended.

            With --key, an attribute of a uniqueness constraint, rows that are there are updated: the file's columns get \
            the file's values, and other attributes stay. A store with history records the import, with the author \
            "coredata".

            EXAMPLES
              coredata import League.sqlite Players.csv --entity Player
              coredata import League.sqlite Players.csv --entity Player --map 'Remarks='
              coredata import League.sqlite Teams.jsonl --entity Team --key name
              coredata import League.sqlite - --format csv --entity Player < Players.txt
            """)

    @OptionGroup var target: StoreTarget

    @Argument(help: "A .csv or .jsonl file; “-” is standard input.", completion: .file())
    var file: String

    @Option(help: "The entity of the objects.")
    var entity: String

    @Option(help: "Columns and their attributes, as column=key, with commas between; column= leaves a column out.")
    var map: [String] = []

    @Option(help: "Update objects with the same value of this attribute, or of the attributes of one constraint.")
    var key: String?

    @Option(help: "Import that many rows in a transaction; without it, all.")
    var batch: Int?

    @Option(help: "Pass over that many rows, which are imported already.")
    var skip = 0

    @Option(help: "What the file is, where its name does not say so.")
    var format: FileFormat?

    @Flag(help: "Import into a copy, and change nothing.")
    var dryRun = false

    /// The kinds of files.
    enum FileFormat: String, ExpressibleByArgument, CaseIterable {
        case csv, jsonl
    }

    func validate() throws {
        if let batch, batch < 1 { throw ValidationError("--batch takes a number from 1 on.") }
        if skip < 0 { throw ValidationError("--skip takes a number from 0 on.") }
        if format == nil, fileFormat == nil {
            throw ValidationError("\(file) is neither a .csv nor a .jsonl file; --format says what it is.")
        }
    }

    private var fileFormat: FileFormat? {
        format ?? FileFormat(rawValue: URL(fileURLWithPath: file).pathExtension.lowercased())
    }

    func run() throws {
        var place = try target.look()
        let mapping = try ImportMapping(
            place.entity(named: entity), map: map.flatMap(QueryCommand.list), keys: key.map(QueryCommand.list) ?? [])
        let input = try InputFile(path: file)
        let source: any RowSource =
            fileFormat == .jsonl ? JSONLinesRows(input, mapping) : try CSVRows(input, mapping)
        let rows = RowImport(input, source, mapping, batch: batch)
        try rows.skip(skip)
        let copy = dryRun ? try ScratchCopy(of: place) : nil
        defer { withExtendedLifetime(copy) {} }
        if let copy { place.store = .file(copy.url) }
        let store = try LiveStore(place, for: .changing)
        do {
            let result = try result(rows, store)
            try store.close()
            print(result)
        } catch let failure as CommandFailure {
            throw CommandFailure(failure.code, whole: "\(failure.message) \(state(after: rows))")
        }
    }

    private func result(_ rows: RowImport, _ store: LiveStore) throws -> String {
        let before = try count(store)
        let all = try rows.run(in: store)
        let inserted = key == nil ? all : max(0, try count(store) - before)
        let verb = dryRun ? "Would insert" : "Inserted"
        let text = "\(verb) \(inserted) \(inserted == 1 ? "object" : "objects") of \(entity)"
        if key == nil { return text + "." }
        return "\(text), and \(dryRun ? "update" : "updated") \(all - inserted)."
    }

    /// How many objects there are; it is only needed where rows may be updated.
    private func count(_ store: LiveStore) throws -> Int {
        if key == nil { return 0 }
        return try store.perform { try $0.count(for: NSFetchRequest<NSManagedObject>(entityName: entity)) }
    }

    /// What is imported after an error.
    private func state(after rows: RowImport) -> String {
        if dryRun || rows.finished == skip { return "Nothing was imported." }
        return "The first \(rows.finished) rows are imported: mend the file, and go on with --skip \(rows.finished)."
    }
}
