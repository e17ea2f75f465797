import CSQLite
import CoreData
import Foundation
import StoreBrowsing

/// Writes the objects of a store as lines, straight from the columns of its rows: the same bytes as a `Record` that a
/// `RowPrinter` prints, without a string or a dictionary for each.
final class RecordStream {
    private let exporter: RecordExporter
    private let columns: [String]
    private let writer: FieldWriter
    private let format: RowFormat

    /// - Parameter columns: The names of the properties that lines of CSV and TSV have.
    /// - Returns: nil for formats that wait for all rows, and for entities with names that no format has as they are.
    init?(_ exporter: RecordExporter, columns: [String], format: RowFormat, isExact: Bool) {
        switch format {
        case .csv: writer = FieldWriter(.csv(CSV(isExact: isExact)))
        case .tsv: writer = FieldWriter(.tsv)
        case .json, .jsonl: writer = FieldWriter(.json)
        case .table, .markdown, .sqlite: return nil
        }
        let letters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_".utf8)
        guard exporter.kindNames.allSatisfy({ $0.utf8.allSatisfy(letters.contains) }) else { return nil }
        self.exporter = exporter
        self.columns = columns
        self.format = format
    }

    // MARK: The plan of a line

    /// How the value of a property is found in a row.
    private enum Source {
        case key
        /// There is no value.
        case null
        /// The column, and what its numbers mean.
        case column(Int32, SlotKind)
        /// The position in the plan's list.
        case reference(Int)
        /// As ``RecordExporter`` has it.
        case other(Int)
    }

    /// What a relationship leads to.
    private struct Reference {
        let slot: PropertySlot
        let column: Int32?
        let destination: String
        let kinds: RowKinds
        let members: RowMembers?
        let isOrdered: Bool
    }

    /// A value of a line, and where the text before it ends. It refers to nothing, so that a copy costs nothing.
    private struct Item {
        let leadEnd: Int
        let source: Source
    }

    private struct Plan {
        let layout: EntityLayout
        let stored: [PropertySlot]
        var items: [Item] = []
        /// The texts before the values, and the one behind the last, one behind the other.
        var leads: [UInt8] = []
        var references: [Reference] = []
        var others: [PropertySlot] = []

        mutating func add(_ lead: String, _ source: Source) {
            leads += lead.utf8
            items.append(Item(leadEnd: leads.count, source: source))
        }
    }

    private func plan(_ rows: RecordExporter.EntityRows) throws -> Plan {
        var plan = Plan(layout: rows.layout, stored: rows.stored)
        let slots = rows.layout.shownSlots
        let name = rows.layout.name
        if !writer.isJSON {
            let separator = format == .csv ? "," : "\t"
            plan.add("\(name)/p", .key)
            for (index, column) in columns.enumerated() {
                // An attribute comes before a relationship of the same name.
                let slot =
                    slots.first { $0.name == column && !$0.kind.isRelationship } ?? slots.first { $0.name == column }
                let lead = index == 0 ? separator + name + separator : separator
                plan.add(lead, try slot.map { try source($0, rows, &plan) } ?? .null)
            }
            plan.leads += ((columns.isEmpty ? separator + name : "") + (format == .csv ? "\r\n" : "\n")).utf8
            return plan
        }
        let json = JSONWriter(layout: .compact)
        var lead = "{\"attributes\":{"
        func add(_ slots: [PropertySlot]) throws {
            let sorted = slots.sorted { $0.name.precedesByCodePoint($1.name) }
            for (index, slot) in sorted.enumerated() {
                lead += (index == 0 ? "" : ",") + json.string(.string(slot.name)) + ":"
                plan.add(lead, try source(slot, rows, &plan))
                lead = ""
            }
        }
        try add(slots.filter { !$0.kind.isRelationship })
        lead += "},\"entity\":\"\(name)\",\"id\":\"\(name)/p"
        plan.add(lead, .key)
        lead = "\",\"relationships\":{"
        try add(slots.filter { $0.kind.isRelationship })
        plan.leads += (lead + "}}" + (format == .jsonl ? "\n" : "")).utf8
        return plan
    }

