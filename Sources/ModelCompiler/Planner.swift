import ModelFormat

/// Decides what the generated file of one model version says.
///
/// Problems are collected, so that a build names all of them at once.
struct Planner {
    let model: Model
    let module: String
    private(set) var problems: [String] = []
    private var otherModules: Set<String> = []

    init(model: Model, module: String) {
        self.model = model
        self.module = module
    }

    /// The classes of the entities that ask for code, in the model's order.
    mutating func file(modelName: String, versionName: String) -> FilePlan {
        let entities = model.entities.filter { $0.codeGeneration != .manual }
        checkClassNames(of: entities)
        let classes = entities.compactMap { managedClass(of: $0) }
        return FilePlan(
            modelName: modelName, versionName: versionName, module: module,
            otherModules: otherModules.sorted(), classes: classes)
    }

    // MARK: - Classes

    private mutating func checkClassNames(of entities: [Model.Entity]) {
        let named = entities.filter { $0.generatedOrWrittenClass != nil }
        let byClass = Dictionary(grouping: named, by: { $0.generatedOrWrittenClass?.className ?? "" })
        for (name, sharers) in byClass.sorted(by: { $0.key < $1.key }) where sharers.count > 1 {
            let names = sharers.map(\.name).sorted().joined(separator: " and ")
            problems.append("the entities \(names) ask for one generated class \(name): give each its own class")
        }
    }

    private mutating func managedClass(of entity: Model.Entity) -> ClassPlan? {
        // One without a class stays an NSManagedObject; `missing-class` says so.
        guard let reference = entity.generatedOrWrittenClass else { return nil }
        let name = reference.className
        guard SwiftNames.isIdentifier(name) else {
            problems.append("entity \(entity.name): no class can be generated with the name \(name)")
            return nil
        }
        guard let lineage = lineage(of: entity) else { return nil }
        let superclass = lineage.dropLast().last { $0.generatedOrWrittenClass != nil }
        let withoutClass = lineage.suffix(while: { $0.name != superclass?.name })
        let slots = Layout(lineage: lineage).slots
        let properties = withoutClass.flatMap { self.properties(of: $0, slots: slots) }
        return ClassPlan(
            entity: entity.name, name: name, module: reference.moduleName ?? module,
            superclass: superclass.map { className(of: $0) } ?? "NSManagedObject",
            form: entity.codeGeneration == .classDefinition ? .definition : .accessors,
            requestPlace: requestPlace(of: entity, lineage, superclass), isAbstract: entity.isAbstract,
            isIdentifiable: superclass == nil && properties.allSatisfy(\.allowsIdentity),
            documentation: entity.userInfo.documentation, properties: properties, requests: requests(for: entity))
    }

    /// Where `fetchRequest()` of an entity's class stands.
    ///
    /// A class above it that is written by hand may have one of its own, in the class as Xcode writes it, which would be
    /// preferred to one in an extension of a protocol.
    private func requestPlace(
        of entity: Model.Entity, _ lineage: [Model.Entity], _ superclass: Model.Entity?
    ) -> ClassPlan.RequestPlace {
        let isWrittenAbove = lineage.dropLast().contains {
            $0.codeGeneration == .manual && $0.generatedOrWrittenClass != nil
        }
        if isWrittenAbove { return .member }
        let isAlone = superclass == nil && !model.entities.contains { $0.parentName == entity.name }
        return isAlone ? .member : .resultExtension
    }

    /// The entity and its ancestors, the oldest first.
    private mutating func lineage(of entity: Model.Entity) -> [Model.Entity]? {
        var lineage = [entity]
        while let parentName = lineage[0].parentName {
            guard let parent = model.entity(named: parentName) else {
                problems.append("the parent of entity \(lineage[0].name), \(parentName), is not in the model")
                return nil
            }
            guard !lineage.contains(where: { $0.name == parentName }) else {
                problems.append("entity \(entity.name) inherits from itself")
                return nil
            }
            lineage.insert(parent, at: 0)
        }
        return lineage
    }

    /// The Swift name of an entity's class.
    ///
    /// The module is left out: a class of another module comes in with an `import`, and many models name a module that
    /// the target is not called.
    mutating func className(of entity: Model.Entity) -> String {
        guard let reference = entity.generatedOrWrittenClass else { return "NSManagedObject" }
        return spelling(of: reference)
    }

    mutating func spelling(of reference: ClassReference) -> String {
        if let other = reference.moduleName, other != module, SwiftNames.isIdentifier(other) {
            if !["CoreData", "Foundation", "Swift"].contains(other) { otherModules.insert(other) }
        }
        guard reference.className != "Any" else { return "Any" }
        return reference.className.split(separator: ".").map { SwiftNames.escaped(String($0)) }.joined(separator: ".")
    }

    // MARK: - Properties

