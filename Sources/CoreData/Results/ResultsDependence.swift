import FoundationGaps

/// Which objects' changes can change the results of a request, and how that is found out.
enum ResultsDependence {
    /// Each object's own values decide whether it is a result, and where: changes are followed object by object.
    case ownValues
    /// Objects of these entities have a say, through relationships for instance, or results push each other out of a
    /// limit. When one changes, the request is run anew and the results are compared.
    case entities([EntityLayout])
    /// Like ``entities(_:)``, where it is not known which objects it is.
    case everything

    init(_ request: AnyFetchRequest, _ sectionKeyPath: String?, _ entity: EntityLayout) {
        var reader = DependenceReader(entity: entity)
        request.predicate.map { reader.read($0) }
        for descriptor in request.sortDescriptors ?? [] { descriptor.storeKey.map { reader.readPath($0) } }
        sectionKeyPath.map { reader.readPath($0) }
        let isWindow = request.fetchLimit > 0 || request.fetchOffset > 0
        if reader.isUnclear {
            self = .everything
        } else if isWindow || !request.includesPendingChanges || reader.needsStore || !reader.entities.isEmpty {
            self = .entities([entity] + reader.entities)
        } else {
            self = .ownValues
        }
    }

    /// The entities of other objects that key paths end at.
    static func entities(_ entity: EntityLayout, at paths: [String]) -> [EntityLayout] {
        var reader = DependenceReader(entity: entity)
        for path in paths { reader.readPath(path) }
        return reader.entities
    }

    /// Whether the request has to be run anew after a change.
    var needsFetch: Bool { if case .ownValues = self { false } else { true } }
}

/// Reads what a request's parts look at.
private struct DependenceReader {
    let entity: EntityLayout
    /// The entities that are reached through relationships.
    private(set) var entities: [EntityLayout] = []
    /// Whether only the store knows a value, which it computes at the save.
    private(set) var needsStore = false
    private(set) var isUnclear = false

    init(entity: EntityLayout) { self.entity = entity }

    mutating func read(_ predicate: NSPredicate) {
        if let compound = predicate.plainCompound {
            for part in compound.subpredicates { read(part) }
        } else if let comparison = predicate as? NSComparisonPredicate {
            read(comparison.leftExpression)
            read(comparison.rightExpression)
        } else if predicate.constantTruth == nil {
            isUnclear = true
        }
    }

    private mutating func read(_ expression: NSExpression) {
        switch expression.node {
        case .keyPath(let operand, let path):
            if case .evaluatedObject = operand.node { return read(path.keys) }
            isUnclear = true
        case .block, .message, .fetch, .custom, .anyKey, .subquery: isUnclear = true
        default:
            for part in expression.node.parts { read(part) }
            for predicate in expression.node.predicates { read(predicate) }
        }
    }

    mutating func readPath(_ path: String) {
        if entity.slot(named: path) != nil { return read([path]) }
        read(PredicateKeyPath(path).keys)
    }

    private mutating func read(_ keys: [String]) {
        var owner = entity
        for (index, key) in keys.enumerated() where !key.hasPrefix("@") {
            guard let slot = owner.slot(named: key) else {
                // What a class computes is its own affair; behind something computed there may be anything.
                if index < keys.count - 1 { isUnclear = true }
                return
            }
            if slot.property is NSDerivedAttributeDescription { needsStore = true }
            guard slot.kind.isRelationship else { return }
            // A relationship to one, compared by itself, is a value like others.
            if slot.kind == .toOne, index == keys.count - 1 { return }
            owner = owner.model[slot.destination]
            entities.append(owner)
        }
    }
}

extension ResultsQuery {
    /// Whether a change of an entity's objects can change the results.
    func isConcerned(by layout: EntityLayout) -> Bool {
        switch dependence {
        case .ownValues: isCandidate(layout)
        case .entities(let entities): entities.contains { layout.isKind(of: $0) }
        case .everything: true
        }
    }
}
