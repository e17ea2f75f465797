import FoundationGaps
import ModelFormat

/// What differs between two versions of a model in what stores depend on.
package struct ModelDifference {
    /// What differs in one entity, or in one property.
    package struct Item {
        /// The entity with the one that it was before.
        package let pair: InferredEntity
        /// The property; of the former entity if it is gone.
        package let property: PropertySlot?
        package let words: [String]
        /// Whether the entity or the property is gone.
        package let isGone: Bool

        /// The entity's name; the new one, if it has another one.
        package var entity: String { (pair.destination ?? pair.source)?.name ?? "" }
        /// The entity's and the property's name: "Book.pages".
        package var name: String { [entity, property?.name].compactMap { $0 }.joined(separator: ".") }
        /// "Book.pages: new, required, no default".
        package var sentence: String { "\(name): \(words.joined(separator: ", "))" }
    }

    package private(set) var items: [Item] = []
    package var sentences: [String] { items.map(\.sentence) }

    /// - Parameter mapping: From the model of a store to another one.
    package init(_ mapping: InferredMapping) {
        for pair in mapping.entities {
            switch (pair.source, pair.destination) {
            case (nil, _?): tell(pair, nil, ["new"])
            case (_?, nil): tell(pair, nil, ["gone"], isGone: true)
            case (let old?, let new?): compare(pair, old, new)
            case (nil, nil): break
            }
        }
    }

    private mutating func tell(
        _ pair: InferredEntity, _ property: PropertySlot?, _ words: [String], isGone: Bool = false
    ) {
        if words.isEmpty { return }
        items.append(Item(pair: pair, property: property, words: words, isGone: isGone))
    }

    private mutating func compare(_ pair: InferredEntity, _ old: EntityLayout, _ new: EntityLayout) {
        if old.name == new.name, old.entity.versionHash == new.entity.versionHash { return }
        tell(pair, nil, EntityDifference(old, new).words)
        // What is inherited is told of the entity that declares it, unless it has come or gone with another parent.
        for property in pair.properties where isTold(property, old, new) {
            tell(pair, property.destination, PropertyDifference(property, new).words)
        }
        for slot in pair.removedSlots where old.owner(of: slot) === old { tell(pair, slot, ["gone"], isGone: true) }
    }

    private func isTold(_ property: InferredProperty, _ old: EntityLayout, _ new: EntityLayout) -> Bool {
        new.owner(of: property.destination) === new
    }
}

/// What differs in the settings of an entity.
private struct EntityDifference {
    private(set) var words: [String] = []

    init(_ old: EntityLayout, _ new: EntityLayout) {
        if old.name != new.name { words.append("was \(old.name)") }
        if old.isAbstract != new.isAbstract { words.append(new.isAbstract ? "now abstract" : "no longer abstract") }
        if old.parent?.name != new.parent?.name {
            words.append("parent \(old.parent?.name ?? "none") → \(new.parent?.name ?? "none")")
        }
        if old.entity.versionHashModifier != new.entity.versionHashModifier { words.append("other hash modifier") }
        let (before, now) = (Set(old.ownUniquenessConstraints), Set(new.ownUniquenessConstraints))
        words += Self.words(now.subtracting(before), "new") + Self.words(before.subtracting(now), "gone")
    }

    private static func words(_ constraints: Set<[String]>, _ word: String) -> [String] {
        constraints.map { "\(word) uniqueness constraint (\($0.joined(separator: ", ")))" }.sorted()
    }
}

/// What differs in a property.
private struct PropertyDifference {
    private(set) var words: [String] = []

    init(_ property: InferredProperty, _ entity: EntityLayout) {
        let new = property.destination
        guard let old = property.source else {
            words = ["new"]
            if !new.isOptional, !new.isDerived { addRequired(new, "required") }
            return
        }
        if old.name != new.name { words.append("was \(old.name)") }
        compare(old.typeWords, new.typeWords)
        if old.isOptional != new.isOptional {
            if new.isOptional { words.append("now optional") } else { addRequired(new, "now required") }
        }
        if old.property.versionHashModifier != new.property.versionHashModifier { words.append("other hash modifier") }
        if let before = old.attribute, let now = new.attribute { compare(before, now) }
        if let before = old.relationship, let now = new.relationship { compare(before, now) }
    }

    private mutating func addRequired(_ slot: PropertySlot, _ word: String) {
        words.append(word)
        if slot.kind.isAttribute, !slot.hasDefault { words.append("no default") }
    }

    private mutating func compare(_ old: String, _ new: String) {
        if old != new { words.append("\(old) → \(new)") }
    }

    private mutating func compare(_ old: NSAttributeDescription, _ new: NSAttributeDescription) {
        if old.allowsExternalBinaryDataStorage != new.allowsExternalBinaryDataStorage {
            words.append(new.allowsExternalBinaryDataStorage ? "now with external storage" : "no external storage now")
        }
        if old.preservesValueInHistoryOnDeletion != new.preservesValueInHistoryOnDeletion {
            words.append(
                new.preservesValueInHistoryOnDeletion
                    ? "now preserved after deletion" : "no longer preserved after deletion")
        }
        if let before = old as? NSDerivedAttributeDescription, let now = new as? NSDerivedAttributeDescription,
            before.derivationExpression != now.derivationExpression
        {
            words.append("other derivation")
        }
    }

    private mutating func compare(_ old: NSRelationshipDescription, _ new: NSRelationshipDescription) {
        if old.destinationEntity?.name != new.destinationEntity?.name {
            compare(
                "destination \(old.destinationEntity?.name ?? "none")", new.destinationEntity?.name ?? "none")
        }
        if old.inverseRelationship?.name != new.inverseRelationship?.name {
            compare("inverse \(old.inverseRelationship?.name ?? "none")", new.inverseRelationship?.name ?? "none")
        }
        if old.isToMany, new.isToMany, (old.minCount, old.maxCount) != (new.minCount, new.maxCount) {
            words.append("other counts")
        }
    }
}

extension PropertySlot {
    /// What kind of value there is.
    fileprivate var typeWords: String {
        switch kind {
        case .toOne: "to-one"
        case .toMany: "to-many"
        case .orderedToMany: "ordered to-many"
        default:
            (isDerived ? "derived " : "")
                + (attribute.map { Model.AttributeType($0.attributeType).documentName } ?? "")
        }
    }
}
