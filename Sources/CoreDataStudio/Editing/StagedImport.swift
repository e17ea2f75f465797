import CoreData
import Foundation
import StoreBrowsing
import StoreImporting

/// How the records of a file become objects.
struct ImportPlan: Sendable, Decodable {
    var entity: String
    /// What each column is for, by its title: an attribute, or a to-one relationship with an attribute of its
    /// destination, such as `team.name`. A column without one is left out.
    var columns: [String: String]
    /// The column that tells which objects are there already; they are changed.
    var key: String?
    /// Whether records with errors are passed over. Without it, one error keeps all from being imported.
    var skipsErrors: Bool?
    /// Whether nothing is changed: one wants to know what would be.
    var isTrial: Bool?
}

/// Makes objects of a file's records, in the changes that are not saved.
struct StagedImport {
    /// As many records as one import takes: all are in memory until they are saved.
    static let most = 100_000

    private let changes: StagedChanges
    private let plan: ImportPlan
    private let entity: NSEntityDescription
    private let columns: [ImportedColumn]
    /// What checks values; it is in no context.
    private let sample: NSManagedObject

    /// - Throws: `ToolFailure`, `invalidEdit` for a plan that does not fit the model.
    init(_ plan: ImportPlan, _ changes: StagedChanges) throws {
        (self.plan, self.changes) = (plan, changes)
        entity = try changes.session.entity(named: plan.entity)
        if entity.isAbstract {
            throw StudioError(.invalidEdit, "\(plan.entity) is abstract. Import objects of one of its subentities.")
        }
        columns = try plan.columns.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
            .map { [entity] in try ImportedColumn($0.key, $0.value, of: entity) }
        sample = NSManagedObject(entity: entity, insertInto: nil)
        let paths = columns.map(\.path)
        if let twice = paths.first(where: { path in paths.count { $0 == path } > 1 }) {
            throw StudioError(.invalidEdit, "Two columns are for \(twice).")
        }
        if let key = plan.key, !columns.contains(where: { $0.title == key && $0.isAttribute }) {
            throw StudioError(.invalidEdit, "“\(key)” can't tell objects apart: it is for no attribute.")
        }
    }

    /// - Parameter told: Called with the number of records that were read.
    /// - Throws: `ToolFailure` for a file that can't be read to its end; nothing is changed then.
    func carryOut(_ file: ImportFile, told: (Int) -> Void) throws -> ImportReport {
        var report = ImportReport()
        var rows = try read(file, &report, told)
        let known = try KnownObjects(rows, plan, columns, changes)
        rows = report.taking(rows, known.problem)
        let constraints = try ImportConstraints(rows, known, columns, entity, changes)
        rows = report.taking(rows, constraints.problem)
        report.count(rows, known)
        if plan.isTrial == true || report.failed > 0 && plan.skipsErrors != true { return report }
        changes.record("Import \(plan.entity)") { stage(rows, known.objects) }
        return report
    }

    private func read(_ file: ImportFile, _ report: inout ImportReport, _ told: (Int) -> Void) throws -> [ImportedRow] {
        var rows: [ImportedRow] = []
        var destinations = DestinationFinder(changes)
        try file.forEach { _, record in
            guard rows.count + report.failed < Self.most else {
                throw StudioError(
                    .tooLarge, "The file has more than \(Self.most) records. `coredata import` takes any number.")
            }
            do {
                rows.append(try row(record, rows.count + report.failed, &destinations))
            } catch let problem as ImportProblem {
                report.note(problem, record.line)
            }
            if (rows.count + report.failed) % 1_000 == 0 { told(rows.count + report.failed) }
            return true
        }
        return rows
    }

    /// - Throws: `ImportProblem` for a value that the model forbids in itself.
    private func row(
        _ record: ImportRecord, _ number: Int, _ destinations: inout DestinationFinder
    ) throws -> ImportedRow {
        var row = ImportedRow(number: number, line: record.line)
        for column in columns {
            guard let text = record.values[column.title] else { continue }
            let value = try column.value(text, &destinations)
            try column.check(value, for: sample)
            row.values.append((column.path, value))
            guard column.title == plan.key else { continue }
            guard let text, let key = value as? NSObject else { throw column.problem("The key has no value.") }
            row.key = ImportedRow.Key(value: key, text: text)
        }
        return row
    }

    private func stage(_ rows: [ImportedRow], _ known: [NSObject: NSManagedObject]) {
        var known = known
        for row in rows {
            let found = row.key.flatMap { known[$0.value] }
            let object = found ?? NSManagedObject(entity: entity, insertInto: changes.context)
            if let key = row.key { known[key.value] = object }
            for (path, value) in row.values {
                if let destination = value as? NSManagedObject {
                    object.setValue(destination, forKey: path)
                } else {
                    object.set(value, at: path)
                }
            }
        }
    }
}
