import DocumentDiagnostics
import ModelFormat
import PropertyLists
import SwiftSources

/// Decides what the generated file of one model version says.
///
/// Problems are collected, so that a build names all of them at once.
struct Planner {
    let model: Model
    let module: String
    private(set) var problems: [String] = []
    private var otherModules: Set<String> = []
    let lines: EntityLines
    let inheritance: InheritanceTree
    /// The fetch request templates by the names of their entities.
    let requestsByEntity: [String: [Model.FetchRequest]]

    init(model: Model, module: String) {
        self.module = module
        let excess = model.excess
        if let excess { problems.append(excess.text) }
        // Of a model that is too large nothing is planned.
        self.model = excess == nil ? model : Model()
        lines = EntityLines(self.model)
        inheritance = InheritanceTree(self.model)
        requestsByEntity = Dictionary(grouping: self.model.fetchRequests) { $0.entityName ?? "" }
    }

    /// Notes something that can't be said in Swift.
    private mutating func problem(_ sentence: Sentence) { problems.append(sentence.text) }

    /// The classes of the entities that ask for code, in the model's order.
    mutating func file(modelName: String, versionName: String) -> FilePlan {
        let entities = model.entities.filter { $0.codeGeneration != .manual }
        checkClassNames(of: entities)
        let classes = model.entities.indices.filter { model.entities[$0].codeGeneration != .manual }.compactMap {
            managedClass(of: $0)
        }
        return FilePlan(
            modelName: modelName, versionName: versionName, module: module,
            otherModules: otherModules.sorted(), classes: classes)
    }

    // MARK: - Classes

    private mutating func checkClassNames(of entities: [Model.Entity]) {
        let named = entities.filter { $0.ownClass != nil }
        let byClass = Dictionary(grouping: named, by: { $0.ownClass?.className ?? "" })
        for (name, sharers) in byClass.sorted(by: { $0.key < $1.key }) where sharers.count > 1 {
            let names = sharers.map(\.name).sorted().joined(separator: " and ")
            problem("the entities \(names) ask for one generated class \(name): give each its own class")
        }
    }

    private mutating func managedClass(of position: Int) -> ClassPlan? {
        let entity = model.entities[position]
        // One without a class stays an NSManagedObject; `missing-class` says so.
        guard let reference = entity.ownClass else { return nil }
        let name = reference.className
        guard SwiftNames.isIdentifier(name) else {
            problem("entity \(entity.name): no class can be generated with the name \(name)")
            return nil
        }
        guard hasSoundLine(position) else { return nil }
        let superclass = lines.classesAbove[position].map { model.entities[$0] }
        let slots = lines.layouts[position].slots
        let properties = lines.withoutClass(position).flatMap { self.properties(of: model.entities[$0], slots: slots) }
        return ClassPlan(
            entity: entity.name, name: name, module: reference.moduleName ?? module,
            superclass: superclass.map { className(of: $0) } ?? "NSManagedObject",
            form: entity.codeGeneration == .classDefinition ? .definition : .accessors,
            requestPlace: requestPlace(of: position), isAbstract: entity.isAbstract,
            isIdentifiable: superclass == nil && properties.allSatisfy(\.allowsIdentity),
            documentation: entity.userInfo.documentation, properties: properties, requests: requests(for: entity))
    }

    /// Where `fetchRequest()` of an entity's class stands.
    ///
    /// A class above it that is written by hand may have one of its own, in the class as Xcode writes it, which would
    /// be preferred to one in an extension of a protocol.
    private func requestPlace(of position: Int) -> ClassPlan.RequestPlace {
        if lines.isWrittenAbove[position] { return .member }
        let isAlone =
            lines.classesAbove[position] == nil && !lines.parentNames.contains(model.entities[position].name)
        return isAlone ? .member : .resultExtension
    }

    /// Whether an entity's parents end in one without a parent.
    private mutating func hasSoundLine(_ position: Int) -> Bool {
        switch lines.fault(of: position) {
        case nil: return true
        case .circle: problem("entity \(model.entities[position].name) inherits from itself")
        case .unknownParent(let child):
            let entity = model.entities[child]
            problem("the parent of entity \(entity.name), \(entity.parentName ?? ""), is not in the model")
        }
        return false
    }

    /// The Swift name of an entity's class.
    ///
    /// The module is left out: a class of another module comes in with an `import`, and many models name a module that
    /// the target is not called.
    mutating func className(of entity: Model.Entity) -> String {
        guard let reference = entity.ownClass else { return "NSManagedObject" }
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
            problem(
                "\(entity.name).\(name): every managed object has a member \(name) already; rename the property")
            return false
        }
        guard SwiftNames.isMemberName(name) else {
            problem("\(entity.name).\(name): Swift has no property of that name; rename it")
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

    /// Whether the property of a to-many relationship is an array, or a set, as its user info says under
    /// `swiftCollection`; nil: it is an `NSSet` or `NSOrderedSet`.
    private mutating func isArray(_ relationship: Model.Relationship, of entity: Model.Entity) -> Bool? {
        guard let collection = relationship.userInfo?["swiftCollection"]?.string else { return nil }
        if collection == "Array" || collection == "Set" && !relationship.isOrdered { return collection == "Array" }
        problem(
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
            problem("\(entity.name).\(property) has no destination entity")
            return nil
        }
        guard let destination = self.entity(named: name) else {
            problem("\(entity.name).\(property) leads to \(name), an entity that is not in the model")
            return nil
        }
        return destination
    }

    func entity(named name: String) -> Model.Entity? { lines.positions[name].map { model.entities[$0] } }

    /// The properties that every managed object has, and that a class can't redeclare with another meaning.
    private static let takenNames: Set<String> = [
        "classForCoder", "debugDescription", "description", "entity", "faultingState", "hasChanges",
        "hasPersistentChangedValues", "hash", "hashValue", "isDeleted", "isFault", "isInserted", "isUpdated",
        "managedObjectContext", "objectID", "observationInfo", "superclass",
    ]
}

extension PropertyPlan {
    /// Whether a class with this property can be `Identifiable`: an `id` has to be hashable.
    fileprivate var allowsIdentity: Bool {
        guard name == "id", case .transformable(let type) = kind else { return true }
        return ["NSObject", "NSNumber"].contains(type)
    }
}
