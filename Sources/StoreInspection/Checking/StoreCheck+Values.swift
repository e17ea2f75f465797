import CSQLite
import CoreData
import FoundationGaps

/// The values of attributes.
extension StoreCheck {
    /// Looks at every value of the rows of exactly this entity.
    func checkValues(of layout: EntityLayout) throws {
        guard let schema, let number = schema.number(of: layout) else { return }
        let columns = layout.slots.compactMap { slot -> (slot: PropertySlot, name: String)? in
            guard slot.kind.isAttribute, let column = schema.column(of: layout, slot: slot.index) else { return nil }
            return (slot, column.name)
        }
        guard !columns.isEmpty else { return }
        let list = columns.map(\.name.quotedForSQL).joined(separator: ", ")
        let sql = "SELECT Z_PK, \(list) FROM \(table(of: layout).quotedForSQL) WHERE Z_ENT = \(number) ORDER BY Z_PK"
        try forEachRow(sql) { row in
            for (index, column) in columns.enumerated() {
                check(StoredCell(row, Int32(index + 1), column.slot), key: row.int(0), layout)
            }
        }
    }

    private func check(_ cell: StoredCell, key: Int64, _ layout: EntityLayout) {
        let slot = cell.slot
        func report(_ kind: StoreFinding.Kind, _ message: String) {
            self.report(
                kind, table: table(of: layout), entity: layout.name, key: key, property: slot.name, message)
        }
        if cell.isNull {
            if slot.mustHaveValue { report(.requiredValue, "is NULL, but required") }
            return
        }
        if let problem = cell.storageProblem { return report(.valueType, problem) }
        if let problem = cell.rangeProblem { return report(.valueRange, problem) }
        if slot.isExternal { return checkExternal(cell.data, report) }
        guard slot.hasPredicates, let value = cell.boxed else { return }
        for rule in slot.property.validationPredicates.compactMap({ ValidationRule($0, of: slot.kind) }) {
            guard rule.holds(for: value) == false else { continue }
            report(.validationRule, "\(cell.quoted) breaks the rule \(rule.predicate.formatText)")
        }
    }

    // MARK: External storage

    private func checkExternal(_ raw: Data, _ report: (StoreFinding.Kind, String) -> Void) {
        switch raw.first {
        case 1: return
        case 2:
            guard let name = ExternalFiles.fileName(in: raw) else {
                return report(.externalRecord, "the name of its external file is none")
            }
            externalFiles.insert(name)
            let file = ExternalFiles.folder(of: inspection.url).appendingPathComponent(name)
            if !FileManager.default.fileExists(atPath: file.path) {
                report(.missingExternalFile, "its external file \(name) is missing")
            }
        case let lead?: report(.externalRecord, "the leading byte is \(lead) instead of 1 or 2")
        case nil: report(.externalRecord, "there is no leading byte")
        }
    }

    /// Files that no value names. They may be those of a store whose name differs by its extension alone.
    func checkExternalFiles() {
        if (try? ExternalFiles.sharesFolder(inspection.url)) ?? true { return }
        guard layouts.contains(where: { $0.slots.contains(where: \.isExternal) }) else { return }
        let folder = ExternalFiles.folder(of: inspection.url)
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for file in files.sorted() where !externalFiles.contains(file) {
            report(.orphanedExternalFile, "no value names the file \(file) in \(folder.lastPathComponent)")
        }
    }
}

extension PropertySlot {
    /// Whether a row without a value is wrong. An element may be missing with its whole composite; derived values are
    /// the triggers' business.
    fileprivate var mustHaveValue: Bool {
        !isOptional && !name.contains(".") && !(property is NSDerivedAttributeDescription)
    }
}

/// A value of an attribute as a row has it.
private struct StoredCell {
    let row: SQLiteStatement
    let column: Int32
    let slot: PropertySlot
    private let type: Int32

    init(_ row: SQLiteStatement, _ column: Int32, _ slot: PropertySlot) {
        (self.row, self.column, self.slot) = (row, column, slot)
        type = row.type(column)
    }

    var isNull: Bool { type == SQLITE_NULL }
    var data: Data { Data(row.blobBytes(column)) }
    var text: String { String(decoding: row.textBytes(column), as: UTF8.self) }

    /// The value in a sentence.
    var quoted: String {
        switch type {
        case SQLITE_TEXT: text.count > 40 ? "“\(text.prefix(40))…”" : "“\(text)”"
        case SQLITE_BLOB: "a blob of \(row.blobBytes(column).count) bytes"
        default: text
        }
    }

    /// What is wrong with the storage class, if anything is.
    var storageProblem: String? {
        switch slot.kind {
        case .int16, .int32, .int64, .boolean: expect("an integer", type == SQLITE_INTEGER)
        case .double, .float, .date: expect("a number", type == SQLITE_FLOAT || type == SQLITE_INTEGER)
        case .decimal: expect("a number", isDecimal)
        case .string, .uri, .objectID: textProblem
        case .uuid: expect("16 bytes", type == SQLITE_BLOB && row.blobBytes(column).count == 16)
        case .binary, .transformable: expect("a blob", type == SQLITE_BLOB)
        case .undefined, .composite, .toOne, .toMany, .orderedToMany, .fetched: nil
        }
    }

    private func expect(_ what: String, _ isRight: Bool) -> String? {
        isRight ? nil : "\(storageClass) \(quoted) is stored instead of \(what)"
    }

    private var storageClass: String {
        switch type {
        case SQLITE_INTEGER: "the integer"
        case SQLITE_FLOAT: "the number"
        case SQLITE_TEXT: "the text"
        default: ""
        }
    }

    private var textProblem: String? {
        guard type == SQLITE_TEXT else { return expect("a text", false) }
        let isValid = String(validating: row.textBytes(column), as: UTF8.self) != nil
        return isValid ? nil : "the text is no valid UTF-8"
    }

    private var isDecimal: Bool {
        switch type {
        case SQLITE_INTEGER, SQLITE_FLOAT: true
        case SQLITE_TEXT: Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) != nil
        default: false
        }
    }

    /// What is wrong with the size of a number, if anything is.
    var rangeProblem: String? {
        let range: ClosedRange<Int64>
        switch slot.kind {
        case .int16: range = Int64(Int16.min)...Int64(Int16.max)
        case .int32: range = Int64(Int32.min)...Int64(Int32.max)
        case .boolean: range = 0...1
        default: return nil
        }
        let value = row.int(column)
        return range.contains(value) ? nil : "\(value) is outside of \(range.lowerBound)…\(range.upperBound)"
    }

    /// The value as validation sees it; nil where there are no rules for the type.
    var boxed: Any? {
        switch slot.kind {
        case .int16, .int32, .int64, .boolean: NSNumber(value: row.int(column))
        case .double, .float: NSNumber(value: row.double(column))
        case .decimal: NSDecimalNumber(string: text, locale: Locale(identifier: "en_US_POSIX"))
        case .date: Date(timeIntervalSinceReferenceDate: row.double(column))
        case .string: text
        case .uri: URL(string: text)
        case .uuid: UUID(data: data)
        case .binary: data
        default: nil
        }
    }
}

extension UUID {
    fileprivate init?(data: Data) {
        guard data.count == 16 else { return nil }
        let bytes = Array(data)
        self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