    private mutating func properties(of entity: Model.Entity, slots: [String: Int]) -> [PropertyPlan] {
        let plans =
            entity.attributes.map { attribute($0) }
            + entity.relationships.compactMap { relationship($0, of: entity) }
            + entity.fetchedProperties.compactMap { fetchedProperty($0, of: entity) }
        return plans.compactMap { plan in
            guard isUsable(plan.name, of: entity), let slot = slots[plan.name] else { return nil }
            var plan = plan
            plan.slot = slot
            return plan
        }.sorted { $0.slot < $1.slot }
    }

    private mutating func isUsable(_ name: String, of entity: Model.Entity) -> Bool {
        if Self.takenNames.contains(name) {
            problems.append(
                "\(entity.name).\(name): every managed object has a member \(name) already; rename the property")
            return false
        }
        guard SwiftNames.isMemberName(name) else {
            problems.append("\(entity.name).\(name): Swift has no property of that name; rename it")
            return false
        }
        return true
    }

    private mutating func attribute(_ attribute: Model.Attribute) -> PropertyPlan {
        let custom = attribute.customClass.map { spelling(of: $0) } ?? ""
        return PropertyPlan(
            name: attribute.name, slot: 0, kind: attribute.kind(customClass: custom),
            documentation: attribute.userInfo.documentation, summary: attribute.summary)
    }

    private mutating func relationship(_ relationship: Model.Relationship, of entity: Model.Entity) -> PropertyPlan? {
        guard let destination = destination(relationship.destinationName, of: relationship.name, in: entity) else {
            return nil
        }
        let type = className(of: destination)
        let kind: PropertyPlan.Kind =
            if !relationship.isToMany {
                .toOne(type: type)
            } else if let isArray = isArray(relationship, of: entity) {
                .members(type: type, isArray: isArray, isOrdered: relationship.isOrdered)
            } else {
                .toMany(type: type, isOrdered: relationship.isOrdered)
            }
        return PropertyPlan(
            name: relationship.name, slot: 0, kind: kind, documentation: relationship.userInfo.documentation,
            summary: relationship.summary)
    }

    /// Whether the property of a to-many relationship is an array, or a set, as its user info says under `swiftCollection`; nil: it
    /// is an `NSSet` or `NSOrderedSet`.
    private mutating func isArray(_ relationship: Model.Relationship, of entity: Model.Entity) -> Bool? {
        guard let collection = relationship.userInfo?["swiftCollection"]?.string else { return nil }
        if collection == "Array" || collection == "Set" && !relationship.isOrdered { return collection == "Array" }
        problems.append(
            "\(entity.name).\(relationship.name): the user info says swiftCollection = \(collection); write \(relationship.isOrdered ? "Array" : "Set or Array")"
        )
        return nil
    }

    private mutating func fetchedProperty(_ property: Model.FetchedProperty, of entity: Model.Entity) -> PropertyPlan? {
        guard let destination = destination(property.fetchRequest?.entityName, of: property.name, in: entity) else {
            return nil
        }
        let kind = PropertyPlan.Kind.fetched(type: className(of: destination))
        return PropertyPlan(
            name: property.name, slot: 0, kind: kind, documentation: property.userInfo.documentation,
            summary: property.summary)
    }

    private mutating func destination(_ name: String?, of property: String, in entity: Model.Entity) -> Model.Entity? {
        guard let name else {
            problems.append("\(entity.name).\(property) has no destination entity")
            return nil
        }
        guard let destination = model.entity(named: name) else {
            problems.append("\(entity.name).\(property) leads to \(name), an entity that is not in the model")
            return nil
        }
        return destination
    }

    /// The properties that every managed object has, and that a class can't redeclare with another meaning.
    private static let takenNames: Set<String> = [
        "classForCoder", "debugDescription", "description", "entity", "faultingState", "hasChanges",
        "hasPersistentChangedValues", "hash", "hashValue", "isDeleted", "isFault", "isInserted", "isUpdated",
        "managedObjectContext", "objectID", "observationInfo", "superclass",
    ]
}

extension Model.Entity {
    /// The class that represents the entity, unless it is `NSManagedObject` itself.
    fileprivate var generatedOrWrittenClass: ClassReference? {
        guard let representedClass, !["", "NSManagedObject"].contains(representedClass.className) else { return nil }
        return representedClass
    }
}

extension Array {
    /// The longest tail whose elements all satisfy the condition.
    fileprivate func suffix(while condition: (Element) -> Bool) -> ArraySlice<Element> {
        self[((lastIndex { !condition($0) } ?? -1) + 1)...]
    }
}

extension PropertyPlan {
    /// Whether a class with this property can be `Identifiable`: an `id` has to be hashable.
    fileprivate var allowsIdentity: Bool {
        guard name == "id", case .transformable(let type) = kind else { return true }
        return ["NSObject", "NSNumber"].contains(type)
    }
}
