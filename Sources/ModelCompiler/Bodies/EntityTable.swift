import ModelFormat
import SwiftSources

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
        // Of a model that is too large to compile, which its own compilation tells, nothing is known.
        for (index, model) in (models + others).enumerated() where model.excess == nil {
            let lines = EntityLines(model)
            for (position, entity) in model.entities.enumerated() {
                guard let name = entity.ownClass?.className else { continue }
                entities[name, default: []].append(Entity(slots: lines.layouts[position].slots))
                if index < models.count, entity.codeGeneration == .classDefinition {
                    let superclass = lines.classesAbove[position].flatMap { model.entities[$0].ownClass?.className }
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
