import SwiftSources
/// Decides what has to be generated for the managed classes of a module.
///
/// Problems are collected, so that a build names all of them at once.
final class BodyPlanner {
    let module: SourceModule
    let resolver: TypeResolver
    let entities: EntityTable
    private(set) var diagnostics: [SourceDiagnostic] = []
    private var classes: [String: ClassBodies] = [:]
    /// The classes' keys in the order of the sources.
    private var order: [String] = []
    private var imports: Set<String> = []
    private var functionNames: Set<String> = []

    init(library: ModuleLibrary, entities: EntityTable) {
        module = library.own
        resolver = TypeResolver(library: library)
        self.entities = entities
    }

    func plan() -> BodyPlan {
        for (index, source) in module.sources.enumerated() {
            for scope in source.scopes.indices { add(SourceModule.Place(source: index, scope: scope)) }
        }
        return BodyPlan(
            module: module.name, imports: imports.subtracting(["CoreData", "Foundation", module.name]).sorted(),
            classes: order.compactMap { classes[$0] })
    }

    // MARK: - Scopes

    private func add(_ place: SourceModule.Place) {
        let source = module.source(place)
        guard let scope = module.scope(place), scope.kind == .class || scope.kind == .extension,
            !BuildCondition.excludes(scope.conditions)
        else { return }
        let properties = source.properties.filter { $0.scope == place.scope && !BuildCondition.excludes($0.conditions) }
        let functions = source.functions.filter { $0.scope == place.scope && !BuildCondition.excludes($0.conditions) }
        let hasManaged = properties.contains(where: \.isManaged) || functions.contains(where: \.isManaged)
        let context = TypeResolver.Context(module: module, place: place)
        // What has no members of interest is passed by, unless its class has to be registered.
        let methods = source.methods.filter { $0.scope == place.scope && !BuildCondition.excludes($0.conditions) }
        let isEmpty = properties.isEmpty && functions.isEmpty && methods.isEmpty
        guard hasManaged || scope.kind == .class || !isEmpty else { return }
        guard let owner = owner(context, scope, source) else {
            if hasManaged {
                report(
                    scope.offset, source, scope.conditions,
                    "there is no class \(scope.path.joined(separator: ".")) in this target or in what the file imports; @NSManaged belongs into a class"
                )
            }
            return
        }
        guard hasManaged || resolver.isManaged(owner.type) else { return addPolicy(methods, owner) }
        imports.formUnion(source.imports.map(\.module))
        if !owner.isExtension { declare(owner) }
        for property in properties where property.isManaged { add(property, owner) }
        for function in functions where function.isManaged { add(function, owner) }
        addMembers(properties, functions, owner)
    }

    private func owner(_ context: TypeResolver.Context, _ scope: ScannedScope, _ source: ScannedSource) -> Owner? {
        guard let type = resolver.nominal(context), type.kind == .class else { return nil }
        let declared = scope.kind == .extension ? resolver.extended(context).first : context
        let declaration = declared.flatMap { $0.module.scope($0.place) }
        return Owner(
            type: type, context: context, scope: scope, source: source,
            isPrivate: resolver.isPrivate(context), isExtension: scope.kind == .extension,
            isGeneric: declaration?.genericParameters.isEmpty == false,
            names: [declaration?.objcName, type.path.map(\.name).joined(separator: ".")].compactMap { $0 })
    }

    /// Notes the class of an owner that is the declaration itself.
    private func declare(_ owner: Owner) {
        bodies(owner) { bodies in
            bodies.alternatives.append(owner.scope.conditions)
            guard !owner.isPrivate, !owner.isGeneric, !owner.source.path.isEmpty else { return }
            for name in owner.names where !bodies.registeredNames.contains(name) { bodies.registeredNames.append(name) }
        }
    }

    // MARK: - Properties

