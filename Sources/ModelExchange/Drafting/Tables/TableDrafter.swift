import ModelDocument
import StoreBrowsing

/// Makes a model of tables.
///
/// A table becomes an entity, a foreign key a to-one with an inverse, and a table that only relates two others a
/// many-to-many. A single integer key is what objects have anyway.
struct TableDrafter {
    let tables: [ForeignTable]
    /// How the model is to be mapped to the tables as they are; nil where its stores have tables of their own.
    let mapping: TableMapping?
    var plans: [TablePlan] = []
    var notes: [String]

    /// - Parameter notes: What was decided before.
    init(_ tables: [ForeignTable], mapping: TableMapping? = nil, notes: [String] = []) {
        self.tables = Self.resolved(tables)
        (self.mapping, self.notes) = (mapping, notes)
    }

    mutating func draft() -> ModelDraft {
        let joins = tables.filter { $0.isJoinTable(among: tables) }
        makeEntities(tables.filter { !joins.contains($0) })
        var related: [(plan: Int, references: [ForeignTable.Reference])] = []
        for index in plans.indices {
            let references = usable(plans[index].table.references, of: plans[index])
            addAttributes(plans[index].plainColumns(without: references), to: index)
            related.append((index, references))
        }
        for (index, references) in related { for reference in references { relate(index, reference) } }
        for join in joins { relate(by: join) }
        for index in plans.indices {
            addConstraints(to: index)
            addIndexes(to: index)
            if let mapping { mapping.write(&plans[index], &notes) }
        }
        return ModelDraft(model: Model(entities: plans.map(\.entity)), notes: notes)
    }

    // MARK: Names

    /// The tables with references that name other tables as these do.
    private static func resolved(_ tables: [ForeignTable]) -> [ForeignTable] {
        tables.map { table in
            var table = table
            table.references = table.references.map { reference in
                var reference = reference
                let found =
                    tables.first { $0.name == reference.target }
                    ?? tables.first {
                        $0.name.table.lowercased() == reference.target.table.lowercased()
                            && ($0.name.schema == nil || reference.target.schema == nil
                                || $0.name.schema == table.name.schema)
                    }
                if let found { reference.target = found.name }
                return reference
            }
            return table
        }
    }

    private mutating func makeEntities(_ tables: [ForeignTable]) {
        var taken: Set<String> = []
        let words = tables.map { DraftName.entity($0.name.table) }
        for (table, word) in zip(tables, words) {
            let isShared = words.filter { $0.lowercased() == word.lowercased() }.count > 1
            let wanted =
                isShared
                ? DraftName.entity([table.name.schema, table.name.table].compactMap { $0 }.joined(separator: "_"))
                : word
            let name = EntityNames.free(wanted, among: &taken)
            var plan = TablePlan(table, named: name)
            if mapping == nil, name != table.name.text {
                plan.entity.userInfo.add(ModelDraft.originalName, table.name.text)
            }
            plans.append(plan)
        }
    }

    private func place(of name: ForeignTable.Name) -> Int? { plans.firstIndex { $0.table.name == name } }

    // MARK: Attributes

    private mutating func addAttributes(_ columns: [ForeignTable.Column], to index: Int) {
        for column in columns {
            let title = "\(plans[index].table.name.text).\(column.name)"
            if let reason = mapping?.refusal(of: column) {
                notes.append("\(title) \(reason), and was left out.")
                continue
            }
            let name = plans[index].names.take(DraftName.property(column.name))
            var made = AttributeOfColumn(column, name: name)
            if mapping == nil, name != column.name { made.attribute.userInfo.add(ModelDraft.originalName, column.name) }
            mapping?.name(&made.attribute, column)
            plans[index].entity.attributes.append(made.attribute)
            plans[index].properties[column.name] = name
            notes += made.notes.map { "\(title) \($0)." }
        }
    }

    // MARK: Relationships

