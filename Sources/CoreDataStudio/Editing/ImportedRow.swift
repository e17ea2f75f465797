import CoreData
import Foundation

/// The values of a record, by the paths of the properties that they are for.
struct ImportedRow {
    /// What tells whether the object is there already.
    struct Key {
        let value: NSObject
        /// The value as it is in the file.
        let text: String
    }

    /// The record's place in the file, from 0 on. Several can be in one line.
    let number: Int
    /// The line that the record begins in.
    let line: Int
    var values: [(path: String, value: Any?)] = []
    var key: Key?
}

/// The objects that are there already, by the value of the import's key.
struct KnownObjects {
    private(set) var objects: [NSObject: NSManagedObject] = [:]
    /// The values that several objects have.
    private var ambiguous: Set<NSObject> = []
    private let entity: String
    private let column: ImportedColumn?

    init(_ rows: [ImportedRow], _ plan: ImportPlan, _ columns: [ImportedColumn], _ changes: StagedChanges) throws {
        entity = plan.entity
        column = columns.first { $0.title == plan.key }
        guard let key = column?.path else { return }
        let values = Array(Set(rows.compactMap(\.key?.value)))
        for start in stride(from: 0, to: values.count, by: 500) {
            let request = NSFetchRequest<NSManagedObject>(entityName: plan.entity)
            request.predicate = NSPredicate(
                format: "%K IN %@", argumentArray: [key, Array(values[start..<min(start + 500, values.count)])])
            for object in try changes.context.fetch(request) {
                guard let value = object.value(forKeyPath: key) as? NSObject else { continue }
                if objects.updateValue(object, forKey: value) != nil { ambiguous.insert(value) }
            }
        }
    }

    /// Why a row can't be imported: one can't tell which object it is about.
    func problem(_ row: ImportedRow) -> ImportProblem? {
        guard let column, let key = row.key, ambiguous.contains(key.value) else { return nil }
        return column.problem("There are several \(entity) with the \(column.path) “\(key.text.prefix(60))”.")
    }
}
