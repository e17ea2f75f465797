import ModelFormat

/// What the models of a target say of classes: which entities have a class, and at which index each property is.
struct EntityTable {
    private struct Entity {
        var slots: [String: Int]
    }

    private var entities: [String: [Entity]] = [:]
    /// The classes that are generated from the models, with their superclasses.
    private(set) var generatedClasses: [(name: String, superclass: String?)] = []

    /// - Parameters:
    ///   - models: Those of the target itself, which classes are generated from.
    ///   - others: Those of other targets, whose entities may have classes here.
    init(models: [Model], others: [Model] = []) {
        for (index, model) in (models + others).enumerated() {
            for entity in model.entities {
                guard let name = entity.className else { continue }
                let lineage = model.lineage(of: entity)
                entities[name, default: []].append(Entity(slots: Layout(lineage: lineage).slots))
                if index < models.count, entity.codeGeneration == .classDefinition {
                    let superclass = lineage.dropLast().last { $0.className != nil }?.className
                    generatedClasses.append((name, superclass))
                }
            }
        }
    }

    /// Whether a model has an entity with this class.
    func knows(_ className: String) -> Bool { entities[className] != nil }

    /// The index of a property; nil where no model says.
    func slot(of property: String, in className: String) -> Int? {
        entities[className]?.lazy.compactMap { $0.slots[property] }.first
    }

    /// The property whose name begins with a capital in `addToPlayers`.
    func property(capitalised name: String, in className: String) -> String? {
        let names = (entities[className] ?? []).flatMap(\.slots.keys)
        return names.sorted().first { SwiftNames.capitalised($0) == name }
    }
}

extension Model.Entity {
    /// The name of the class, without a module; nil for `NSManagedObject`.
    fileprivate var className: String? {
        guard let name = representedClass?.className, !["", "NSManagedObject"].contains(name) else { return nil }
        return name
    }
}

extension Model {
    /// An entity and those above it, the oldest first.
    fileprivate func lineage(of entity: Entity) -> [Entity] {
        var lineage = [entity]
        while let name = lineage[0].parentName, let parent = self.entity(named: name),
            !lineage.contains(where: { $0.name == name })
        {
            lineage.insert(parent, at: 0)
        }
        return lineage
    }
}
