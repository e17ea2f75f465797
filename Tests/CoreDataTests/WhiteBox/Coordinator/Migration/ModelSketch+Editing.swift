import CoreData
import RandomSeeds

/// Random models, and random edits of them.
extension ModelSketch {
    init(using random: inout SeededGenerator) {
        for _ in 0..<Int.random(in: 2...5, using: &random) { addEntity(&random) }
        for _ in 0..<Int.random(in: 4...9, using: &random) { addAttribute(&random) }
        for _ in 0..<Int.random(in: 1...5, using: &random) { addRelationship(&random) }
    }

    mutating func edit(using random: inout SeededGenerator) {
        let edits: [(inout ModelSketch, inout SeededGenerator) -> Void] = [
            { $0.renameEntity(&$1) }, { $0.renameAttribute(&$1) }, { $0.renameRelationship(&$1) },
            { $0.addAttribute(&$1) }, { $0.removeAttribute(&$1) }, { $0.requireAttribute(&$1) },
            { $0.widen(&$1) }, { $0.toggleExternal(&$1) }, { $0.addRelationship(&$1) },
            { $0.removeRelationship(&$1) }, { $0.removeInverse(&$1) }, { $0.addInverse(&$1) },
            { $0.makeToMany(&$1) }, { $0.toggleOrder(&$1) }, { $0.addEntity(&$1) }, { $0.removeEntity(&$1) },
            { $0.addParent(&$1) }, { $0.leaveHierarchy(&$1) }, { $0.moveUp(&$1) }, { $0.moveDown(&$1) },
            { $0.makeConcrete(&$1) },
        ]
        edits.randomElement(using: &random)!(&self, &random)
    }

    /// A name that no other element has or had, in no order.
    private mutating func newName(_ random: inout SeededGenerator) -> (id: Int, name: String) {
        let id = newID()
        return (id, "\("abcdefghijklmnopqrstuvwxyz".randomElement(using: &random)!)\(id)")
    }

    private func anyEntity(_ random: inout SeededGenerator) -> Entity { entities.randomElement(using: &random)! }

    // MARK: Entities

    mutating func addEntity(_ random: inout SeededGenerator) {
        let (id, name) = newName(&random)
        let parent = random.chance(40) ? entities.randomElement(using: &random)?.id : nil
        entities.append(Entity(id: id, name: name.capitalized, parent: parent, isAbstract: random.chance(15)))
    }

    mutating func renameEntity(_ random: inout SeededGenerator) {
        self[anyEntity(&random).id].name = newName(&random).name.capitalized
    }

    mutating func removeEntity(_ random: inout SeededGenerator) {
        let id = anyEntity(&random).id
        guard entities.count > 2, children(id).isEmpty else { return }
        for relationship in entities.flatMap(\.relationships)
        where relationship.destination == id || owner(ofRelationship: relationship.id) == id {
            if let inverse = relationship.inverse { remove(relationship: inverse) }
            remove(relationship: relationship.id)
        }
        entities.removeAll { $0.id == id }
    }

    mutating func addParent(_ random: inout SeededGenerator) {
        let child = anyEntity(&random)
        let (id, name) = newName(&random)
        entities.append(
            Entity(id: id, name: name.capitalized, parent: child.parent, isAbstract: random.chance(50)))
        self[child.id].parent = id
    }

    mutating func leaveHierarchy(_ random: inout SeededGenerator) {
        guard let id = entities.filter({ $0.parent != nil }).randomElement(using: &random)?.id else { return }
        // It takes what it has inherited along, under the same names.
        let inherited = attributes(id).filter { attribute in !self[id].attributes.contains { $0.id == attribute.id } }
        self[id].attributes += inherited
        self[id].parent = nil
    }

    mutating func makeConcrete(_ random: inout SeededGenerator) {
        self[anyEntity(&random).id].isAbstract = false
    }

    // MARK: Attributes

    mutating func addAttribute(_ random: inout SeededGenerator) {
        let (id, name) = newName(&random)
        var attribute = Attribute(id: id, name: name, type: Attribute.types.randomElement(using: &random)!)
        attribute.hasDefault = random.chance(40)
        attribute.isOptional = !attribute.hasDefault || random.chance(50)
        attribute.isExternal = attribute.type == .binaryDataAttributeType && random.chance(50)
        self[anyEntity(&random).id].attributes.append(attribute)
    }

    private func anyAttribute(_ random: inout SeededGenerator) -> Attribute? {
        entities.flatMap(\.attributes).randomElement(using: &random)
    }

    mutating func renameAttribute(_ random: inout SeededGenerator) {
        guard let attribute = anyAttribute(&random) else { return }
        let name = newName(&random).name
        changeAttribute(attribute.id) { $0.name = name }
    }

    mutating func removeAttribute(_ random: inout SeededGenerator) {
        guard let attribute = anyAttribute(&random) else { return }
        for place in entities.indices { entities[place].attributes.removeAll { $0.id == attribute.id } }
    }