    private func add(_ property: ScannedProperty, _ owner: Owner) {
        guard let syntax = property.type else {
            return report(
                property.offset, owner, property.conditions,
                "the type of the managed property \(property.name) has to be written: var \(property.name): String?")
        }
        let key = key(of: property, owner)
        for meaning in meanings(of: syntax, named: property.name, property.offset, property.conditions, owner) {
            let conditions = property.conditions + meaning.conditions
            guard let type = nameable(meaning, property.name, property.offset, conditions, owner) else { continue }
            let access = ValueAccess(meaning.type) { resolver.isManaged($0) }
            let symbol = member(property.name, property.access, owner)
            let constant = "\(owner.keysName).\(SwiftNames.escaped(key.name))"
            var setter = access.setter(constant, isOptional: meaning.type.isOptional)
            if key.isPrimitive { setter = "setManagedPrimitive(value, \(constant))" }
            let code = AccessorCode(
                getter: access.getter(constant, type.unwrapped, isOptional: meaning.type.isOptional), setter: setter,
                type: type.spelling, keyword: keyword(meaning.access, owner))
            add(code, symbol, meaning.type, property.name, conditions, owner)
            if access.isNumber, !meaning.type.isOptional, !key.isPrimitive, !owner.isPrivate, !owner.isGeneric {
                bodies(owner) { $0.members.append(.init(key: key.name, kind: .scalar, conditions: conditions)) }
            }
        }
        note(key.name, owner, property.offset, property.conditions)
    }

    private struct AccessorCode {
        var getter: String
        var setter: String
        var type: String
        var keyword: String
    }

    private func add(
        _ code: AccessorCode, _ symbol: MemberSymbol, _ type: SwiftType, _ name: String, _ conditions: [String],
        _ owner: Owner
    ) {
        add(
            .init(
                symbol: SymbolMangler.accessor(symbol, type: type, isSetter: false), access: code.keyword,
                name: functionName(owner, "get_\(name)"), signature: "() -> \(code.type)", body: code.getter,
                conditions: conditions), owner)
        add(
            .init(
                symbol: SymbolMangler.accessor(symbol, type: type, isSetter: true), access: code.keyword,
                name: functionName(owner, "set_\(name)"), signature: "(_ value: __owned \(code.type))",
                body: code.setter, conditions: conditions), owner)
    }

    /// The model's property that a declaration stands for: `primitiveName` for `name`.
    private func key(of property: ScannedProperty, _ owner: Owner) -> (name: String, isPrimitive: Bool) {
        let rest = property.name.dropFirst("primitive".count)
        guard property.name.hasPrefix("primitive"), rest.first?.isUppercase == true,
            slot(of: property.name, owner) == nil
        else { return (property.name, false) }
        return (self.property(capitalised: String(rest), owner), true)
    }

    // MARK: - Functions

    private func add(_ function: ScannedFunction, _ owner: Owner) {
        let scanned = function
        guard !scanned.hasEffects, let managed = operation(of: function) else {
            return report(
                function.offset, owner, function.conditions,
                "\(function.name) is none of the methods that Core Data provides (addToX, removeFromX, insertIntoX(_:at:), removeFromX(at:), replaceX(at:with:), primitiveX, setPrimitiveX); write its body instead of @NSManaged"
            )
        }
        guard let types = signature(of: function, owner) else { return }
        let key = property(capitalised: managed.capitalisedProperty, owner)
        let constant = "\(owner.keysName).\(SwiftNames.escaped(key))"
        for signature in types {
            guard signature.isAccepted(by: managed.operation, isManaged: { resolver.isManaged($0) }) else {
                report(
                    function.offset, owner, function.conditions,
                    "\(function.name) can't have these parameters; members are \(owner.exampleMember), NSSet, NSOrderedSet, Set or an array, places are Int, IndexSet or NSIndexSet"
                )
                continue
            }
            let symbol = SymbolMangler.method(
                member(function.name, function.access, owner),
                parameters: zip(function.parameters, signature.parameters).map { .init(label: $0.label, type: $1) },
                result: signature.result)
            add(
                .init(
                    symbol: symbol, access: keyword(signature.access, owner),
                    name: functionName(owner, function.name), signature: signature.text,
                    body: body(of: managed.operation, constant, signature), conditions: signature.conditions), owner)
        }
        note(key, owner, function.offset, function.conditions)
    }

    private func operation(of function: ScannedFunction) -> ManagedFunction? {
        let takesIndexes = function.parameters.first.map { $0.type.takesIndexes } ?? false
        if let selector = function.selector {
            let pieces = selector.split(separator: ":").map(String.init)
            let labels: [String?] = function.parameters.isEmpty ? [] : [nil] + pieces.dropFirst().map { $0 }
            if let first = pieces.first,
                let operation = ManagedFunction(name: first, labels: labels, takesIndexes: takesIndexes)
            {
                return operation
            }
        }
        return ManagedFunction(
            name: function.name, labels: function.parameters.map(\.label), takesIndexes: takesIndexes)
    }

