import FoundationGaps
import ModelDocument

/// Goes through a predicate and follows every key path in it.
struct KeyPathWalk {
    /// What the predicate's keys belong to.
    let entity: String
    let keys: ModelKeys
    /// The entities that variables stand for; of others nothing is known.
    var variables: [String: String] = [:]

    private(set) var unknownKeys: [UnknownKey] = []
    private(set) var transientPaths: [String] = []
    /// Every path and the entity that it starts from, which is not always known.
    private(set) var trails: [(start: String?, keys: [String])] = []

    struct UnknownKey: Hashable {
        var path: String
        var key: String
        var entity: String
    }

    init(entity: String, keys: ModelKeys) {
        self.entity = entity
        self.keys = keys
    }

    mutating func visit(_ predicate: NSPredicate) {
        if let compound = predicate.plainCompound {
            for part in compound.subpredicates { visit(part) }
        } else if let comparison = predicate as? NSComparisonPredicate {
            visit(comparison.leftExpression)
            visit(comparison.rightExpression)
        }
    }

    mutating func visit(_ expression: NSExpression) {
        switch expression.node {
        case .keyPath(let operand, let path): visit(path, of: operand)
        case .function(_, let arguments): arguments.forEach { visit($0) }
        case .message(let receiver, _, let arguments): ([receiver] + arguments).forEach { visit($0) }
        case .set(_, let left, let right): [left, right].forEach { visit($0) }
        case .aggregate(let elements): elements.forEach { visit($0) }
        case .conditional(let condition, let yes, let no):
            visit(condition)
            [yes, no].forEach { visit($0) }
        case .subquery(let collection, let variable, let predicate):
            visit(collection)
            let outer = variables
            variables[variable] = destination(of: collection)
            visit(predicate)
            variables = outer
        default: break
        }
    }

    private mutating func visit(_ path: PredicateKeyPath, of operand: NSExpression) {
        let start = entity(of: operand)
        trails.append((start, path.keys))
        if start == nil || operand.isKeyPath { visit(operand) }
        guard let start else { return }
        switch keys.resolve(path.keys, from: start) {
        case .unknown(let key, let owner):
            let missing = UnknownKey(path: path.text, key: key, entity: owner)
            if !unknownKeys.contains(missing) { unknownKeys.append(missing) }
        case .found(let targets) where targets.contains(where: \.isTransient):
            if !transientPaths.contains(path.text) { transientPaths.append(path.text) }
        case .found, .open: break
        }
    }

    /// The entity of the object that an expression stands for.
    private func entity(of operand: NSExpression) -> String? {
        switch operand.node {
        case .evaluatedObject: entity
        case .variable(let name): variables[name]
        case .keyPath: destination(of: operand)
        default: nil
        }
    }

    /// The entity of the objects that a path ends at.
    private func destination(of expression: NSExpression) -> String? {
        guard case .keyPath(let operand, let path) = expression.node, let start = entity(of: operand),
            case .found(let targets) = keys.resolve(path.keys, from: start)
        else { return nil }
        switch targets.last {
        case .relationship(let relationship): return relationship.destinationName
        case .fetched(let property): return property.fetchRequest?.entityName
        default: return nil
        }
    }
}

extension ModelKeys.Target {
    /// Whether a store knows nothing of it.
    fileprivate var isTransient: Bool {
        switch self {
        case .attribute(let attribute): attribute.isTransient
        case .relationship(let relationship): relationship.isTransient
        case .fetched, .other: false
        }
    }
}

extension NSExpression {
    fileprivate var isKeyPath: Bool {
        if case .keyPath = node { true } else { false }
    }
}
