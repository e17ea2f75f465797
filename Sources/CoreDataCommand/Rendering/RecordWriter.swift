import Foundation
import ModelDocument

/// Prints exported objects as JSON lines or as comma-separated values.
struct RecordWriter {
    private let csv: CSV?
    private let columns: [String]
    private var buffer = ""
    private let json = JSONWriter(layout: .compact)

    /// - Parameters:
    ///   - csv: How comma-separated values are written; nil: JSON lines.
    ///   - entity: The one entity that is exported; nil: all.
    init(csv: CSV?, model: Model, entity: String?) {
        self.csv = csv
        columns = Self.columns(model, entity: entity)
        if let csv { buffer = csv.start + csv.line(["id", "entity"] + columns) }
    }

    /// The names of all stored properties, attributes first, each once.
    private static func columns(_ model: Model, entity: String?) -> [String] {
        let entities = entity.map { model.lineage(of: $0) } ?? model.entities
        let attributes = Set(entities.flatMap { $0.attributes.filter { !$0.isTransient }.map(\.name) })
        let relationships = Set(entities.flatMap { $0.relationships.filter { !$0.isTransient }.map(\.name) })
        return [attributes, relationships.subtracting(attributes)].flatMap { $0.sorted { $0.precedesByCodePoint($1) } }
    }

    mutating func write(_ record: RecordExporter.Record) {
        if let csv {
            let values = columns.map { record.attributes[$0] ?? record.relationships[$0] ?? .null }
            buffer += csv.line([record.identifier, record.entity] + values.map(\.fieldText))
        } else {
            buffer += json.string(record.json) + "\n"
        }
        if buffer.utf8.count > 64 * 1024 { finish() }
    }

    /// Writes what has been collected.
    mutating func finish() {
        FileHandle.standardOutput.write(Data(buffer.utf8))
        buffer = ""
    }
}

extension JSONValue {
    /// The value as a field: null is empty, several identifiers have blanks between them.
    var fieldText: String {
        switch self {
        case .null: ""
        case .string(let text): text
        case .array(let items): items.map(\.fieldText).joined(separator: " ")
        case .bool, .int, .double, .object: JSONWriter(layout: .compact).string(self)
        }
    }
}