    /// The references that become relationships. The others stay attributes.
    private mutating func usable(_ all: [ForeignTable.Reference], of plan: TablePlan) -> [ForeignTable.Reference] {
        var used: Set<String> = []
        return all.filter { reference in
            let title = "\(plan.table.name.text) (\(reference.columns.joined(separator: ", ")))"
            var reason: String?
            if place(of: reference.target) == nil {
                reason = "refers to \(reference.target.text), which is no table here"
            } else if !used.isDisjoint(with: reference.columns) {
                reason = "refers to \(reference.target.text) with columns of another reference"
            } else {
                reason = mapping?.refusal(of: reference, in: plan.table, tables)
            }
            if let reason { notes.append("\(title) \(reason): no relationship was made of it.") }
            if reason == nil { used.formUnion(reference.columns) }
            return reason == nil
        }
    }

    private mutating func relate(_ source: Int, _ reference: ForeignTable.Reference) {
        guard let target = place(of: reference.target) else { return }
        let columns = reference.columns.compactMap { plans[source].table.column($0) }
        let isOne = plans[source].table.isUnique(reference.columns)
        let wanted =
            reference.columns.count == 1
            ? referenceName(reference) : DraftName.lowered(plans[target].entity.name)
        let name = plans[source].names.take(wanted)
        let inverseName = inverse(of: name, source, target, isOne: isOne)
        var toOne = Model.Relationship(name: name, destinationName: plans[target].entity.name)
        (toOne.inverseName, toOne.inverseEntityName) = (inverseName, plans[target].entity.name)
        toOne.isOptional = columns.contains(where: \.isNullable) || columns.isEmpty
        var inverse = Model.Relationship(name: inverseName, destinationName: plans[source].entity.name)
        (inverse.inverseName, inverse.inverseEntityName) = (name, plans[source].entity.name)
        (inverse.isOptional, inverse.maxCount) = (true, isOne ? 1 : 0)
        inverse.deleteRule = Self.rule(reference.deletion, isOptional: toOne.isOptional)
        if mapping == nil { toOne.userInfo.add(ModelDraft.originalName, reference.columns.joined(separator: ", ")) }
        mapping?.name(&toOne, column: reference.columns[0])
        plans[source].entity.relationships.append(toOne)
        plans[target].entity.relationships.append(inverse)
        for column in reference.columns { plans[source].properties[column] = name }
    }

    /// `product_sku` that refers to `sku` is `product`.
    private func referenceName(_ reference: ForeignTable.Reference) -> String {
        let key = tables.first { $0.name == reference.target }?.primaryKey ?? []
        let target = reference.targetColumns.isEmpty ? key : reference.targetColumns
        let words = DraftName.words(of: reference.columns[0])
        let ending = DraftName.words(of: target.count == 1 ? target[0] : "")
        guard !ending.isEmpty, words.count > ending.count, words.suffix(ending.count).elementsEqual(ending) else {
            return DraftName.reference(reference.columns[0])
        }
        return DraftName.property(words.dropLast(ending.count).joined(separator: "_"))
    }

    /// What deleting the row does that is referred to. An optional to-one is the one that can be nulled.
    private static func rule(_ deletion: ForeignTable.Deletion, isOptional: Bool) -> Model.DeleteRule {
        switch deletion {
        case .cascades: .cascade
        case .setsNull: isOptional ? .nullify : .deny
        case .refused: .deny
        }
    }

    private mutating func inverse(of name: String, _ source: Int, _ target: Int, isOne: Bool) -> String {
        let entity = DraftName.lowered(plans[source].entity.name)
        let plain = name == "parent" && !isOne ? "children" : isOne ? entity : EnglishPlural.plural(entity)
        let isFree = plans[target].names.isFree(plain)
        return plans[target].names.take(isFree ? plain : plain + "As" + DraftName.capitalized(name))
    }

