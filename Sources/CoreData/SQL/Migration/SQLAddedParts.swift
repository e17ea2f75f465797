/// The indexes, triggers and views that an app has made by itself over tables that a migration changes.
///
/// They stay, with the new names of tables and columns. An index goes with a column that it is over, and a trigger with
/// its table. A trigger or a view that needs a name which is gone stops the migration: without it the app would not do
/// what it did, and with it each save would fail.
struct SQLAddedParts {
    /// What goes before the tables change.
    private(set) var removals: [SQLStatement] = []
    /// The statements that make the parts again, in the store's own words.
    private(set) var texts: [String] = []
    /// What goes for good, in a sentence each.
    private(set) var losses: [String] = []
    /// What stands against the migration.
    private(set) var obstacles: [InferenceObstacle] = []
    /// Whether there are triggers or views again, whose names have to be checked.
    private(set) var hasPrograms = false
    private var fates: [String: SQLTableFate] = [:]
    private var columns: [String: [String]] = [:]
    /// The virtual tables that the app made, whose columns are not known.
    private var virtualTables: Set<String> = []

    init() {}

    /// - Parameter fates: What becomes of the tables that change, by their old names.
    init(_ catalogue: SQLStoreCatalogue, _ fates: [String: SQLTableFate]) {
        (self.fates, columns) = (fates, catalogue.columns.mapValues { $0.map(\.name) })
        let virtual = catalogue.virtualTableTexts.filter { !$0.key.hasPrefix("Z_") }
        virtualTables = Set(virtual.keys.map { $0.uppercased() })
        for table in virtual.sorted(by: { $0.key < $1.key }) { check(table.key, table.value) }
        for index in catalogue.indexes where index.isAdded { add(index) }
        let views = affectedViews(catalogue.views)
        let names = Set((fates.keys + views.map(\.name)).map { $0.uppercased() })
        // A trigger may be one of a view: it is made after that, and goes before.
        for view in views { make("view", view.name, view.text) }
        for trigger in catalogue.triggers where trigger.isAdded && trigger.text.hasWord(among: names) { add(trigger) }
        removals += views.map { .drop(.view($0.name)) }
    }

    /// The views over tables that change, and the views over those.
    private func affectedViews(_ views: [SQLStoreCatalogue.View]) -> [SQLStoreCatalogue.View] {
        var names = Set(fates.keys.map { $0.uppercased() })
        var count = -1
        while count != names.count {
            count = names.count
            for view in views where view.text.hasWord(among: names) { names.insert(view.name.uppercased()) }
        }
        return views.filter { names.contains($0.name.uppercased()) }
    }

    private mutating func add(_ index: SQLStoreCatalogue.Index) {
        guard let fate = fates[index.table] else { return }
        let text = SQLRenaming(of: index.name, in: index.text, [index.table: fate], columns)
        if let gone = text.gone {
            // That of a column which is dropped is dropped before; that of a table, with it.
            losses.append("The index \(index.name) goes with \(gone).")
        } else if text.namesEntities, fate.isRenumbered {
            refuse("index", index.name, "compares Z_ENT with a number, and entities get other numbers")
        } else if fate.isCopied {
            texts.append(text.result)
        }
    }

    private mutating func add(_ trigger: SQLStoreCatalogue.Trigger) {
        if let fate = fates[trigger.table], fate.name == nil {
            losses.append("The trigger \(trigger.name) goes with the table \(trigger.table).")
        } else {
            make("trigger", trigger.name, trigger.text)
        }
        removals.append(.drop(.trigger(trigger.name, on: trigger.table)))
    }

    /// A virtual table, as one of full-text search, may have its content in another table, and can't be changed.
    private mutating func check(_ name: String, _ text: String) {
        for (table, fate) in fates where text.hasWord(table) {
            let changed = (columns[table] ?? []).first { fate.columns[$0] != $0 && text.hasWord($0) }
            if fate.name == table, changed == nil { continue }
            refuse("virtual table", name, "names \(changed ?? table), which gets another name or goes")
        }
    }

    private mutating func make(_ kind: String, _ name: String, _ text: String) {
        let named = fates.filter { text.hasWord($0.key) }
        let renaming = SQLRenaming(of: name, in: text, named, columns)
        if let gone = renaming.gone {
            refuse(kind, name, "needs \(gone), which is gone")
        } else if let renamed = renaming.renamedColumn, text.hasWord(among: virtualTables) {
            refuse(kind, name, "names the column \(renamed), which gets another name, and a virtual table")
        } else if let unclear = renaming.unclear {
            refuse(kind, name, "names \(unclear), and tables that it names have different columns for it")
        } else if renaming.namesEntities, named.values.contains(where: \.isRenumbered) {
            refuse(kind, name, "compares Z_ENT with a number, and entities get other numbers")
        }
        texts.append(renaming.result)
        hasPrograms = true
    }

    private mutating func refuse(_ kind: String, _ name: String, _ reason: String) {
        obstacles.append(
            InferenceObstacle(
                name, nil, "this \(kind), which the app made by itself, \(reason); drop it before the migration"))
    }

    /// Gives a table another name, and drops it: the database checks the names in all triggers and views then.
    static var check: [SQLStatement] {
        let table = SQLTableDefinition(name: "Z_CHECK", columns: [.init(name: "Z_CHECKED", type: .integer)])
        return [
            .createTable(table), .alterTable("Z_CHECK", .renamed(to: "Z_CHECKED")), .drop(.table("Z_CHECKED")),
        ]
    }
}
