import SwiftSources

/// The inside of a generated class: keys, `fetchRequest()`, accessors.
extension SwiftText {
    mutating func members(of plan: ClassPlan) {
        keys(of: plan.properties)
        if plan.requestPlace == .member {
            fetchRequest(of: plan, declaration: "@nonobjc public class func")
        }
        for (index, property) in plan.properties.enumerated() {
            if index > 0 || plan.requestPlace == .member { line() }
            self.property(property)
        }
        keyConstants(of: plan.properties)
        plan.requests.forEach { request($0) }
    }

    /// `fetchRequest()` of a class that has relatives, beside the class.
    mutating func requestExtension(of plan: ClassPlan) {
        block("nonisolated extension NSFetchRequestResult where Self: \(SwiftNames.escaped(plan.name))") {
            // A class that is written by hand may be internal, and what has it as a requirement can't be more.
            $0.fetchRequest(of: plan, declaration: plan.form == .definition ? "public static func" : "static func")
        }
    }

    private mutating func keys(of properties: [PropertyPlan]) {
        guard !properties.isEmpty else { return }
        block("private nonisolated enum _Key") { block in
            for property in properties {
                let key = "ManagedKey(\(SwiftNames.literal(property.name)), slot: \(property.slot))"
                block.line("static let \(SwiftNames.escaped(property.name)) = \(key)")
            }
        }
        line()
    }

    /// The names of the class's own properties, for all code; `_Key` is for the accessors.
    private mutating func keyConstants(of properties: [PropertyPlan]) {
        guard !properties.isEmpty else { return }
        line()
        comment("The names of the properties, for sort descriptors, predicates and key-value coding.")
        block("public nonisolated enum ModelKey") { block in
            for property in properties {
                let name = SwiftNames.escaped(property.name)
                block.line("public static let \(name) = \(SwiftNames.literal(property.name))")
            }
        }
    }

    /// The function for one of the model's fetch request templates.
    private mutating func request(_ request: RequestPlan) {
        let parameters = request.parameters.map { "\(SwiftNames.escaped($0.name)): \($0.type)" }.joined(separator: ", ")
        let variables = request.parameters.map {
            "\(SwiftNames.literal($0.variable)): \(SwiftNames.escaped($0.name))"
        }
        let values = variables.isEmpty ? ":" : variables.joined(separator: ", ")
        line()
        comment(request.summary)
        block("public class func \(request.function)(\(parameters)) -> NSFetchRequest<\(request.resultType)>") {
            $0.line("managedFetchRequest(\(SwiftNames.literal(request.template)), [\(values)])")
        }
    }

    private mutating func fetchRequest(of plan: ClassPlan, declaration: String) {
        let type = "NSFetchRequest<\(SwiftNames.escaped(plan.name))>"
        comment("A new request for the objects of the entity `\(plan.entity)`.")
        block("\(declaration) fetchRequest() -> \(type)") {
            $0.line("\(type)(entityName: \(SwiftNames.literal(plan.entity)))")
        }
    }

    private mutating func property(_ property: PropertyPlan) {
        comment(property.documentation, property.summary)
        switch property.kind {
        case .value(let type): accessor(property, type, get: "managedValue", set: "setManagedValue")
        case .timeInterval: timeInterval(property)
        case .transformable(let type):
            accessor(property, type + "?", get: "managedTransformable", set: "setManagedTransformable")
        case .toOne(let type): accessor(property, type + "?", get: "managedToOne", set: "setManagedToOne")
        case .toMany(let type, isOrdered: false):
            accessor(property, "NSSet?", get: "managedToMany", set: "setManagedToMany")
            members(of: property, type, set: "NSSet")
        case .toMany(let type, isOrdered: true):
            accessor(property, "NSOrderedSet?", get: "managedOrderedToMany", set: "setManagedToMany")
            members(of: property, type, set: "NSOrderedSet")
            orderedMembers(of: property, type)
        case .members(let type, let isArray, let isOrdered):
            typedMembers(property, isArray ? "[\(type)]" : "Set<\(type)>", isArray: isArray)
            members(of: property, type, set: isOrdered ? "NSOrderedSet" : "NSSet")
            if isOrdered { orderedMembers(of: property, type) }
        case .fetched(let type): accessor(property, "[\(type)]?", get: "managedFetched", set: nil)
        }
    }

    // MARK: - Properties

    private mutating func accessor(_ property: PropertyPlan, _ type: String, get: String, set: String?) {
        variable(
            property, type, get: "\(get)(\(property.key))", set: set.map { "\($0)(newValue, \(property.key))" })
    }

    private mutating func typedMembers(_ property: PropertyPlan, _ type: String, isArray: Bool) {
        let (get, set) = isArray ? ("managedFetched", "setManagedFetched") : ("managedMembers", "setManagedMembers")
        variable(
            property, type, get: "\(get)(\(property.key)) ?? []", set: "\(set)(newValue, \(property.key))")
    }

    private mutating func timeInterval(_ property: PropertyPlan) {
        variable(
            property, "TimeInterval",
            get: "(managedValue(\(property.key)) as Date?)?.timeIntervalSinceReferenceDate ?? 0",
            set: "setManagedValue(Date(timeIntervalSinceReferenceDate: newValue), \(property.key))")
    }

    private mutating func variable(_ property: PropertyPlan, _ type: String, get: String, set: String?) {
        block("public var \(SwiftNames.escaped(property.name)): \(type)") {
            guard let set else { return $0.line(get) }
            $0.line("get { \(get) }")
            $0.line("set { \(set) }")
        }
    }

    // MARK: - Members of to-many relationships

    private mutating func members(of property: PropertyPlan, _ type: String, set: String) {
        let key = property.key
        let name = SwiftNames.capitalised(property.name)
        line()
        function("addTo\(name)(_ value: \(type))", "insertManaged(value, into: \(key))")
        function("removeFrom\(name)(_ value: \(type))", "removeManaged(value, from: \(key))")
        function("addTo\(name)(_ values: \(set))", "insertManaged(values, into: \(key))")
        function("removeFrom\(name)(_ values: \(set))", "removeManaged(values, from: \(key))")
    }

    private mutating func orderedMembers(of property: PropertyPlan, _ type: String) {
        let key = property.key
        let name = SwiftNames.capitalised(property.name)
        let some = "at indexes: NSIndexSet"
        function("insertInto\(name)(_ value: \(type), at idx: Int)", "insertManaged(value, at: idx, into: \(key))")
        function("removeFrom\(name)(at idx: Int)", "removeManaged(at: idx, from: \(key))")
        function("insertInto\(name)(_ values: [\(type)], \(some))", "insertManaged(values, at: indexes, into: \(key))")
        function("removeFrom\(name)(\(some))", "removeManaged(at: indexes, from: \(key))")
        function("replace\(name)(at idx: Int, with value: \(type))", "replaceManaged(at: idx, with: value, in: \(key))")
        function(
            "replace\(name)(\(some), with values: [\(type)])", "replaceManaged(at: indexes, with: values, in: \(key))")
    }

    private mutating func function(_ signature: String, _ body: String) {
        line("public func \(signature) { \(body) }")
    }
}

extension PropertyPlan {
    /// The key's constant, as the class spells it.
    fileprivate var key: String { "_Key.\(SwiftNames.escaped(name))" }
}
