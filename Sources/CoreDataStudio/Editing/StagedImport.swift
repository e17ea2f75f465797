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
    /// As many errors as are listed.
    private static let mostErrors = 200

    private let changes: StagedChanges
    private let plan: ImportPlan
    private let entity: NSEntityDescription
    private let columns: [ImportedColumn]

    /// - Throws: `ToolFailure`, `invalidEdit` for a plan that does not fit the model.
    init(_ plan: ImportPlan, _ changes: StagedChanges) throws {
        (self.plan, self.changes) = (plan, changes)
        entity = try changes.session.entity(named: plan.entity)
        if entity.isAbstract {
            throw StudioError(.invalidEdit, "\(plan.entity) is abstract. Import objects of one of its subentities.")
        }
        columns = try plan.columns.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
            .map { [entity] in try ImportedColumn($0.key, $0.value, of: entity) }
        let paths = columns.map(\.path)
        if let twice = paths.first(where: { path in paths.count { $0 == path } > 1 }) {
            throw StudioError(.invalidEdit, "Two columns are for \(twice).")
        }
        if let key = plan.key, !columns.contains(where: { $0.title == key && $0.isAttribute }) {
            throw StudioError(.invalidEdit, "“\(key)” can't tell objects apart: it is for no attribute.")
        }
    }

    /// What came of an import.
    struct Report {
        var created = 0
        var updated = 0
        var failed = 0
        var errors: [JSON] = []

        var json: JSON {
            [
                "created": .integer(created), "updated": .integer(updated), "failed": .integer(failed),
                "errors": .array(errors),
            ]
        }
    }

    /// - Parameter told: Called with the number of records that were read.
    /// - Throws: `ToolFailure` for a file that can't be read to its end; nothing is changed then.
    func carryOut(_ file: ImportFile, told: (Int) -> Void) throws -> Report {
        var report = Report()
        var rows: [ImportedRow] = []
        var destinations = DestinationFinder(changes)
        try file.forEach { _, record in
            guard rows.count + report.failed < Self.most else {
                throw StudioError(
                    .tooLarge, "The file has more than \(Self.most) records. `coredata import` takes any number.")
            }
            do {
                rows.append(try row(record, &destinations))
            } catch let problem as ImportProblem {
                report.failed += 1
                if report.errors.count < Self.mostErrors { report.errors.append(problem.json(record.line)) }
            }
            if (rows.count + report.failed) % 1_000 == 0 { told(rows.count + report.failed) }
            return true
        }
        let known = try knownObjects(rows)
        report.updated = rows.count { $0.key.flatMap { known[$0] } != nil }
        report.created = rows.count - report.updated
        if plan.isTrial == true || report.failed > 0 && plan.skipsErrors != true { return report }
        changes.record("Import \(plan.entity)") { stage(rows, known) }
        return report
    }

    private func row(_ record: ImportRecord, _ destinations: inout DestinationFinder) throws -> ImportedRow {
        var row = ImportedRow()
        for column in columns {
            guard let text = record.values[column.title] else { continue }
            let value = try column.value(text, &destinations)
            row.values.append((column.path, value))
            guard column.title == plan.key else { continue }
            guard let key = value as? NSObject else {
                throw ImportProblem(column: column.title, reason: "The key has no value.")
            }
            row.key = key
        }
        return row
    }

    /// The objects that are there already, by the value of the key.
    private func knownObjects(_ rows: [ImportedRow]) throws -> [NSObject: NSManagedObject] {
        guard let key = columns.first(where: { $0.title == plan.key })?.path else { return [:] }
        var known: [NSObject: NSManagedObject] = [:]
        let values = Array(Set(rows.compactMap(\.key)))
        for start in stride(from: 0, to: values.count, by: 500) {
            let request = NSFetchRequest<NSManagedObject>(entityName: plan.entity)
            request.predicate = NSPredicate(
                format: "%K IN %@", argumentArray: [key, Array(values[start..<min(start + 500, values.count)])])
            for object in try changes.context.fetch(request) {
                if let value = object.value(forKeyPath: key) as? NSObject { known[value] = object }
            }
        }
        return known
    }

    private func stage(_ rows: [ImportedRow], _ known: [NSObject: NSManagedObject]) {
        var known = known
        for row in rows {
            let found = row.key.flatMap { known[$0] }
            let object = found ?? NSManagedObject(entity: entity, insertInto: changes.context)
            if let key = row.key { known[key] = object }
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

/// The values of a record, by the paths of the properties that they are for.
private struct ImportedRow {
    var values: [(path: String, value: Any?)] = []
    /// What tells whether the object is there already.
    var key: NSObject?
}

/// Why a record can't be imported.
private struct ImportProblem: Error {
    let column: String
    let reason: String

    func json(_ line: Int) -> JSON {
        ["line": .integer(line), "column": .text(column), "message": .text(reason)]
    }
}

/// A column, and the property that its texts are values of.
private struct ImportedColumn {
    let title: String
    /// The attribute's path, or the relationship's name.
    let path: String
    private let attribute: NSAttributeDescription
    /// The relationship that leads to the objects with the attribute.
    private let relationship: NSRelationshipDescription?

    var isAttribute: Bool { relationship == nil }

    init(_ title: String, _ path: String, of entity: NSEntityDescription) throws {
        self.title = title
        let keys = path.split(separator: ".").map(String.init)
        if let relationship = entity.relationshipsByName[keys.first ?? ""] {
            guard !relationship.isToMany, keys.count == 2, let destination = relationship.destinationEntity else {
                throw StudioError(
                    .invalidEdit, "“\(title)” can't be for \(path): only a to-one with an attribute can be imported.")
            }
            self.path = relationship.name
            self.relationship = relationship
            attribute = try destination.attribute(at: keys[1])
        } else {
            self.path = path
            relationship = nil
            attribute = try entity.editableAttribute(path)
        }
    }

    /// The value of a text; nil for none.
    func value(_ text: String?, _ destinations: inout DestinationFinder) throws -> Any? {
        guard let text else { return nil }
        let value: Any?
        do {
            value = try EditedValue(.text(text), attribute, path).object
        } catch let error as StudioError {
            throw ImportProblem(column: title, reason: error.message)
        }
        guard let relationship else { return value }
        let name = relationship.destinationEntity?.name ?? ""
        guard let found = try destinations.object(name, attribute.name, value) else {
            throw ImportProblem(column: title, reason: "There is no \(name) with the \(attribute.name) “\(text)”.")
        }
        return found
    }
}

/// Finds the objects that relationships lead to, each value once.
private struct DestinationFinder {
    private struct Wanted: Hashable {
        let entity: String
        let attribute: String
        let value: NSObject
    }

    private let changes: StagedChanges
    private var known: [Wanted: NSManagedObject?] = [:]

    init(_ changes: StagedChanges) { self.changes = changes }

    mutating func object(_ entity: String, _ attribute: String, _ value: Any?) throws -> NSManagedObject? {
        guard let value = value as? NSObject ?? (value as AnyObject?) as? NSObject else { return nil }
        let wanted = Wanted(entity: entity, attribute: attribute, value: value)
        if let found = known[wanted] { return found }
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: "%K == %@", argumentArray: [attribute, value])
        request.fetchLimit = 1
        let found = try changes.context.fetch(request).first
        known[wanted] = .some(found)
        return found
    }
}
