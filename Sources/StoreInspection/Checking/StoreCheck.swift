import CoreData
import FoundationGaps

/// Verifies a store against its model, without changing it.
///
/// What a store must be follows from the format: each table's rows, keys and entity numbers, each value's storage
/// class, both sides of each relationship, order keys, constraints, and the files and metadata beside them. A store
/// that this framework or Apple's wrote, and that no other program changed, has no findings.
///
/// ```swift
/// let inspection = try StoreInspection(contentsOf: url)
/// for finding in StoreCheck(inspection, model: model).run() { print(finding) }
/// ```
///
/// - Note: For one thread at a time.
package final class StoreCheck {
    let inspection: StoreInspection
    /// Layouts do not keep their entities alive: the model does.
    let model: NSManagedObjectModel?
    /// The model's place in the store's tables; nil without a model.
    private(set) var schema: SQLSchema?
    /// The property list of the store's metadata; empty where there is none.
    var metadata: [String: Any] = [:]
    /// The files that values with external storage name.
    var externalFiles: Set<String> = []

    var connection: SQLiteConnection { inspection.connection }
    var layouts: [EntityLayout] { schema.map { schema in schema.layouts.layouts.filter { schema.contains($0) } } ?? [] }

    private let mostAlike: Int
    private var findings: [StoreFinding] = []
    private var counts: [FindingPlace: Int] = [:]
    private var progress: ((Int, Int) -> Void)?
    private var steps = 0

    /// - Parameters:
    ///   - inspection: The store.
    ///   - model: The model to check against; nil: only what needs no model is checked.
    ///   - mostAlike: How many findings of one kind about one property are listed; of more there is only the number.
    package init(_ inspection: StoreInspection, model: NSManagedObjectModel?, mostAlike: Int = 100) {
        self.inspection = inspection
        self.model = model
        self.mostAlike = mostAlike
    }

    /// Looks at everything, and returns what is wrong.
    ///
    /// - Parameter progress: Told before each step how many are done, and how many there are as far as that is known.
    package func run(progress: ((_ done: Int, _ total: Int) -> Void)? = nil) -> [StoreFinding] {
        self.progress = progress
        defer { self.progress = nil }
        steps = 0
        findings = []
        counts = [:]
        externalFiles = []
        section("the file", checkFile)
        section("the metadata", checkMetadata)
        section("Z_PRIMARYKEY") { schema = try fittedSchema() }
        section("the model’s hashes", checkHashes)
        section("Z_PRIMARYKEY", checkEntities)
        section("the tables", checkTables)
        for layout in layouts where hasTable(layout) {
            if layout.parent == nil { section(table(of: layout), { try checkRows(of: layout) }) }
            section(table(of: layout)) { try checkValues(of: layout) }
            section(table(of: layout)) { try checkToOnes(of: layout) }
            section(table(of: layout)) { try checkToManys(of: layout) }
            section(table(of: layout)) { try checkUniqueness(of: layout) }
        }
        section("the external files", checkExternalFiles)
        section("the history", checkHistory)
        summarize()
        return findings
    }

    /// Entities that neither `Z_PRIMARYKEY` nor the metadata knows belong to another configuration's store.
    private func fittedSchema() throws -> SQLSchema? {
        guard let model else { return nil }
        let layouts = model.seal()
        let tables = try SQLiteTables.read(connection)
        let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Any] ?? [:]
        let here = layouts.layouts.filter { layout in
            let names = [layout.name, layout.entity.renamingIdentifier].compactMap { $0 }
            return hashes[layout.name] != nil || names.contains { tables.numbers[$0] != nil }
        }
        // Where nothing is known of any entity, all are missing.
        let names = here.isEmpty ? nil : Set(here.map(\.name))
        return SQLSchema.fitted(to: tables.columns, numbers: tables.numbers, layouts: layouts, entities: names)
    }

    // MARK: Findings

    /// Notes what is wrong.
    func report(
        _ kind: StoreFinding.Kind, table: String? = nil, entity: String? = nil, key: Int64? = nil,
        property: String? = nil, _ message: String
    ) {
        let place = FindingPlace(kind: kind, table: table, entity: entity, property: property)
        counts[place, default: 0] += 1
        guard counts[place, default: 0] <= mostAlike else { return }
        findings.append(
            StoreFinding(kind, table: table, entity: entity, key: key, property: property, message))
    }

    private func summarize() {
        for (place, count) in counts where count > mostAlike {
            findings.append(
                StoreFinding(
                    place.kind, table: place.table, entity: place.entity, property: place.property,
                    "\(count - mostAlike) more of this kind"))
        }
    }

    /// Runs a part of the check. What SQLite can't read of a damaged file ends the part, not the check.
    private func section(_ what: String, _ body: () throws -> Void) {
        progress?(steps, 8 + layouts.count * 5)
        steps += 1
        do {
            try body()
        } catch let error as SQLiteError {
            report(.damagedFile, "\(what) can’t be read: \(error.message)")
        } catch {
            report(.damagedFile, "\(what) can’t be read: \(error.localizedDescription)")
        }
    }

    // MARK: Helpers of all parts

    /// Visits the rows of a query.
    func forEachRow(_ sql: String, _ body: (SQLiteStatement) throws -> Void) throws {
        let statement = try SQLiteStatement(sql, on: connection)
        while try statement.step() { try body(statement) }
    }

    func table(of layout: EntityLayout) -> String { schema?.table(of: layout).name ?? "" }

    func hasTable(_ layout: EntityLayout) -> Bool { inspection.columns[table(of: layout)] != nil }

    /// The `Z_ENT` of an entity and all below it, for a list in SQL.
    func numbers(of layout: EntityLayout) -> String {
        layout.selfAndDescendants.filter { schema?.contains($0) ?? false }.compactMap { schema?.number(of: $0) }
            .map(String.init).joined(separator: ", ")
    }

    /// The name of the entity with this `Z_ENT`.
    func name(ofEntity number: Int64) -> String? { schema?.layout(numbered: number)?.name }

    /// The properties that the entity declares itself.
    func ownSlots(of layout: EntityLayout) -> ArraySlice<PropertySlot> {
        layout.slots[(layout.parent?.slots.count ?? 0)...]
    }
}

/// What findings have in common that are counted together.
private struct FindingPlace: Hashable {
    let kind: StoreFinding.Kind
    let table: String?
    let entity: String?
    let property: String?
}
