/// Tells what a change means for stores that were made before it.
///
/// A store opens only with a model of equal version hashes. Names, types, optionality, counts, order, inverses, parents
/// and constraints are part of a hash; transient and fetched properties, defaults, validation, delete rules, indexes
/// and classes are not. Both models have the same names here: renamed elements have their new names in the old one,
/// too.
struct MigrationRules {
    typealias Migration = ModelComparison.Migration

    private let old: Model
    private let new: Model
    private let oldEntities: [String: Model.Entity]

    init(old: Model, new: Model) {
        (self.old, self.new) = (old, new)
        oldEntities = Dictionary(old.entities.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Whether an element is no part of stores.
    func isTransient(_ element: Any?) -> Bool {
        switch element {
        case let attribute as Model.Attribute: attribute.isTransient
        case let relationship as Model.Relationship: relationship.isTransient
        default: false
        }
    }

    // MARK: - Entities

    /// What a change of an entity's own settings means.
    func migration(_ before: Model.Entity, _ now: Model.Entity) -> Migration {
        if before.parentName != now.parentName, mergesHierarchies(now) {
            return .mapping(reason: "two hierarchies become one")
        }
        if !before.isAbstract, now.isAbstract { return .mapping(reason: "its objects would have no entity") }
        let isSame =
            before.parentName == now.parentName && before.isAbstract == now.isAbstract
            && before.versionHashModifier ?? "" == now.versionHashModifier ?? ""
        return isSame ? .unneeded : .lightweight
    }

    /// Whether an entity comes under a common ancestor with one that it had none in common with.
    private func mergesHierarchies(_ entity: Model.Entity) -> Bool {
        let root = new.lineage(of: entity.name).last?.name
        let oldRoot = old.lineage(of: entity.name).last?.name
        return new.entities.contains { other in
            oldEntities[other.name] != nil && new.lineage(of: other.name).last?.name == root
                && old.lineage(of: other.name).last?.name != oldRoot
        }
    }

    // MARK: - Attributes

    /// What a change of an attribute means: an addition without the old one, a removal without the new one.
    func migration(_ before: Model.Attribute?, _ now: Model.Attribute?, of entity: String) -> Migration {
        guard let now, !now.isTransient else { return before?.isTransient ?? true ? .unneeded : .lightweight }
        if let before, !before.isTransient { return migration(before, now) }
        // Moved here from an ancestor or from all descendants, it has its values already.
        let formers = formerOwners(of: entity).map { former in
            former.lazy.compactMap { $0[attribute: now.name] }.first { !$0.isTransient }
        }
        guard formers.allSatisfy({ $0 != nil }) else {
            return now.isOptional || now.isDerived || now.hasDefault
                ? .lightweight : .mapping(reason: "required, without a default for the objects that are there")
        }
        let worst = formers.compactMap { $0 }.map { migration($0, now) }.max { $0.rank < $1.rank }
        return worst.map { $0 == .unneeded ? .lightweight : $0 } ?? .lightweight
    }

    /// The attribute as part of a composite.
    func elementMigration(_ before: Model.Attribute?, _ now: Model.Attribute?) -> Migration {
        guard let before, let now else { return (before ?? now)?.isTransient == true ? .unneeded : .lightweight }
        return migration(before, now)
    }

    private func migration(_ before: Model.Attribute, _ now: Model.Attribute) -> Migration {
        if now.isDerived || before.isDerived {
            return before.derivation == now.derivation ? .unneeded : .lightweight
        }
        if before.type != now.type, !before.type.widens(to: now.type) {
            return .mapping(
                reason: "values of the type \(before.type.documentName) don't become \(now.type.documentName)")
        }
        if before.isOptional, !now.isOptional, !now.hasDefault {
            return .mapping(reason: "required, without a default for objects that have no value")
        }
        return before.hashedParts == now.hashedParts ? .unneeded : .lightweight
    }

    // MARK: - Relationships

    /// What a change of a relationship means: an addition without the old one, a removal without the new one.
    func migration(_ before: Model.Relationship?, _ now: Model.Relationship?, of entity: String) -> Migration {
        guard let now, !now.isTransient else { return before?.isTransient ?? true ? .unneeded : .lightweight }
        if let before, !before.isTransient { return migration(before, now) }
        let formers = formerOwners(of: entity).map { former in
            former.lazy.compactMap { $0[relationship: now.name] }.first { !$0.isTransient }
        }
        guard formers.allSatisfy({ $0 != nil }) else {
            return now.isOptional
                ? .lightweight : .mapping(reason: "required, and the objects that are there have none")
        }
        let worst = formers.compactMap { $0 }.map { migration($0, now) }.max { $0.rank < $1.rank }
        return worst.map { $0 == .unneeded ? .lightweight : $0 } ?? .lightweight
    }

    private func migration(_ before: Model.Relationship, _ now: Model.Relationship) -> Migration {
        if before.isToMany, !now.isToMany {
            return .mapping(reason: "of many destinations one would have to be chosen")
        }
        if before.isOptional, !now.isOptional {
            return .mapping(reason: "required, and there may be objects without a destination")
        }
        if before.destinationName != now.destinationName, !isAncestor(now.destinationName, of: before.destinationName) {
            return .mapping(reason: "its destinations are of another entity")
        }
        return before.hashedParts == now.hashedParts ? .unneeded : .lightweight
    }

    private func isAncestor(_ name: String?, of descendant: String?) -> Bool {
        guard let name, let descendant else { return false }
        return new.lineage(of: descendant).contains { $0.name == name }
    }

    /// For each concrete entity that now has the properties of this one and was there before: itself and its ancestors
    /// of then.
    private func formerOwners(of entity: String) -> [[Model.Entity]] {
        new.entities
            .filter { heir in
                oldEntities[heir.name]?.isAbstract == false && new.lineage(of: heir.name).contains { $0.name == entity }
            }
            .map { old.lineage(of: $0.name) }
    }
}

extension Model.Attribute {
    fileprivate var hasDefault: Bool {
        type == .date
            ? defaultDateTimeInterval != nil : defaultValueString != nil || defaultValueData != nil
    }

    fileprivate var derivation: [String?] {
        isDerived ? [derivationExpression, derivationFilterPredicate] : [nil, name]
    }

    fileprivate var hashedParts: [String] {
        if let compositeName { return ["composite", compositeName] }
        return [
            "\(type)", "\(isOptional)", "\(isReadOnly)", versionHashModifier ?? "",
            "\(allowsExternalBinaryDataStorage)", "\(preservesValueInHistoryOnDeletion)",
        ]
    }
}

extension Model.Relationship {
    fileprivate var hashedParts: [String] {
        // One that is its own inverse has none in its hash.
        let inverse = inverseName.map { $0 == name && inverseEntityName == destinationName ? "itself" : $0 }
        return [
            destinationName ?? "", inverse ?? "", "\(maxCount)", "\(minCount)", "\(isOrdered)", "\(isOptional)",
            "\(isReadOnly)", versionHashModifier ?? "",
        ]
    }
}

extension Model.AttributeType {
    /// Whether every number is one of the other type, too.
    fileprivate func widens(to other: Self) -> Bool {
        switch self {
        case .boolean: [.integer16, .integer32, .integer64, .float, .double, .decimal].contains(other)
        case .integer16: [.integer32, .integer64, .float, .double, .decimal].contains(other)
        case .integer32: [.integer64, .double, .decimal].contains(other)
        case .integer64, .double: other == .decimal
        case .float: other == .double || other == .decimal
        default: false
        }
    }
}