    private func body(of operation: ManagedFunction.Operation, _ key: String, _ signature: Signature) -> String {
        let access = ValueAccess(signature.result) { resolver.isManaged($0) }
        return switch operation {
        case .insert: "insertManaged(value, into: \(key))"
        case .remove: "removeManaged(value, from: \(key))"
        case .insertAt: "insertManaged(value, at: value1, into: \(key))"
        case .removeAt: "removeManaged(at: value, from: \(key))"
        case .replaceAt: "replaceManaged(at: value, with: value1, in: \(key))"
        case .primitive:
            access.getter(key, signature.resultSpelling.unwrapped, isOptional: signature.result.isOptional)
        case .setPrimitive: "setManagedPrimitive(value, \(key))"
        }
    }

    /// The types of a method's parameters and result, for each choice of what they mean.
    private func signature(of function: ScannedFunction, _ owner: Owner) -> [Signature]? {
        var signatures = [Signature(conditions: function.conditions)]
        for (index, parameter) in function.parameters.enumerated() {
            let types = named(parameter.type, function, owner)
            signatures = signatures.flatMap { signature in types.map { signature.adding($0, index: index) } }
        }
        if let result = function.result {
            let types = named(result, function, owner)
            signatures = signatures.flatMap { signature in types.map { signature.with(result: $0) } }
        }
        return signatures.isEmpty ? nil : signatures
    }

    private func named(
        _ syntax: TypeSyntax, _ function: ScannedFunction, _ owner: Owner
    ) -> [(meaning: TypeResolver.Meaning, spelling: TypeSpelling)] {
        meanings(of: syntax, named: function.name, function.offset, function.conditions, owner).compactMap { meaning in
            nameable(meaning, function.name, function.offset, function.conditions + meaning.conditions, owner).map {
                (meaning, $0)
            }
        }
    }

    // MARK: - Types

    private func meanings(
        of syntax: TypeSyntax, named name: String, _ offset: Int, _ conditions: [String], _ owner: Owner
    ) -> [TypeResolver.Meaning] {
        guard !owner.isGeneric else {
            report(
                offset, owner, conditions,
                "\(name) is managed in the generic class \(owner.type.spelling): move it to a class that is not")
            return []
        }
        do {
            return try resolver.resolve(syntax, in: owner.context).filter { !BuildCondition.excludes($0.conditions) }
        } catch {
            report(
                offset, owner, conditions,
                "the type of \(name) can't be told: \(error.reason); \(owner.remedy(for: name))")
            return []
        }
    }

    /// How generated code spells a type; reports one that it can't.
    private func nameable(
        _ meaning: TypeResolver.Meaning, _ name: String, _ offset: Int, _ conditions: [String], _ owner: Owner
    ) -> TypeSpelling? {
        if meaning.access > .fileprivate { return TypeSpelling(meaning.type, in: module) }
        if case .nominal(let type) = meaning.type.unwrapped, resolver.isManaged(type) {
            let hidden = SwiftType.nominal(.managedObject)
            return TypeSpelling(meaning.type.isOptional ? .optional(hidden) : hidden, in: module)
        }
        report(
            offset, owner, conditions,
            "the type of \(name) is private to its file, where generated code can't name it: make it internal")
        return nil
    }

    /// The keyword of an accessor: as visible as its types allow, for other modules refer to it.
    private func keyword(_ access: AccessLevel, _ owner: Owner) -> String {
        if owner.isPrivate { return "" }
        return access >= .public ? "public " : access == .package ? "package " : ""
    }

    private func member(_ name: String, _ access: AccessLevel?, _ owner: Owner) -> MemberSymbol {
        let isPrivate = (access ?? resolver.defaultAccess(in: owner.context)) <= .fileprivate && !owner.isPrivate
        return MemberSymbol(
            owner: owner.type,
            extensionModule: owner.isExtension && owner.type.module != module.name ? module.name : nil, name: name,
            discriminator: isPrivate ? resolver.discriminator(owner.context) : nil)
    }

    // MARK: - Keys

    private func slot(of property: String, _ owner: Owner) -> Int? {
        owner.names.lazy.compactMap { self.entities.slot(of: property, in: $0) }.first
    }

