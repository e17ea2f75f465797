import FoundationGaps

extension SQLTranslation {
    /// What a key path leads to.
    func operand(
        _ path: PredicateKeyPath, from start: SQLOperand, _ environment: SQLEnvironment
    ) throws -> SQLOperand {
        try SQLPathWalk(path: path.text, translation: self, environment: environment).follow(
            path.keys[...], from: start)
    }
}

/// A walk along one key path.
struct SQLPathWalk {
    let path: String
    let translation: SQLTranslation
    let environment: SQLEnvironment

    func follow(_ keys: ArraySlice<String>, from position: SQLOperand) throws -> SQLOperand {
        guard let key = keys.first else { return position }
        if key.hasPrefix("@") {
            return try translation.aggregate(key, keys.dropFirst(), over: position, walk: self)
        }
        switch position {
        case .object(let scope): return try step(keys, at: scope, in: nil)
        case .members(let members):
            guard case .object(let scope) = members.element else { throw unsupported("\"\(key)\" follows a value") }
            return try step(keys, at: scope, in: members)
        case .term, .constant, .list: throw unsupported("\"\(key)\" follows a value")
        }
    }

    /// Follows the first key from an object, and the rest from there.
    ///
    /// - Parameter members: The collection that the object is a member of, if any.
    private func step(_ keys: ArraySlice<String>, at scope: SQLScope, in members: SQLMembers?) throws -> SQLOperand {
        let rest = keys.dropFirst()
        guard translation.schema.contains(scope.layout) else { throw SQLTranslationError.elsewhere(scope.layout) }
        switch keys.first {
        case "objectID" where scope.layout.slot(named: "objectID") == nil:
            return try follow(rest, from: wrap(.object(scope), in: members))
        case "entity" where scope.layout.slot(named: "entity") == nil:
            return wrap(.value(try entity(rest, of: scope)), in: members)
        default: break
        }
        let (slot, remainder) = try slot(keys, of: scope.layout)
        switch slot.kind {
        case .toOne:
            guard let destination = scope.destination(of: slot) else { throw missing(slot, in: scope.layout) }
            return try follow(remainder, from: wrap(.object(destination), in: members))
        case .toMany, .orderedToMany:
            let inner = members == nil ? scope.members(of: slot) : scope.joinedMembers(of: slot)
            guard let inner else { throw missing(slot, in: scope.layout) }
            let owner = members.map(\.optionalOwner) ?? (scope.isOptional ? scope.key : nil)
            let all = SQLMembers(
                builder: inner.builder, element: .object(inner), optionalOwner: owner,
                depth: (members?.depth ?? 0) + 1, isList: members?.isList ?? false)
            return try follow(remainder, from: .members(all))
        default:
            guard let term = scope.attribute(slot) else { throw missing(slot, in: scope.layout) }
            return try follow(remainder, from: wrap(.value(term), in: members))
        }
    }

    private func wrap(_ element: SQLElement, in members: SQLMembers?) -> SQLOperand {
        guard var members else { return element.operand }
        members.element = element
        return .members(members)
    }

    /// The property that the path's next keys name; an element of a composite attribute takes several keys.
    private func slot(
        _ keys: ArraySlice<String>, of layout: EntityLayout
    ) throws -> (slot: PropertySlot, rest: ArraySlice<String>) {
        var (name, rest) = (keys.first ?? "", keys.dropFirst())
        var found = layout.slot(named: name)
        while let slot = found, slot.kind == .composite {
            guard let key = rest.first else {
                throw unsupported("\"\(name)\" is a composite attribute; compare its elements")
            }
            (name, rest) = (name + "." + key, rest.dropFirst())
            // A composite inside a composite has no slot of its own: its path only begins those of its leaves.
            let isInside = layout.slots.contains { $0.name.hasPrefix(name + ".") }
            found = layout.slot(named: name) ?? (isInside ? slot : nil)
        }
        guard let slot = found else { throw SQLTranslationError.unknown(keyPath: path, in: layout) }
        if slot.kind == .fetched { throw unsupported("\"\(name)\" is a fetched property, which no table holds") }
        if slot.isTransient { throw unsupported("\"\(name)\" is transient, so the store does not have its values") }
        return (slot, rest)
    }

    /// `entity` or `entity.name`.
    private func entity(_ rest: ArraySlice<String>, of scope: SQLScope) throws -> SQLTerm {
        guard let key = rest.first else { return SQLTerm(scope.entity, .entity) }
        guard key == "name", rest.count == 1 else { throw unsupported("of an entity it knows the name only") }
        let entity = scope.entity
        let branches = scope.layout.selfAndDescendants.compactMap { layout -> SQLBranch? in
            guard translation.schema.contains(layout), let number = translation.schema.number(of: layout) else {
                return nil
            }
            return SQLBranch(
                condition: .compare(.equal, entity, .value(.int(number))), result: .value(.text(layout.name)))
        }
        return SQLTerm(branches.isEmpty ? .null : .choice(branches, otherwise: .null), .string)
    }

    func unsupported(_ reason: String) -> CocoaError {
        SQLTranslationError.unsupported("in the key path \"\(path)\" \(reason)")
    }

    private func missing(_ slot: PropertySlot, in layout: EntityLayout) -> CocoaError {
        unsupported("\"\(slot.name)\" of \(layout.name) has no column in this store")
    }
}
