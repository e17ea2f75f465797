import CoreData
import Foundation
import StoreBrowsing
import StoreImporting

/// Inserts the rows of a file into a store, in one transaction or in several.
final class RowImport {
    private let file: InputFile
    private let source: any RowSource
    private let mapping: ImportMapping
    /// How many rows a transaction has at most; nil: all.
    private let batch: Int?
    private let progress: ProgressBar?
    /// How many rows of the file are dealt with; those that were skipped count.
    private(set) var finished = 0
    /// How many rows the present transaction has.
    private var rows = 0
    private var isAtEnd = false
    /// The attributes that a row must have a value of, and may not have one after it was filled.
    private var required: [(slot: Int, name: String)] = []
    private var isPrepared = false

    init(_ file: InputFile, _ source: any RowSource, _ mapping: ImportMapping, batch: Int?) {
        (self.file, self.source, self.mapping, self.batch) = (file, source, mapping, batch)
        progress = file.size.flatMap { ProgressBar("Importing", total: $0) }
    }

    /// Passes over the first rows.
    func skip(_ count: Int) throws {
        while finished < count, !isAtEnd {
            if try source.reader.next() { finished += 1 } else { isAtEnd = true }
        }
    }

    /// Inserts all rows that are left, or updates those that are there.
    ///
    /// - Returns: How many rows were inserted or updated.
    /// - Throws: ``CommandFailure``; the present transaction has changed nothing then.
    func run(in store: LiveStore) throws -> Int {
        defer { progress?.finish() }
        var count = 0
        while !isAtEnd {
            count += try store.perform { try insertBatch($0) }
            finished += rows
        }
        return count
    }

    private func insertBatch(_ context: NSManagedObjectContext) throws -> Int {
        rows = 0
        if !mapping.keys.isEmpty {
            context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        }
        let request = NSBatchInsertRequest(entityName: mapping.entity.name ?? "", rowHandler: fill)
        request.resultType = .count
        do {
            let result = try context.execute(request) as? NSBatchInsertResult
            return result?.result as? Int ?? 0
        } catch let failure as CommandFailure {
            throw failure
        } catch  where rows > 0 && (error as NSError).code == NSManagedObjectConstraintMergeError {
            throw CommandFailure(
                .other, whole: "\(file.name), line \(source.reader.line): \(CommandFailure(error).message)")
        }
    }

    /// Fills the next row.
    ///
    /// - Returns: Whether there is none, in this transaction.
    private func fill(_ row: BatchRowBuilder) throws -> Bool {
        if rows == batch { return true }
        guard try source.reader.next() else {
            isAtEnd = true
            return true
        }
        rows += 1
        if !isPrepared { try prepare(for: row) }
        try source.fill(row)
        for (slot, name) in required where !row.isSet(slot) { throw missing(name) }
        if rows & 1023 == 0, let size = file.size { progress?.advance(to: file.position, of: size) }
        return false
    }

    private func prepare(for row: BatchRowBuilder) throws {
        try source.prepare(for: row)
        for slot in row.layout.slots where !slot.isOptional && slot.isStoredInRow {
            let isDerived = slot.property is NSDerivedAttributeDescription
            if !isDerived, try row.defaultValue(of: slot).isNull { required.append((slot.index, slot.name)) }
        }
        isPrepared = true
    }

    private func missing(_ name: String) -> CommandFailure {
        let entity = mapping.entity.name ?? ""
        let hint =
            mapping.entity.relationshipsByName[name] == nil
            ? "" : " It is a relationship, and an import sets attributes."
        return CommandFailure(
            .other,
            "\(file.name), line \(source.reader.line): \(entity) requires a value for “\(name)”, and there is none.\(hint)"
        )
    }
}
