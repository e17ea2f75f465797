import Foundation

/// The entities of a binary store's file, and what they are in the model.
struct BinaryTables {
    struct Table {
        let layout: EntityLayout
        /// In the order in which the file has their values.
        let slots: [PropertySlot]
    }

    let tables: [Table]
    /// The highest key of each tree that was given, by the number of its root.
    private(set) var lastKeys: [Int32: Int64] = [:]

    /// - Throws: ``DamagedStore``, also for what the model does not have.
    init(_ reader: ByteReader, _ model: ModelLayout) throws {
        var reader = reader
        var tables: [Table] = []
        for _ in 0..<(try reader.count(ofAtLeast: 16)) {
            let name = try reader.text()
            let lastKey = try reader.number(Int64.self)
            guard let layout = model.layout(named: name) else {
                throw DamagedStore("It has the entity \(name), which the model does not have.")
            }
            if layout.parent == nil, lastKey > 0 { lastKeys[layout.number] = lastKey }
            tables.append(Table(layout: layout, slots: try Self.slots(of: layout, &reader)))
        }
        guard reader.isAtEnd else { throw DamagedStore("The part ENTS is longer than its entities.") }
        self.tables = tables
    }

    private static func slots(of layout: EntityLayout, _ reader: inout ByteReader) throws -> [PropertySlot] {
        try (0..<(try reader.count(ofAtLeast: 8))).map { _ in
            let (name, kind) = (try reader.text(), try reader.text())
            guard let slot = layout.slot(named: name), slot.isStoredInRow, "\(slot.kind)" == kind else {
                throw DamagedStore("It has \(layout.name).\(name) of the type \(kind), which the model does not have.")
            }
            return slot
        }
    }

    func table(_ place: UInt32) throws -> Table {
        guard place < tables.count else { throw DamagedStore("An object is of an entity that the file does not have.") }
        return tables[Int(place)]
    }
}
