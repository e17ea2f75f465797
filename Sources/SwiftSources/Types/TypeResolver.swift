/// Why a type that is written somewhere can't be told.
package struct TypeProblem: Error, Equatable {
    /// A sentence's part: "there is no type Colour in this target or in what the file imports".
    package var reason: String
}

/// Finds the types that names mean, as the compiler would.
package final class TypeResolver {
    /// A type that a name may mean.
    package struct Meaning {
        package var type: SwiftType
        /// Under which conditions, where there are several such types.
        package var conditions: [String] = []
        /// Which code may use it.
        package var access = AccessLevel.open
    }

    /// A place in a module's sources.
    package struct Context {
        package var module: SourceModule
        package var place: SourceModule.Place

        package init(module: SourceModule, place: SourceModule.Place) {
            (self.module, self.place) = (module, place)
        }
    }

    let library: ModuleLibrary
    private var superclasses: [NominalType: NominalType?] = [:]

    package init(library: ModuleLibrary) { self.library = library }

    // MARK: - Types

    /// What a type that is written at a place means: one type, or one for each of several conditions.
    package func resolve(_ syntax: TypeSyntax, in context: Context) throws(TypeProblem) -> [Meaning] {
        switch syntax {
        case .named(let components): return try named(components, in: context)
        case .optional(let wrapped): return try resolve(wrapped, in: context).map { $0.with(.optional($0.type)) }
        case .array(let element): return try generic("Array", [element], in: context)
        case .dictionary(let key, let value): return try generic("Dictionary", [key, value], in: context)
        case .existential(let type): return try resolve(type, in: context)
        case .tuple(let elements):
            return try combinations(of: elements.map(\.type), in: context).map { types, meaning in
                meaning.with(.tuple(zip(elements, types).map { .init(label: $0.label, type: $1) }))
            }
        case .other(let what): throw TypeProblem(reason: "it is \(what)")
        }
    }

    private func generic(_ name: String, _ arguments: [TypeSyntax], in context: Context) throws(TypeProblem)
        -> [Meaning]
    {
        guard let generic = SystemTypes.generic(named: name), generic.count == arguments.count else {
            throw TypeProblem(reason: "\(name) takes other arguments")
        }
        return try combinations(of: arguments, in: context).map { types, meaning in
            meaning.with(.bound(generic.type, types))
        }
    }

    /// Each choice of one meaning for each of several types.
    private func combinations(
        of types: [TypeSyntax], in context: Context
    ) throws(TypeProblem) -> [([SwiftType], Meaning)] {
        var choices: [([SwiftType], Meaning)] = [([], Meaning(type: .void))]
        for type in types {
            let meanings = try resolve(type, in: context)
            choices = choices.flatMap { types, whole in
                meanings.map { meaning in
                    var whole = whole
                    whole.conditions += meaning.conditions
                    whole.access = min(whole.access, meaning.access)
                    return (types + [meaning.type], whole)
                }
            }
        }
        return choices
    }

    private func named(_ components: [TypeSyntax.Component], in context: Context) throws(TypeProblem) -> [Meaning] {
        let found = try declarations(of: components, in: context)
        if !found.isEmpty { return try meanings(of: found, written: components) }
        let rest = SystemTypes.isSystemModule(components[0].name) ? components.dropFirst() : components[...]
        guard rest.count == 1, let last = rest.first else {
            throw TypeProblem(
                reason: "there is no type \(components.spelling) in this target or in what the file imports")
        }
        if last.name == "Optional", last.arguments.count == 1 {
            return try resolve(.optional(last.arguments[0]), in: context)
        }
        if !last.arguments.isEmpty { return try generic(last.name, last.arguments, in: context) }
        guard let type = SystemTypes.type(named: last.name) else {
            throw TypeProblem(reason: "there is no type \(last.name) in this target or in what the file imports")
        }
        return [Meaning(type: type)]
    }

    // MARK: - Names

    /// The declarations that a name may mean, with the module of each.
    func declarations(of components: [TypeSyntax.Component], in context: Context) throws(TypeProblem) -> [Context] {
        let names = components.map(\.name)
        var found = try inScopes(names[0], in: context)
        if found.isEmpty { found = atTop(names[0], in: context) }
        if found.isEmpty, names.count > 1, let module = library.module(names[0]) {
            found = visible(module, [names[1]], from: context)
            return members(names.dropFirst(2), of: found)
        }
        return members(names.dropFirst(), of: found)
    }

    private func members(_ names: ArraySlice<String>, of found: [Context]) -> [Context] {
        names.reduce(found) { found, name in found.flatMap { member(name, of: $0, depth: 0) } }
    }

    /// A type that the types around a place declare, or their superclasses.
    private func inScopes(_ name: String, in context: Context) throws(TypeProblem) -> [Context] {
        var place: SourceModule.Place? = context.place
        while let current = place, let scope = context.module.scope(current) {
            if scope.genericParameters.contains(name) {
                throw TypeProblem(
                    reason: "\(name) is a parameter of the generic type \(scope.path.joined(separator: "."))")
            }
            let found = member(name, of: Context(module: context.module, place: current), depth: 0)
            if !found.isEmpty { return found }
            place = context.module.parent(current)
        }
        return []
    }

    /// A type inside another, or inside a superclass of it.
    private func member(_ name: String, of context: Context, depth: Int) -> [Context] {
        guard let scope = context.module.scope(context.place), depth < 32 else { return [] }
        let own = visible(context.module, scope.path + [name], from: context)
        if !own.isEmpty { return own }
        if scope.kind == .extension {
            return extended(context).flatMap {
                $0.module === context.module && $0.place == context.place ? [] : member(name, of: $0, depth: depth + 1)
            }
        }
        if case .alias(.named(let components)) = scope.kind {
            return ((try? declarations(of: components, in: context.outside)) ?? []).flatMap {
                member(name, of: $0, depth: depth + 1)
            }
        }
        guard scope.kind == .class, case .named(let components)? = scope.inheritance.first else { return [] }
        let parents = (try? declarations(of: components, in: context.outside)) ?? []
        return parents.flatMap { member(name, of: $0, depth: depth + 1) }
    }

    private func atTop(_ name: String, in context: Context) -> [Context] {
        let own = visible(context.module, [name], from: context)
        if !own.isEmpty { return own }
        for module in library.imports(of: context.module.source(context.place)) {
            let found = visible(module, [name], from: context)
            if !found.isEmpty { return found }
        }
        return []
    }

    /// The declarations of a type that a place may use.
    private func visible(_ module: SourceModule, _ path: [String], from context: Context) -> [Context] {
        module.places(of: path).map { Context(module: module, place: $0) }.filter { found in
            let access = access(of: found)
            if found.module !== context.module { return access >= .package }
            return access > .fileprivate || found.place.source == context.place.source
        }
    }

    /// The declarations of the type that an extension extends.
    package func extended(_ context: Context) -> [Context] {
        guard let scope = context.module.scope(context.place) else { return [] }
        let file = Context(module: context.module, place: .init(source: context.place.source, scope: nil))
        return (try? declarations(of: scope.path.map { .init(name: $0) }, in: file)) ?? []
    }

    // MARK: - Declarations

    private func meanings(
        of found: [Context], written components: [TypeSyntax.Component]
    ) throws(TypeProblem) -> [Meaning] {
        guard components.allSatisfy(\.arguments.isEmpty) else {
            throw TypeProblem(reason: "\(components.spelling) is a generic type of its own")
        }
        var meanings: [Meaning] = []
        for declaration in found {
            for var meaning in try self.meanings(of: declaration) {
                if found.count > 1 {
                    meaning.conditions += declaration.module.scope(declaration.place)?.conditions ?? []
                }
                if !meanings.contains(where: { $0.type == meaning.type }) || !meaning.conditions.isEmpty {
                    meanings.append(meaning)
                }
            }
        }
        return meanings
    }

    private func meanings(of declaration: Context) throws(TypeProblem) -> [Meaning] {
        guard let scope = declaration.module.scope(declaration.place) else { return [] }
        guard scope.genericParameters.isEmpty else {
            throw TypeProblem(reason: "\(scope.path.joined(separator: ".")) is a generic type of its own")
        }
        if case .alias(let aliased) = scope.kind { return try resolve(aliased, in: declaration.outside) }
        guard let nominal = nominal(declaration) else { return [] }
        let type: SwiftType = nominal.kind == .protocol ? .existential(nominal) : .nominal(nominal)
        return [Meaning(type: type, access: access(of: declaration))]
    }

    /// The type that a declaration, or an extension, stands for.
    package func nominal(_ context: Context) -> NominalType? {
        guard let scope = context.module.scope(context.place) else { return nil }
        let kind: NominalType.Kind
        switch scope.kind {
        case .class: kind = .class
        case .struct: kind = .struct
        case .enum: kind = .enum
        case .protocol: kind = .protocol
        case .alias(let type): return aliasedNominal(type, context)
        case .extension: return extendedNominal(context)
        }
        var step = NominalType.Step(name: scope.path.last ?? "", kind: kind)
        guard let parent = context.parent else {
            if access(of: context) <= .fileprivate { step.discriminator = discriminator(context) }
            return NominalType(module: context.module.name, path: [step])
        }
        guard let outer = nominal(parent) else { return nil }
        if isExtension(parent), outer.module != context.module.name { step.extensionModule = context.module.name }
        if !isPrivate(parent), formalAccess(of: context) <= .fileprivate { step.discriminator = discriminator(context) }
        return NominalType(module: outer.module, path: outer.path + [step])
    }

    private func aliasedNominal(_ type: TypeSyntax, _ context: Context) -> NominalType? {
        guard case .nominal(let nominal)? = try? resolve(type, in: context.outside).first?.type else { return nil }
        return nominal
    }

    private func extendedNominal(_ context: Context) -> NominalType? {
        if let declared = extended(context).first { return nominal(declared) }
        guard let path = context.module.scope(context.place)?.path, let name = path.last,
            case .nominal(let system)? = SystemTypes.type(named: name)
        else { return nil }
        return system
    }

    func isExtension(_ context: Context) -> Bool { context.module.scope(context.place)?.kind == .extension }

    package func discriminator(_ context: Context) -> String {
        let file = context.module.source(context.place).compiledName
        return Discriminator.of(module: context.module.name, file: file)
    }

    // MARK: - Access

    /// Which code may use a type, with everything around it taken into account.
    func access(of context: Context) -> AccessLevel {
        guard let scope = context.module.scope(context.place) else { return .open }
        if scope.kind == .extension {
            return extended(context).first.map { access(of: $0) } ?? .open
        }
        let own = formalAccess(of: context)
        return context.parent.map { min(own, access(of: $0)) } ?? own
    }

    /// Which code may use a declaration by what is written at it or at the extension around it.
    func formalAccess(of context: Context) -> AccessLevel {
        guard let scope = context.module.scope(context.place) else { return .internal }
        return scope.access ?? context.parent.map { defaultAccess(in: $0) } ?? .internal
    }

    /// Which code may use a member that says nothing itself.
    package func defaultAccess(in context: Context) -> AccessLevel {
        guard let scope = context.module.scope(context.place), scope.kind == .extension, let access = scope.access
        else {
            return .internal
        }
        return access == .private ? .fileprivate : access
    }

    /// Whether everything inside is private because the type is.
    package func isPrivate(_ context: Context) -> Bool {
        access(of: context) <= .fileprivate
    }
}