    mutating func requireAttribute(_ random: inout SeededGenerator) {
        guard let attribute = anyAttribute(&random) else { return }
        let isOptional = random.chance(30)
        changeAttribute(attribute.id) { ($0.isOptional, $0.hasDefault) = (isOptional, true) }
    }

    mutating func widen(_ random: inout SeededGenerator) {
        let wider: [NSAttributeType: NSAttributeType] = [
            .integer16AttributeType: .integer32AttributeType, .integer32AttributeType: .integer64AttributeType,
        ]
        guard
            let attribute = entities.flatMap(\.attributes).filter({ wider[$0.type] != nil }).randomElement(
                using: &random)
        else { return }
        changeAttribute(attribute.id) { $0.type = wider[$0.type] ?? $0.type }
    }

    mutating func toggleExternal(_ random: inout SeededGenerator) {
        let all = entities.flatMap(\.attributes).filter { $0.type == .binaryDataAttributeType }
        guard let attribute = all.randomElement(using: &random) else { return }
        changeAttribute(attribute.id) { $0.isExternal.toggle() }
    }

    mutating func moveUp(_ random: inout SeededGenerator) {
        guard let child = entities.filter({ $0.parent != nil && !$0.attributes.isEmpty }).randomElement(using: &random),
            let parent = child.parent, let attribute = child.attributes.randomElement(using: &random)
        else { return }
        let below = entities.filter { $0.id != parent && isKind($0.id, of: parent) }
        for entity in below { self[entity.id].attributes.removeAll { $0.id == attribute.id } }
        guard !attributes(parent).contains(where: { $0.id == attribute.id }) else { return }
        self[parent].attributes.append(attribute)
    }

    mutating func moveDown(_ random: inout SeededGenerator) {
        guard
            let parent = entities.filter({ !$0.attributes.isEmpty && !children($0.id).isEmpty })
                .randomElement(using: &random), let attribute = parent.attributes.randomElement(using: &random)
        else { return }
        self[parent.id].attributes.removeAll { $0.id == attribute.id }
        for child in children(parent.id) { self[child.id].attributes.append(attribute) }
    }

    // MARK: Relationships

    mutating func addRelationship(_ random: inout SeededGenerator) {
        let (source, target) = (anyEntity(&random).id, anyEntity(&random).id)
        let (id, name) = newName(&random)
        var relationship = Relationship(
            id: id, name: name, destination: target, isToMany: random.chance(60))
        relationship.isOrdered = relationship.isToMany && random.chance(40)
        if source == target, random.chance(30) {
            (relationship.inverse, relationship.isOrdered) = (id, false)
        } else if random.chance(75) {
            relationship.inverse = addInverse(of: id, to: source, in: target, &random)
        }
        self[source].relationships.append(relationship)
    }

    private mutating func addInverse(
        of id: Int, to source: Int, in target: Int, _ random: inout SeededGenerator
    ) -> Int {
        let (inverse, name) = newName(&random)
        var relationship = Relationship(
            id: inverse, name: name, destination: source, inverse: id, isToMany: random.chance(60))
        relationship.isOrdered = relationship.isToMany && random.chance(40)
        self[target].relationships.append(relationship)
        return inverse
    }

    private func anyRelationship(
        _ random: inout SeededGenerator, where isWanted: (Relationship) -> Bool = { _ in true }
    ) -> Relationship? {
        entities.flatMap(\.relationships).filter(isWanted).randomElement(using: &random)
    }

    mutating func renameRelationship(_ random: inout SeededGenerator) {
        guard let relationship = anyRelationship(&random) else { return }
        let name = newName(&random).name
        change(relationship.id) { $0.name = name }
    }

    mutating func removeRelationship(_ random: inout SeededGenerator) {
        guard let relationship = anyRelationship(&random) else { return }
        remove(relationship: relationship.id)
        if let inverse = relationship.inverse { remove(relationship: inverse) }
    }

    mutating func removeInverse(_ random: inout SeededGenerator) {
        let found = anyRelationship(&random) { $0.inverse != nil && $0.inverse != $0.id }
        guard let relationship = found, let inverse = relationship.inverse else { return }
        remove(relationship: inverse)
        change(relationship.id) { $0.inverse = nil }
    }

    mutating func addInverse(_ random: inout SeededGenerator) {
        guard let relationship = anyRelationship(&random, where: { $0.inverse == nil }),
            let source = owner(ofRelationship: relationship.id)
        else { return }
        let inverse = addInverse(of: relationship.id, to: source, in: relationship.destination, &random)
        change(relationship.id) { $0.inverse = inverse }
    }

    mutating func makeToMany(_ random: inout SeededGenerator) {
        guard let relationship = anyRelationship(&random, where: { !$0.isToMany }) else { return }
        let isOrdered = relationship.inverse != relationship.id && random.chance(40)
        change(relationship.id) { ($0.isToMany, $0.isOrdered) = (true, isOrdered) }
    }

    mutating func toggleOrder(_ random: inout SeededGenerator) {
        guard let relationship = anyRelationship(&random, where: { $0.isToMany && $0.inverse != $0.id }) else { return }
        change(relationship.id) { $0.isOrdered.toggle() }
    }
}