    private func source(
        _ slot: PropertySlot, _ rows: RecordExporter.EntityRows, _ plan: inout Plan
    ) throws -> Source {
        func other() -> Source {
            plan.others.append(slot)
            return .other(plan.others.count - 1)
        }
        let column = rows.stored.firstIndex { $0.index == slot.index }.map { Int32($0 + 1) }
        if slot.kind.isRelationship {
            guard let (destination, kinds, members, isOrdered) = try exporter.partners(of: slot, rows.layout) else {
                return other()
            }
            plan.references.append(
                Reference(
                    slot: slot, column: column, destination: destination, kinds: kinds, members: members,
                    isOrdered: isOrdered))
            return .reference(plan.references.count - 1)
        }
        if slot.kind == .composite || slot.isExternal { return other() }
        guard let column else { return .null }
        return exporter.renderer.isPlain(slot.kind) ? .column(column, slot.kind) : other()
    }

    // MARK: Writing

    /// Writes the objects of exactly one entity.
    ///
    /// - Parameters:
    ///   - keys: The keys of the only objects to write; nil: all.
    ///   - most: How many rows to read at most; nil: all.
    ///   - progress: Told of each row.
    func write(
        _ entity: String, keys: Set<Int64>?, most: Int? = nil, to printer: RowPrinter, progress: ProgressBar?
    ) throws {
        guard let rows = exporter.rows(of: entity) else { return }
        let plan = try plan(rows)
        try exporter.inspection.forEachRow(
            of: rows.table, number: rows.number, columns: rows.columns, most: most
        ) { row in
            progress?.advance()
            let key = sqlite3_column_int64(row, 0)
            if let keys, !keys.contains(key) { return }
            try printer.writeLine { out in try write(row, key, plan, &out) }
        }
    }

    private func write(_ row: OpaquePointer, _ key: Int64, _ plan: Plan, _ out: inout ByteBuffer) throws {
        try plan.leads.withUnsafeBytes { leads in
            var start = 0
            for item in plan.items {
                out.append(UnsafeRawBufferPointer(rebasing: leads[start..<item.leadEnd]))
                start = item.leadEnd
                switch item.source {
                case .key: out.append(key)
                case .null: writer.null(&out)
                case .column(let column, let kind): write(row, column, kind, &out)
                case .reference(let index): write(plan.references[index], row, key, plan.layout, &out)
                case .other(let index):
                    writer.value(try exporter.value(plan.others[index], plan.layout, values(row, plan), key), &out)
                }
            }
            out.append(UnsafeRawBufferPointer(rebasing: leads[start...]))
        }
    }

    /// All values of a row, by slot.
    private func values(_ row: OpaquePointer, _ plan: Plan) -> [SQLValue] {
        var values = [SQLValue](repeating: .null, count: plan.layout.slots.count)
        for (index, slot) in plan.stored.enumerated() { values[slot.index] = SQLValue(row: row, Int32(index + 1)) }
        return values
    }

