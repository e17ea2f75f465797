import StoreBrowsing

/// Prints rows in one of the formats, each as it comes; only a table has to wait for the last one.
final class RowPrinter {
    private enum Target {
        case text(OutputSink)
        case database(RowDatabase, OutputFile)
    }

    let format: RowFormat
    private let columns: [RowColumn]
    private let target: Target
    private let csv: CSV
    private let json = JSONWriter(layout: .compact)
    private var table: TextTable
    /// How many rows were printed. Exclusive access is not checked at run time: counting runs no other code.
    @exclusivity(unchecked) private(set) var count = 0

    init(_ format: RowFormat, _ columns: [RowColumn], sink: OutputSink, isExact: Bool) throws {
        self.format = format
        self.columns = columns
        target = .text(sink)
        csv = CSV(isExact: isExact)
        table = Self.table(columns)
        try start(sink)
    }

    init(_ format: RowFormat, _ columns: [RowColumn], database: RowDatabase, _ file: OutputFile) {
        self.format = format
        self.columns = columns
        target = .database(database, file)
        csv = CSV()
        table = Self.table(columns)
    }

    private static func table(_ columns: [RowColumn]) -> TextTable {
        TextTable(header: columns.map(\.title), rightAligned: Set(columns.filter(\.isNumeric).map(\.title)))
    }

    private func start(_ sink: OutputSink) throws {
        switch format {
        case .table:
            table.width = sink.terminalWidth
        case .markdown:
            let rules = columns.map { $0.isNumeric ? "---:" : "---" }
            try sink.write(markdown(columns.map(\.title)) + "| " + rules.joined(separator: " | ") + " |\n")
        case .tsv:
            try sink.write(Self.tabbed(columns.map(\.title)))
        case .csv:
            try sink.write(csv.start + csv.line(columns.map(\.title)))
        case .json, .jsonl, .sqlite:
            break
        }
    }

    /// Prints a row.
    ///
    /// - Parameter object: The row as an object of JSON; nil: its columns by name.
    func write(_ values: [JSONValue], object: @autoclosure () -> JSONValue? = nil) throws {
        count += 1
        switch target {
        case .database(let database, _): try database.write(values)
        case .text(let sink):
            switch format {
            case .table: table.rows.append(values.map(\.fieldText))
            case .markdown: try sink.write(markdown(values.map(\.fieldText)))
            case .tsv: try sink.write(Self.tabbed(values.map(\.fieldText)))
            case .csv: try sink.write(csv.line(values.map(\.fieldText)))
            case .json: try sink.write((count == 1 ? "[\n" : ",\n") + json.string(object() ?? named(values)))
            case .jsonl: try sink.write(json.string(object() ?? named(values)) + "\n")
            case .sqlite: break
            }
        }
    }

    /// Prints a row with the members of an object as its columns.
    func write(members object: JSONValue) throws {
        guard case .object(let members) = object else { return }
        try write(columns.map { members[$0.title] ?? .null })
    }

    /// Prints a line that `body` writes whole, but for what a JSON array has between its elements.
    @inline(__always)
    func writeLine(_ body: (inout ByteBuffer) throws -> Void) throws {
        guard case .text(let sink) = target else { return }
        count += 1
        if format == .json { try sink.write(count == 1 ? "[\n" : ",\n") }
        try sink.write(body)
    }

    /// Lets a reader see the rows that were printed so far.
    func flush() throws { if case .text(let sink) = target { try sink.flush() } }

    /// Prints what is left, and makes the file appear.
    ///
    /// - Parameter noun: What a table counts below its rows, in the singular and the plural; nil: no such line.
    func finish(counting noun: (one: String, many: String)? = nil) throws {
        switch target {
        case .database(let database, let file):
            try database.finish()
            try file.finish()
        case .text(let sink):
            if format == .table {
                for line in table.lines { try sink.write(line + "\n") }
                if let noun { try sink.write("\n\(count) \(count == 1 ? noun.one : noun.many)\n") }
            }
            if format == .json { try sink.write(count == 0 ? "[]\n" : "\n]\n") }
            try sink.finish()
        }
    }

    private func named(_ values: [JSONValue]) -> JSONValue {
        .object(Dictionary(zip(columns.map(\.title), values), uniquingKeysWith: { first, _ in first }))
    }

    // MARK: Lines

    /// A row between bars; what Markdown would take for markup has a backslash before it.
    private func markdown(_ fields: [String]) -> String {
        let cells = fields.map { field in
            var cell = ""
            for character in SafeText.singleLine(field) {
                if "\\|`*_<>[]&".contains(character) { cell.append("\\") }
                cell.append(character)
            }
            return cell
        }
        return "| " + cells.joined(separator: " | ") + " |\n"
    }

    /// A row between tabulators. A backslash begins `\t`, `\n`, `\r`, `\\` and `\u001b`: no text is lost.
    private static func tabbed(_ fields: [String]) -> String { fields.map(tabbed).joined(separator: "\t") + "\n" }

    /// One field of such a row.
    static func tabbed(_ field: String) -> String {
        let text = field.utf8.contains(UInt8(ascii: "\\")) ? field.replacing("\\", with: "\\\\") : field
        return SafeText.replacing(text) { scalar in
            switch scalar {
            case "\t": "\\t"
            case "\n": "\\n"
            case "\r": "\\r"
            default: SafeText.escape(scalar)
            }
        }
    }
}
