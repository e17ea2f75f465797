import ModelDocument
import StoreBrowsing

/// Makes a model of samples in JSON.
///
/// An object becomes an entity, an object in it a to-one, and an array of objects a to-many, each with an inverse. A
/// member that an object lacks, or that is null, is optional.
struct SampleDrafter {
    private var entities: [Model.Entity] = []
    private var names: [TakenNames] = []
    private var shapes: [SampleShape] = []
    private var taken: Set<String> = []
    private var notes: [String] = []
    private static let mostEntities = 200

    /// - Parameter name: What one of the outermost objects is called, as a file's name says.
    /// - Throws: ``ToolFailure`` where there are no objects, or more kinds of them than a model has.
    static func draft(_ values: [SampleValue], name: String) throws -> ModelDraft {
        var drafter = SampleDrafter()
        let root = SampleShape()
        var others = 0
        for value in values.flatMap({ if case .array(let items) = $0 { items } else { [$0] } }) {
            if case .object(let members) = value { root.take(members) } else { others += 1 }
        }
        guard root.count > 0 else { throw ToolFailure(.foreign, "There is no object of JSON to make an entity of.") }
        if others > 0 { drafter.notes.append("\(others) values that are no objects were left out.") }
        // A file of several lists is no object of its own.
        if root.count == 1,
            root.members.allSatisfy({ $0.isArray && $0.object != nil && !$0.hasPlainItems && !$0.isObject })
        {
            for member in root.members { if let shape = member.object { _ = try drafter.add(shape, member.key) } }
            drafter.notes.append("The lists of the outermost object became entities of their own.")
        } else {
            _ = try drafter.add(root, name)
        }
        return ModelDraft(model: Model(entities: drafter.entities), notes: drafter.notes)
    }

    // MARK: Entities

    /// - Returns: The place of the entity.
    private mutating func add(_ shape: SampleShape, _ key: String, in owner: Int? = nil) throws -> Int {
        let wanted = DraftName.entity(key)
        if let place = entities.firstIndex(where: { $0.name == wanted }), isAlike(shapes[place], shape) {
            notes.append(
                "The objects at \(title(owner)).\(key) are like those of \(wanted), and became the same entity.")
            return place
        }
        guard entities.count < Self.mostEntities else {
            throw ToolFailure(
                .other,
                "The samples have more than \(Self.mostEntities) kinds of objects. Objects whose keys are data, such as identifiers, become arrays first."
            )
        }
        let isTaken = taken.contains(wanted.lowercased())
        let name = EntityNames.free(
            isTaken ? "\(owner.map { entities[$0].name } ?? "")\(wanted)" : wanted, among: &taken)
        var entity = Model.Entity(drafted: name)
        if name != key { entity.userInfo.add(ModelDraft.originalName, key) }
        let place = entities.count
        entities.append(entity)
        names.append(TakenNames(entity: name))
        shapes.append(shape)
        for member in shape.members { try add(member, to: place) }
        return place
    }

    private func title(_ owner: Int?) -> String { owner.map { entities[$0].name } ?? "the outermost object" }

    /// Whether at least half of the keys are the same, and none is used in two ways.
    private func isAlike(_ one: SampleShape, _ other: SampleShape) -> Bool {
        let shared = one.keys.intersection(other.keys).count
        return other.keys.isSubset(of: one.keys) && shared * 2 >= max(one.keys.count, other.keys.count)
    }

    // MARK: Members

    private mutating func add(_ member: SampleShape.Member, to place: Int) throws {
        let path = "\(entities[place].name).\(member.key)"
        let isOptional = member.count < shapes[place].count
        if let shape = member.object {
            if !member.scalars.isEmpty || member.hasPlainItems {
                notes.append("\(path) has objects and other values: the others were left out.")
            }
            if member.isObject, member.isArray {
                notes.append("\(path) is an object in some samples and an array in others, and became a to-many.")
            }
            return try relate(member, shape, place, isOptional: isOptional)
        }
        let name = names[place].take(DraftName.property(member.key))
        var attribute = Model.Attribute(name: name, type: .string)
        attribute.isOptional = isOptional
        if name != member.key { attribute.userInfo.add(ModelDraft.originalName, member.key) }
        if member.isArray {
            describeList(&attribute, path, member)
        } else {
            let guess = member.scalars.type(member.key)
            attribute.type = guess.type
            if let note = guess.note { notes.append("\(path) \(note).") }
        }
        if attribute.type.hasScalars { attribute.usesScalarValueType = false }
        entities[place].attributes.append(attribute)
        if shapes[place].identifier === member, member.distinct != nil, shapes[place].count > 1 {
            entities[place].uniquenessConstraints = [[name]]
            notes.append(
                "\(path) became a uniqueness constraint: no two of \(shapes[place].count) samples have the same.")
        }
    }

    private mutating func describeList(
        _ attribute: inout Model.Attribute, _ path: String, _ member: SampleShape.Member
    ) {
        attribute.type = .transformable
        attribute.valueTransformerName = "NSSecureUnarchiveFromData"
        attribute.customClass = ClassReference("NSArray")
        notes.append(
            member.hasPlainItems
                ? "\(path) is a list of plain values, and became a transformable: an entity of its own could be searched."
                : "\(path) is an empty list in all samples, and became a transformable.")
    }

    // MARK: Relationships

    private mutating func relate(
        _ member: SampleShape.Member, _ shape: SampleShape, _ place: Int, isOptional: Bool
    ) throws {
        let name = names[place].take(DraftName.property(member.key))
        let target = try add(shape, member.key, in: place)
        let isShared = shape.identifier.map { $0.distinct == nil } ?? false
        let isToMany = member.isArray
        let owner = DraftName.lowered(entities[place].name)
        let wanted = isShared ? EnglishPlural.plural(owner) : owner
        let inverseName = names[target].take(
            names[target].isFree(wanted) ? wanted : wanted + "As" + DraftName.capitalized(name))
        var forward = Model.Relationship(name: name, destinationName: entities[target].name)
        (forward.inverseName, forward.inverseEntityName) = (inverseName, entities[target].name)
        (forward.maxCount, forward.isOptional) = (isToMany ? 0 : 1, isToMany || isOptional)
        forward.deleteRule = isShared ? .nullify : .cascade
        if name != member.key { forward.userInfo.add(ModelDraft.originalName, member.key) }
        var back = Model.Relationship(name: inverseName, destinationName: entities[place].name)
        (back.inverseName, back.inverseEntityName) = (name, entities[place].name)
        (back.maxCount, back.isOptional) = (isShared ? 0 : 1, true)
        // An object that a required to-one leads to stays as long as the owner is there.
        back.deleteRule = forward.isOptional ? .nullify : .deny
        entities[place].relationships.append(forward)
        entities[target].relationships.append(back)
        if isShared {
            notes.append(
                "\(entities[place].name).\(name) leads to the same objects again and again: the inverse is a to-many.")
        }
        if isToMany {
            notes.append(
                "\(entities[place].name).\(name) does not keep the order of the array: make it ordered if it matters.")
        }
    }
}
