import CoreData
import FoundationGaps
import ModelFormat

/// Relationships that need more than one table's columns.
extension ModelInference {
    // MARK: Many-to-manys

    mutating func inferJoinTables() throws {
        for (table, columns) in inspection.columns.sorted(by: { $0.key.isOrderedByScalars($1.key) }) {
            guard let name = NumberedParts(table, prefix: "Z_") else { continue }
            let keys = columns.compactMap { NumberedParts($0.name, prefix: "Z_") }
            let real = Set(columns.map(\.name))
            if keys.count == 1, real.contains(SQLNaming.reflexive) {
                inferReflexive(keys[0], table)
            } else if keys.count == 2 {
                inferPair(keys.map { $0.trimmed(like: name) }, ordered: keys.map { $0.isOrdered(real) }, table)
            }
        }
    }

    private mutating func inferReflexive(_ key: NumberedParts, _ table: String) {
        let name = key.name.lowercased()
        guard let entity = entity(numbered: key.number), claim(name, in: entity) else { return leaveOut(table) }
        add(toMany(name, entity, inverse: name), to: entity)
        notes.append("\(entity.name).\(name) is a to-many relationship to \(entity.name), its own inverse.")
    }

    /// A column holds the targets of its relationship, so each column's entity is where the other's relationship
    /// begins.
    private mutating func inferPair(_ keys: [NumberedParts], ordered: [Bool], _ table: String) {
        let names = keys.map { $0.name.lowercased() }
        guard let first = entity(numbered: keys[0].number), let second = entity(numbered: keys[1].number),
            claim(names[0], in: second), claim(names[1], in: first)
        else { return leaveOut(table) }
        add(toMany(names[0], first, inverse: names[1], isOrdered: ordered[0]), to: second)
        add(toMany(names[1], second, inverse: names[0], isOrdered: ordered[1]), to: first)
        notes.append(
            "\(first.name).\(names[1]) and \(second.name).\(names[0]) are to-many relationships, each other’s inverse.")
    }

    private mutating func leaveOut(_ table: String) {
        notes.append("The table \(table) is left out: its entities’ numbers or its relationships’ names do not fit.")
    }

    // MARK: Inverses of to-ones

    /// Gives each to-one an inverse: another to-one that says the same the other way round, or a to-many with a name of
    /// ours.
    mutating func inferInverses() throws {
        var left = references
        while let reference = left.popLast() {
            if let index = try left.firstIndex(where: { try isInverse($0, of: reference) }) {
                let other = left.remove(at: index)
                addToOne(reference, inverse: other.name)
                addToOne(other, inverse: reference.name)
                notes.append(
                    "\(other.path) and \(reference.path) are taken for a one-to-one relationship.")
            } else {
                addWithToMany(reference)
            }
        }
        notes.sort { $0.isOrderedByScalars($1) }
    }

    /// Whether two to-ones pair the same rows, and do pair some.
    private func isInverse(_ other: InferredReference, of reference: InferredReference) throws -> Bool {
        let (a, b) = (tableName(of: reference.source), tableName(of: other.source))
        guard a == tableName(of: other.destination), b == tableName(of: reference.destination), !reference.isOrdered,
            !other.isOrdered
        else { return false }
        let (x, y) = (reference.column.quotedForSQL, other.column.quotedForSQL)
        let pairs = try integer(
            "SELECT count(*) FROM \(a.quotedForSQL) s JOIN \(b.quotedForSQL) t ON t.Z_PK = s.\(x) AND s.Z_PK = t.\(y)")
        let counts = try [
            integer("SELECT count(\(x)) FROM \(a.quotedForSQL)"), integer("SELECT count(\(y)) FROM \(b.quotedForSQL)"),
        ]
        return pairs > 0 && counts == [pairs, pairs]
    }

    private mutating func addWithToMany(_ reference: InferredReference) {
        let plural = reference.source.name.lowercasedFirst + "s"
        let names = [plural, "\(plural)By_\(reference.name)", "\(plural)By_\(reference.name)_inferred"]
        guard let name = names.first(where: { claim($0, in: reference.destination) }) else {
            return addToOne(reference, inverse: nil)
        }
        addToOne(reference, inverse: name)
        var inverse = toMany(name, reference.source, inverse: reference.name, isOrdered: reference.isOrdered)
        inverse.inverseEntityName = reference.source.name
        add(inverse, to: reference.destination)
        notes.append(
            "\(reference.path) is taken for a to-one relationship to \(reference.destination.name); "
                + "\(reference.destination.name).\(name) is a name made up for its inverse.")
    }

    private mutating func addToOne(_ reference: InferredReference, inverse: String?) {
        var relationship = Model.Relationship(name: reference.name, destinationName: reference.destination.name)
        relationship.isOptional = true
        relationship.inverseName = inverse
        relationship.inverseEntityName = inverse == nil ? nil : reference.destination.name
        add(relationship, to: reference.source)
    }

    private func toMany(
        _ name: String, _ destination: StoreInspection.NumberedEntity, inverse: String, isOrdered: Bool = false
    ) -> Model.Relationship {
        var relationship = Model.Relationship(name: name, destinationName: destination.name)
        (relationship.maxCount, relationship.isOptional, relationship.isOrdered) = (0, true, isOrdered)
        relationship.inverseName = inverse
        relationship.inverseEntityName = destination.name
        return relationship
    }
}

extension InferredReference {
    fileprivate var path: String { "\(source.name).\(name)" }
}

extension NumberedParts {
    /// The key without the digit that some releases append, where the table's name shows the plain one.
    fileprivate func trimmed(like table: NumberedParts) -> NumberedParts {
        let plain = name.reversed().drop { $0.isASCII && $0.isNumber }.reversed()
        return String(plain) == table.name ? NumberedParts(number: number, name: table.name) : self
    }

    fileprivate func isOrdered(_ columns: Set<String>) -> Bool {
        columns.contains(SQLNaming.orderColumn(for: "Z_\(number)\(name)"))
    }

    private init(number: Int64, name: String) { (self.number, self.name) = (number, name) }
}

extension String {
    /// The name with its first letters in lower case, as properties are written: `URLItem` is `urlItem`.
    fileprivate var lowercasedFirst: String {
        let capitals = prefix { $0.isUppercase }
        let count = capitals.count > 1 && capitals.count < self.count ? capitals.count - 1 : capitals.count
        return prefix(count).lowercased() + dropFirst(count)
    }
}
