import ModelDocument
import StoreBrowsing

/// The columns of exported objects: identifier, entity, and all stored properties.
struct RecordColumns {
    let names: [String]

    /// - Parameter entity: The one entity that is exported; nil: all.
    init(_ model: Model, entity: String?) {
        let entities = entity.map { model.lineage(of: $0) } ?? model.entities
        let attributes = Set(entities.flatMap { $0.attributes.filter { !$0.isTransient }.map(\.name) })
        let relationships = Set(entities.flatMap { $0.relationships.filter { !$0.isTransient }.map(\.name) })
        names = [attributes, relationships.subtracting(attributes)].flatMap {
            $0.sorted { $0.precedesByCodePoint($1) }
        }
    }

    var rowColumns: [RowColumn] { (["id", "entity"] + names).map { RowColumn(title: $0) } }

    /// Prints an object.
    func write(_ record: Record, to printer: RowPrinter) throws {
        if printer.format == .json || printer.format == .jsonl {
            return try printer.write([], object: record.json)
        }
        let values = names.map { record.attributes[$0] ?? record.relationships[$0] ?? .null }
        try printer.write([.string(record.identifier), .string(record.entity)] + values)
    }
}