// MARK: - Classes

extension TypeResolver {
    /// Whether a class is a managed object's.
    package func isManaged(_ type: NominalType) -> Bool { inherits(type, from: .managedObject) }

    /// Whether a class is a migration policy's.
    package func isPolicy(_ type: NominalType) -> Bool { inherits(type, from: .migrationPolicy) }

    private func inherits(_ type: NominalType, from other: NominalType) -> Bool {
        var current: NominalType? = type
        for _ in 0..<64 {
            guard let type = current, type.kind == .class else { return false }
            if type == other { return true }
            current = superclass(of: type)
        }
        return false
    }

    /// The superclass of a class that some module's sources declare.
    func superclass(of type: NominalType) -> NominalType? {
        if let known = superclasses[type] { return known }
        // A class that inherits from itself, which the compiler will refuse, ends here.
        superclasses[type] = .some(nil)
        let superclass = declaredSuperclass(of: type)
        superclasses[type] = .some(superclass)
        return superclass
    }

    private func declaredSuperclass(of type: NominalType) -> NominalType? {
        guard let module = library.module(type.path.last?.extensionModule ?? type.module) else { return nil }
        for place in module.places(of: type.path.map(\.name)) {
            let context = Context(module: module, place: place)
            guard let first = module.scope(place)?.inheritance.first, nominal(context) == type,
                let meanings = try? resolve(first, in: context.outside)
            else { continue }
            for case .nominal(let superclass) in meanings.map(\.type) where superclass.kind == .class {
                return superclass
            }
        }
        return nil
    }
}

extension NominalType {
    package static let managedObject = NominalType("CoreData", "NSManagedObject", .class)
    package static let migrationPolicy = NominalType("CoreData", "NSEntityMigrationPolicy", .class)
}

extension TypeResolver.Meaning {
    fileprivate func with(_ type: SwiftType) -> Self {
        var copy = self
        copy.type = type
        return copy
    }
}

extension TypeResolver.Context {
    var parent: TypeResolver.Context? { module.parent(place).map { .init(module: module, place: $0) } }

    /// The place around a declaration, where what it inherits from is looked up.
    var outside: TypeResolver.Context {
        parent ?? .init(module: module, place: .init(source: place.source, scope: nil))
    }
}

extension [TypeSyntax.Component] {
    fileprivate var spelling: String { map(\.name).joined(separator: ".") }
}