    /// Makes a many-to-many of a table with two references.
    private mutating func relate(by join: ForeignTable) {
        let (first, second) = (join.references[0], join.references[1])
        guard let one = place(of: first.target), let other = place(of: second.target) else {
            notes.append("\(join.name.text) relates tables that became no entities, and was left out.")
            return
        }
        if let reason = mapping?.refusal(ofJoin: join) {
            notes.append("\(join.name.text) \(reason), and was left out.")
            return
        }
        let forward = plans[one].names.take(EnglishPlural.plural(referenceName(second)))
        let back = plans[other].names.take(EnglishPlural.plural(referenceName(first)))
        addSide(forward, from: one, to: other, inverse: back, join, column: second.columns[0])
        addSide(back, from: other, to: one, inverse: forward, join, column: first.columns[0])
        notes.append(
            "The table \(join.name.text) became the many-to-many \(plans[one].entity.name).\(forward), with the inverse \(plans[other].entity.name).\(back)."
        )
    }

    private mutating func addSide(
        _ name: String, from source: Int, to target: Int, inverse: String, _ join: ForeignTable, column: String
    ) {
        var side = Model.Relationship(name: name, destinationName: plans[target].entity.name)
        (side.inverseName, side.inverseEntityName) = (inverse, plans[target].entity.name)
        (side.isOptional, side.maxCount) = (true, 0)
        if let mapping {
            mapping.name(&side, table: join, column: column)
        } else {
            side.userInfo.add(ModelDraft.originalName, "\(join.name.text).\(column)")
        }
        plans[source].entity.relationships.append(side)
    }

    // MARK: Constraints and indexes

    private mutating func addConstraints(to index: Int) {
        let plan = plans[index]
        let keys = plan.key == nil && !plan.table.primaryKey.isEmpty ? [plan.table.primaryKey] : []
        if let key = plan.key { notes.append("\(plan.table.name.text).\(key) is the key that objects have anyway.") }
        if plan.table.primaryKey.isEmpty { notes.append("\(plan.table.name.text) has no primary key.") }
        for columns in keys + plan.table.uniques where columns != [plan.key] {
            let names = columns.compactMap { plan.properties[$0] }
            guard names.count == columns.count else {
                notes.append(
                    "\(plan.table.name.text) (\(columns.joined(separator: ", "))) is unique, which no constraint can say here."
                )
                continue
            }
            let tuple = Model.NameTuple(names.uniqued)
            if !plans[index].entity.uniquenessConstraints.contains(tuple) {
                plans[index].entity.uniquenessConstraints.append(tuple)
            }
        }
    }

    private mutating func addIndexes(to index: Int) {
        let plan = plans[index]
        let toOnes = Set(plan.entity.relationships.map(\.name))
        var names: Set<String> = []
        for found in plan.table.indexes {
            let properties = found.elements.compactMap { plan.properties[$0.column] }
            guard properties.count == found.elements.count, !properties.isEmpty else {
                notes.append("The index \(found.name) is over what is no property, and was left out.")
                continue
            }
            // A store has an index of every to-one.
            if properties.count == 1, toOnes.contains(properties[0]) { continue }
            var made = Model.FetchIndex(name: EntityNames.free(DraftName.property(found.name), among: &names))
            made.elements = zip(properties, found.elements).map { name, element in
                var made = Model.FetchIndex.Element(propertyName: name)
                made.isAscending = element.isAscending
                return made
            }
            plans[index].entity.fetchIndexes.append(made)
        }
    }
}

extension Array where Element: Hashable {
    /// The elements without repetitions, in their order.
    var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

/// Names of entities.
enum EntityNames {
    /// Names of types that generated classes use themselves: a class of this name would hide them.
    private static let types: Set<String> = [
        "Any", "Array", "Bool", "Character", "Data", "Date", "Decimal", "Dictionary", "Double", "Error", "Float", "Int",
        "Optional", "Protocol", "Self", "Set", "String", "Type", "URL", "UUID",
    ]

    /// The name, or one like it that is not taken yet.
    static func free(_ wanted: String, among taken: inout Set<String>) -> String {
        let start = types.contains(wanted) ? wanted + "Record" : wanted
        var (name, number) = (start, 2)
        while !taken.insert(name.lowercased()).inserted {
            name = "\(start)\(number)"
            number += 1
        }
        return name
    }
}
