import Foundation
import StoreBrowsing

/// A record of a file: its values as texts, by the titles of their columns.
package struct ImportRecord: Sendable {
    /// The line that the record begins in, from 1 on.
    package let line: Int
    /// The texts; nil stands for null, and for an empty field without quotes.
    package let values: [String: String?]
}

/// A file of records that is read as texts, before one knows what they are for.
package struct ImportFile: Sendable {
    /// What the file is written in.
    package enum Format: String, Sendable, CaseIterable {
        case csv, jsonl, json

        /// The format that a file's name says.
        package init?(fileName: String) {
            self.init(rawValue: URL(fileURLWithPath: fileName).pathExtension.lowercased())
        }
    }

    private let path: String
    private let format: Format

    package init(path: String, format: Format) { (self.path, self.format) = (path, format) }

    /// Reads the records in their order.
    ///
    /// - Parameter body: Takes the titles that are known by then, and the record. It gives false to read no more.
    /// - Throws: `ToolFailure` with the line for a record that is malformed, and what `body` throws.
    package func forEach(_ body: (_ titles: [String], _ record: ImportRecord) throws -> Bool) throws {
        switch format {
        case .csv: try forEachLine(body)
        case .jsonl: try forEachObject(JSONLinesReader(InputFile(path: path)), body)
        case .json: try forEachObject(JSONArrayReader(InputFile(path: path)), body)
        }
    }

    private func forEachLine(_ body: ([String], ImportRecord) throws -> Bool) throws {
        let csv = CSVReader(try InputFile(path: path))
        guard try csv.next() else {
            throw ToolFailure(.other, "The file has no line; the first one names the columns.")
        }
        // Each column is to be chosen, so each needs a title of its own.
        let titles = try csv.texts().enumerated().map { $1.isEmpty ? "Column \($0 + 1)" : $1 }.numbered
        while try csv.next() {
            guard csv.count == titles.count else {
                throw ToolFailure(
                    .other, "Line \(csv.line): There are \(csv.count) fields, and the header has \(titles.count).")
            }
            let values = try csv.optionalTexts()
            let record = ImportRecord(line: csv.line, values: Dictionary(zip(titles, values)) { first, _ in first })
            guard try body(titles, record) else { return }
        }
    }

    private func forEachObject(
        _ reader: some MemberReader, _ body: ([String], ImportRecord) throws -> Bool
    ) throws {
        var titles: [String] = []
        while try reader.next() {
            var values: [String: String?] = [:]
            try reader.forEachMember { _, key, value in
                let title = key.text
                if values[title] == nil, !titles.contains(title) { titles.append(title) }
                values[title] = .some(try value.importedText(title, reader.line))
            }
            guard try body(titles, ImportRecord(line: reader.line, values: values)) else { return }
        }
    }
}

extension InputValue {
    /// The value as a text; nil for null.
    fileprivate func importedText(_ title: String, _ line: Int) throws -> String? {
        switch self {
        case .null: return nil
        case .text(let bytes), .number(let bytes):
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw ToolFailure(.other, "Line \(line): “\(title)” is no UTF-8 text.")
            }
            return text
        case .bool(let flag): return flag ? "true" : "false"
        case .list: throw ToolFailure(.other, "Line \(line): “\(title)” is an array, which no attribute holds.")
        }
    }
}