    /// A value by its storage class, and by the attribute's type where that has a form of its own.
    private func write(_ row: OpaquePointer, _ column: Int32, _ kind: SlotKind, _ out: inout ByteBuffer) {
        switch sqlite3_column_type(row, column) {
        case SQLITE_NULL: writer.null(&out)
        case SQLITE_INTEGER:
            let number = sqlite3_column_int64(row, column)
            switch kind {
            case .boolean: writer.bool(number != 0, &out)
            case .string, .uri, .decimal:
                writer.mark(&out)
                out.append(number)
                writer.mark(&out)
            case .date:
                if number.magnitude < 1 << 36, writer.date(milliseconds: number * 1000, &out) { return }
                other(row, column, kind, &out)
            default: out.append(number)
            }
        case SQLITE_FLOAT:
            let number = sqlite3_column_double(row, column)
            switch kind {
            case .date: if !writer.date(number, &out) { other(row, column, kind, &out) }
            case .boolean: writer.bool(number != 0, &out)
            case .string, .uri, .decimal: other(row, column, kind, &out)
            default: if number.isFinite { out.append(number) } else { other(row, column, kind, &out) }
            }
        case SQLITE_TEXT where kind != .decimal && kind != .binary && kind != .transformable:
            let start = sqlite3_column_text(row, column)
            writer.text(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(row, column))), &out)
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(row, column)
            let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(row, column)))
            guard kind == .uuid, bytes.count == 16 else { return writer.base64(bytes, &out) }
            writer.mark(&out)
            out.append(uuid: bytes)
            writer.mark(&out)
        default: other(row, column, kind, &out)
        }
    }

    private func other(_ row: OpaquePointer, _ column: Int32, _ kind: SlotKind, _ out: inout ByteBuffer) {
        writer.value(SQLValue(row: row, column).json(as: kind.type, dates: exporter.renderer.dates), &out)
    }

    // MARK: Relationships

    private func write(
        _ reference: Reference, _ row: OpaquePointer, _ key: Int64, _ layout: EntityLayout, _ out: inout ByteBuffer
    ) {
        let isToMany = reference.slot.kind.isToMany
        var count = 0
        if isToMany, writer.isJSON { out.append(UInt8(ascii: "[")) }
        if let column = reference.column, sqlite3_column_type(row, column) == SQLITE_INTEGER {
            let target = sqlite3_column_int64(row, column)
            let kind = kind(target, reference, key, layout)
            if kind > 0 { write(kind, target, &count, &out) }
        } else if let members = reference.members?[key], !members.isEmpty {
            var (first, isMixed): (UInt16, Bool) = (0, false)
            for target in members {
                let kind = kind(target, reference, key, layout)
                if first == 0 { first = kind } else if kind > 0, kind != first { isMixed = true }
            }
            if isMixed, !reference.isOrdered {
                let found = members.map { (kind: reference.kinds[$0], key: $0) }.filter { $0.kind > 0 }
                let sorted = found.sorted {
                    $0.kind == $1.kind
                        ? $0.key < $1.key
                        : exporter.name(ofKind: $0.kind).precedesByCodePoint(exporter.name(ofKind: $1.kind))
                }
                for (kind, target) in sorted where isToMany || count == 0 { write(kind, target, &count, &out) }
            } else {
                for target in members where isToMany || count == 0 {
                    let kind = reference.kinds[target]
                    if kind > 0 { write(kind, target, &count, &out) }
                }
            }
        }
        if isToMany, writer.isJSON { out.append(UInt8(ascii: "]")) }
        if !isToMany, count == 0 { writer.null(&out) }
    }

    /// The number of the entity of a destination; a missing one is told, and 0.
    private func kind(_ target: Int64, _ reference: Reference, _ key: Int64, _ layout: EntityLayout) -> UInt16 {
        let kind = reference.kinds[target]
        if kind == 0 {
            exporter.warnMissing(target, reference.destination, "\(layout.name)/p\(key).\(reference.slot.name)")
        }
        return kind
    }

    private func write(_ kind: UInt16, _ target: Int64, _ count: inout Int, _ out: inout ByteBuffer) {
        if count > 0 { out.append(UInt8(ascii: writer.isJSON ? "," : " ")) }
        count += 1
        writer.mark(&out)
        out.append(exporter.identifierLeads[Int(kind)])
        out.append(target)
        writer.mark(&out)
    }
}

extension SQLValue {
    /// A column of a row.
    fileprivate init(row: OpaquePointer, _ column: Int32) {
        switch sqlite3_column_type(row, column) {
        case SQLITE_INTEGER: self = .int(sqlite3_column_int64(row, column))
        case SQLITE_FLOAT: self = .double(sqlite3_column_double(row, column))
        case SQLITE_TEXT:
            let start = sqlite3_column_text(row, column)
            let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(row, column)))
            self = .text(String(decoding: bytes, as: UTF8.self))
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(row, column)
            self = .blob(Data(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(row, column)))))
        default: self = .null
        }
    }

    static func base64(_ bytes: UnsafeRawBufferPointer) -> String { Data(bytes).base64EncodedString() }
}
