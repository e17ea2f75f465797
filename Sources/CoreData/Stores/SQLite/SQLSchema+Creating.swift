/// The statements that make a fresh store's tables, indexes and triggers, in Apple's order.
extension SQLSchema {
    /// - Precondition: The schema is derived.
    /// - Throws: 134020 for a derived attribute that no store can keep.
    func creationStatements() throws -> [String] {
        try tableStatements()
            + derivations().filter { $0.transform == nil }.flatMap { $0.triggers(in: self) }
            .distinctlyNamed.map { $0.creation() }
    }

    /// The derived attributes of the store's entities, each where it is declared.
    ///
    /// - Parameter isWanted: Which of them.
    /// - Throws: 134020 for one that no store can keep.
    func derivations(where isWanted: (EntityLayout, PropertySlot) -> Bool = { _, _ in true }) throws -> [SQLDerivation]
    {
        try layouts.layouts.filter { contains($0) }.flatMap { layout in
            try layout.slots[(layout.parent?.slots.count ?? 0)...].compactMap { slot in
                guard slot.isStoredInRow, let description = slot.property as? NSDerivedAttributeDescription,
                    isWanted(layout, slot)
                else { return nil }
                return try SQLDerivation(slot, description, of: layout)
            }
        }
    }

    private func tableStatements() -> [String] {
        tables.map { Self.create($0) } + joinTables.map { Self.create($0) } + tables.flatMap { indexes(on: $0) }
            + joinTables.map { Self.index(on: $0) } + uniquenessIndexes() + spatialIndexes()
            + [
                "CREATE TABLE Z_PRIMARYKEY "
                    + "(Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
                "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
                "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
            ]
    }

    private static func create(_ table: SQLTable) -> String {
        let columns = table.columns.map { "\(name($0.name)) \($0.type)" }
        return "CREATE TABLE \(name(table.name)) ( \(columns.joined(separator: ", ")) )"
    }

    private static func create(_ table: SQLJoinTable) -> String {
        let columns = table.columns.map { "\(name($0)) INTEGER" }.joined(separator: ", ")
        let key = table.columns.prefix(2).map { name($0) }.joined(separator: ", ")
        return "CREATE TABLE \(name(table.name)) ( \(columns), PRIMARY KEY (\(key)) )"
    }

    /// The way back: pairs by the second column.
    private static func index(on table: SQLJoinTable) -> String {
        let (first, second) = (table.columns[0], table.columns[1])
        return "CREATE INDEX \(name("\(table.name)_\(second)_INDEX")) ON \(name(table.name)) "
            + "(\(name(second)), \(name(first)))"
    }

    private func indexes(on table: SQLTable) -> [String] {
        let entities = layouts[table.root].selfAndDescendants.filter { contains($0) }
        let keys = table.columns.map(\.name).filter { keyColumns(of: table, entities).contains($0) }
        var statements = keys.map {
            "CREATE INDEX \(Self.name("\(table.name)_\($0)_INDEX")) ON \(Self.name(table.name)) (\(Self.name($0)))"
        }
        if table.hasSubentities {
            statements.append(
                "CREATE INDEX \(Self.name("\(table.name)_Z_ENT_INDEX")) ON \(Self.name(table.name)) (Z_ENT)")
        }
        return statements + entities.flatMap { fetchIndexes(of: $0) }
    }

    /// The columns of to-ones, and of to-manys without inverse that end in this table.
    private func keyColumns(of table: SQLTable, _ entities: [EntityLayout]) -> Set<String> {
        var names: Set<String> = []
        for layout in entities {
            for slot in layout.slots where slot.kind == .toOne {
                if let column = column(of: layout, slot: slot.index) { names.insert(column.name) }
            }
        }
        for layout in layouts.layouts where contains(layout) {
            for slot in layout.slots.indices {
                guard case .sourceColumnInDestination(table.name, let column, _)? = link(of: layout, slot: slot) else {
                    continue
                }
                names.insert(column)
            }
        }
        return names
    }

    func columnName(_ property: String, of layout: EntityLayout) -> String? {
        layout.slot(named: property).flatMap { column(of: layout, slot: $0.index)?.name }
    }

    /// Plain names stay as they are, as in Apple's schemas; others are quoted.
    static func name(_ name: String) -> String {
        let isPlain = name.hasPrefix("Z") || name == SQLNaming.reflexive
        let isWord = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        return isPlain && isWord ? name : name.quotedForSQL
    }
}

extension EntityLayout {
    /// The names in the constraints that the entity adds to its parent's.
    package var ownUniquenessConstraints: [[String]] {
        let inherited = Set(parent?.entity.constraintNames ?? [])
        return entity.constraintNames.filter { !inherited.contains($0) }
    }
}

extension NSEntityDescription {
    /// The property names of each uniqueness constraint, whether the model has names or descriptions.
    fileprivate var constraintNames: [[String]] {
        uniquenessConstraints.map { constraint in
            constraint.compactMap { ($0 as? String) ?? ($0 as? NSPropertyDescription)?.name }
        }
    }
}
