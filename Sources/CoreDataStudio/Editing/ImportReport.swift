/// What comes of an import: how many objects are made and changed, and which records can't be imported.
struct ImportReport {
    /// As many errors as are listed.
    private static let mostErrors = 200

    private(set) var created = 0
    private(set) var updated = 0
    /// How many records have errors.
    private(set) var failed = 0
    private var errors: [(line: Int, problem: ImportProblem)] = []

    /// Counts a record that can't be imported.
    mutating func note(_ problem: ImportProblem, _ line: Int) {
        failed += 1
        if errors.count < Self.mostErrors { errors.append((line, problem)) }
    }

    /// The rows without a problem. The others are counted.
    mutating func taking(_ rows: [ImportedRow], _ problem: (ImportedRow) -> ImportProblem?) -> [ImportedRow] {
        rows.filter { row in
            guard let problem = problem(row) else { return true }
            note(problem, row.line)
            return false
        }
    }

    /// Counts the objects of rows. Rows with the same key are one object.
    ///
    /// - Parameter known: The objects that are there already, by the value of the key.
    mutating func count(_ rows: [ImportedRow], _ known: KnownObjects) {
        let keys = Set(rows.compactMap(\.key?.value))
        updated = keys.count { known.objects[$0] != nil }
        created = rows.count { $0.key == nil } + keys.count - updated
    }

    var json: JSON {
        [
            "created": .integer(created), "updated": .integer(updated), "failed": .integer(failed),
            "errors": .array(errors.sorted { $0.line < $1.line }.map { $0.problem.json($0.line) }),
        ]
    }
}