    private func property(capitalised name: String, _ owner: Owner) -> String {
        owner.names.lazy.compactMap { self.entities.property(capitalised: name, in: $0) }.first
            ?? name.prefix(1).lowercased() + name.dropFirst()
    }

    /// Remembers a key, and warns of one that the class's entity does not have.
    private func note(_ key: String, _ owner: Owner, _ offset: Int, _ conditions: [String]) {
        let slot = slot(of: key, owner)
        if slot == nil, let known = owner.names.first(where: { entities.knows($0) }) {
            diagnostics.append(
                owner.diagnostic(
                    .warning, offset, conditions, "the entity of class \(known) has no property \"\(key)\" in the model"
                ))
        }
        bodies(owner) { bodies in
            if !bodies.keys.contains(where: { $0.name == key }) { bodies.keys.append(.init(name: key, slot: slot)) }
        }
    }

    // MARK: - Members

    /// What key-value coding reaches beside what the model knows.
    private func addMembers(_ properties: [ScannedProperty], _ functions: [ScannedFunction], _ owner: Owner) {
        guard !owner.isPrivate, !owner.isGeneric else { return }
        let isVisible = { [resolver] (access: AccessLevel?) in
            (access ?? resolver.defaultAccess(in: owner.context)) > .fileprivate
        }
        bodies(owner) { bodies in
            for property in properties
            where !property.isManaged && !property.isOutOfReach && isVisible(property.access) && property.name != "_" {
                // What the model knows too is the model's, unless Objective-C would see the property.
                if !property.isObjC, slot(of: property.name, owner) != nil { continue }
                let isSettable = property.isSettable && isVisible(property.setterAccess ?? property.access)
                let access: ClassBodies.Member.Access =
                    !isSettable ? .readOnly : property.hasMacros ? .decidedByMacro : .readWrite
                bodies.members.append(
                    .init(
                        key: property.name, kind: .property(access, isObjC: property.isObjC),
                        conditions: property.conditions))
            }
            for function in functions where function.isValidation && isVisible(function.access) {
                let rest = function.name.dropFirst("validate".count)
                let key = property(capitalised: String(rest), owner)
                bodies.members.append(
                    .init(key: key, kind: .validation(method: function.name), conditions: function.conditions))
            }
        }
    }

    // MARK: - Migration policies

    /// Notes a class of migration policies, and the methods that expressions may call.
    private func addPolicy(_ methods: [ScannedFunction], _ owner: Owner) {
        guard !owner.isPrivate, !owner.isGeneric, resolver.isPolicy(owner.type) else { return }
        imports.formUnion(owner.source.imports.map(\.module))
        if !owner.isExtension { declare(owner) }
        let visible = methods.filter { ($0.access ?? resolver.defaultAccess(in: owner.context)) > .fileprivate }
        bodies(owner) { bodies in
            bodies.isPolicy = true
            bodies.methods += visible.compactMap { PolicyMethod($0) }
        }
    }

    // MARK: - Output

    private func add(_ function: ClassBodies.Function, _ owner: Owner) {
        bodies(owner) { $0.functions.append(function) }
    }

    private func bodies(_ owner: Owner, _ change: (inout ClassBodies) -> Void) {
        let key = owner.type.key
        if classes[key] == nil {
            order.append(key)
            classes[key] = ClassBodies(
                spelling: owner.type.spelling,
                extended: owner.isPrivate ? "NSManagedObject" : TypeSpelling(.nominal(owner.type), in: module).spelling,
                identifier: owner.identifier)
        }
        if let index = classes.index(forKey: key) { change(&classes.values[index]) }
    }

    private func functionName(_ owner: Owner, _ name: String) -> String {
        let base = "_\(module.name)_\(owner.identifier)_\(name)".identifier
        var unique = base
        var number = 2
        while !functionNames.insert(unique).inserted {
            unique = "\(base)_\(number)"
            number += 1
        }
        return unique
    }

    private func report(_ offset: Int, _ owner: Owner, _ conditions: [String], _ sentence: String) {
        diagnostics.append(owner.diagnostic(.error, offset, conditions, sentence))
    }

    private func report(_ offset: Int, _ source: ScannedSource, _ conditions: [String], _ sentence: String) {
        diagnostics.append(SourceDiagnostic(.error, source, offset, conditions, sentence))
    }
}
