import SwiftSources

/// What the models of a target say of classes: which entities have a class, and at which index each property is.
package struct EntityTable {
    private struct Entity {
        var slots: [String: Int]
    }

    private var entities: [String: [Entity]] = [:]
    /// The classes that are generated from the models, with their superclasses.
    private(set) var generatedClasses: [(name: String, superclass: String?)] = []

    /// A table of no entities.
    package init() {}

    /// Adds an entity.
    ///
    /// - Parameters:
    ///   - className: its class.
    ///   - slots: the index of each property.
    package mutating func add(_ className: String, slots: [String: Int]) {
        entities[className, default: []].append(Entity(slots: slots))
    }

    /// Adds a class that is generated from a model.
    package mutating func addGenerated(_ className: String, superclass: String?) {
        generatedClasses.append((className, superclass))
    }

    /// The generated classes, as if they had been scanned.
    package var generatedSource: ScannedSource {
        var source = ScannedSource(path: "")
        source.scopes = generatedClasses.map { name, superclass in
            ScannedScope(classNamed: name, access: .public, superclass: superclass ?? "NSManagedObject")
        }
        return source
    }

    /// Whether a model has an entity with this class.
    func knows(_ className: String) -> Bool { entities[className] != nil }

    /// The index of a property; nil where no model says.
    func slot(of property: String, in className: String) -> Int? {
        entities[className]?.lazy.compactMap { $0.slots[property] }.first
    }

    /// The property that has its name with a capital in `addToPlayers`.
    func property(capitalised name: String, in className: String) -> String? {
        let names = (entities[className] ?? []).flatMap(\.slots.keys)
        return names.sorted().first { SwiftNames.capitalised($0) == name }
    }
}
