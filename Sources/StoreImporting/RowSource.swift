import CoreData
import StoreBrowsing

/// Fills rows of a batch insertion from the records of a file.
package protocol RowSource: AnyObject {
    var reader: any RecordReader { get }

    /// Sees to it that the attributes' places in a row are known.
    func prepare(for row: BatchRowBuilder) throws

    /// Sets the values of the present record.
    ///
    /// - Throws: `ToolFailure` for values that are none of their attributes'.
    func fill(_ row: BatchRowBuilder) throws
}

/// Rows of comma-separated values, with the columns' titles in the first line.
package final class CSVRows: RowSource {
    private let file: InputFile
    private let csv: CSVReader
    private let columns: ContiguousArray<(place: Int, column: ImportColumn)>
    private let width: Int

    /// - Throws: `ToolFailure` for a header that does not fit the entity.
    package init(_ file: InputFile, _ mapping: ImportMapping) throws {
        (self.file, csv) = (file, CSVReader(file))
        guard try csv.next() else {
            throw ToolFailure(.other, "\(file.name) has no line; the first one names the columns.")
        }
        let header = try csv.texts().numbered
        width = header.count
        columns = ContiguousArray(try mapping.columns(header, in: file.name))
    }

    package var reader: any RecordReader { csv }

    package func prepare(for row: BatchRowBuilder) throws {
        for (_, column) in columns { try column.prepare(for: row) }
    }

    package func fill(_ row: BatchRowBuilder) throws {
        guard csv.count == width else {
            throw ToolFailure(
                .other,
                "\(file.name), line \(csv.line): There are \(csv.count) fields, and the header has \(width).")
        }
        for (place, column) in columns {
            try csv.withField(place) { value in
                do throws(AttributeRules.Problem) { try column.set(value, in: row) } catch {
                    throw ToolFailure(error, column, file, csv.line)
                }
            }
        }
    }
}

/// Rows of JSON objects, one a line. A line may lack members, and have others than the line before.
package final class JSONLinesRows: RowSource {
    private let file: InputFile
    private let mapping: ImportMapping
    private let json: JSONLinesReader
    private var columns: [String: ImportColumn?] = [:]
    /// The column of the member at each place in the line before, with its key as it is written: most lines are alike.
    private var before: [(key: ContiguousArray<UInt8>, prefix: String, column: ImportColumn?)] = []

    package init(_ file: InputFile, _ mapping: ImportMapping) {
        (self.file, self.mapping, json) = (file, mapping, JSONLinesReader(file))
    }

    package var reader: any RecordReader { json }

    package func prepare(for row: BatchRowBuilder) throws {}

    package func fill(_ row: BatchRowBuilder) throws {
        try json.forEachMember { place, key, value in
            guard let column = try column(place, key, row) else { return }
            if row.isSet(column.slot) {
                throw ToolFailure(
                    AttributeRules.Problem(reason: "The line has another value for it."), column, file, json.line)
            }
            do throws(AttributeRules.Problem) { try column.set(value, in: row) } catch {
                throw ToolFailure(error, column, file, json.line)
            }
        }
        for name in mapping.keys where !row.isSet(try row.slot(named: name).index) {
            throw ToolFailure(
                .other, "\(file.name), line \(json.line): There is no value for “\(name)”, which --key names.")
        }
    }

    private func column(_ place: Int, _ key: JSONScanner.Key, _ row: BatchRowBuilder) throws -> ImportColumn? {
        if place < before.count, before[place].prefix == key.prefix, before[place].key.elementsEqual(key.bytes) {
            return before[place].column
        }
        let column = try column(key.text, row)
        while before.count <= place { before.append(([], "", nil)) }
        before[place] = (ContiguousArray(key.bytes), key.prefix, column)
        return column
    }

    private func column(_ title: String, _ row: BatchRowBuilder) throws -> ImportColumn? {
        if let known = columns[title] { return known }
        let column = try mapping.column(title, in: "Line \(json.line) of \(file.name)")
        try column?.prepare(for: row)
        columns[title] = .some(column)
        return column
    }
}

extension ToolFailure {
    fileprivate init(_ problem: AttributeRules.Problem, _ column: ImportColumn, _ file: InputFile, _ line: Int) {
        self.init(.other, "\(file.name), line \(line), column “\(column.title)”: \(whole: problem.reason)")
    }
}
