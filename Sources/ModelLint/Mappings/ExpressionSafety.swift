import FoundationGaps
import ModelArchive
import ModelDocument

/// Looks for key paths of value expressions that may lead nowhere: key-value coding ends a program there, and no error
/// comes back.
///
/// What the models describe is sure. So is little else: an app may know more, and its migration goes on.
struct ExpressionSafety {
    /// An entity, and the model that it is in.
    struct Scope {
        var entity: String
        var model: Model
    }

    private let source: Scope?
    private let destination: Scope?

    init(source: Scope?, destination: Scope?) { (self.source, self.destination) = (source, destination) }

    /// What is not sure in an expression; nil for nothing.
    func doubt(in expression: NSExpression) -> String? { doubt(in: expression, [:]) }

    private func doubt(in expression: NSExpression, _ variables: [String: Scope?]) -> String? {
        func first(_ expressions: [NSExpression]) -> String? {
            expressions.lazy.compactMap { doubt(in: $0, variables) }.first
        }
        switch expression.node {
        case .keyPath(let operand, let path):
            return doubt(in: operand, variables) ?? doubt(at: path.keys, of: operand, variables)
        case .function(.distance, _): return "locations"
        case .function(_, let arguments): return first(arguments)
        case .message(let receiver, _, let arguments): return first([receiver] + arguments)
        case .set(_, let left, let right): return first([left, right])
        case .aggregate(let elements): return first(elements)
        case .conditional(let condition, let yes, let no):
            return doubt(in: condition, variables) ?? first([yes, no])
        case .assignment(_, let value): return doubt(in: value, variables)
        case .fetch(let request, let context, _): return first([request, context])
        case .subquery(let collection, let variable, let predicate):
            var inner = variables
            inner[variable] = .some(scope(of: collection, variables))
            return doubt(in: collection, variables) ?? doubt(in: predicate, inner)
        case .constant, .evaluatedObject, .variable, .anyKey, .symbol, .block, .custom: return nil
        }
    }

    private func doubt(in predicate: NSPredicate, _ variables: [String: Scope?]) -> String? {
        if let compound = predicate.plainCompound {
            return compound.subpredicates.lazy.compactMap { doubt(in: $0, variables) }.first
        }
        guard let comparison = predicate as? NSComparisonPredicate else { return nil }
        return doubt(in: comparison.leftExpression, variables) ?? doubt(in: comparison.rightExpression, variables)
    }

    // MARK: Key paths

    /// The entity of the objects that an expression stands for.
    private func scope(of expression: NSExpression, _ variables: [String: Scope?]) -> Scope? {
        switch expression.node {
        case .evaluatedObject: return source
        case .variable(let name):
            if let inner = variables[name] { return inner }
            return name == "source" ? source : name == "destination" ? destination : nil
        case .keyPath(let operand, let path):
            guard let start = scope(of: operand, variables), !path.hasOperator,
                case .relationship(let relationship)? = start.targets(path.keys)?.last
            else { return nil }
            return relationship.destinationName.map { Scope(entity: $0, model: start.model) }
        case .subquery(let collection, _, _): return scope(of: collection, variables)
        default: return nil
        }
    }

    private func doubt(at keys: [String], of operand: NSExpression, _ variables: [String: Scope?]) -> String? {
        let text = keys.joined(separator: ".")
        if case .variable(let name) = operand.node, variables[name] == nil,
            ["manager", "entityMapping", "propertyMapping"].contains(name)
        {
            // A migration checks the first key by itself.
            return keys.count == 1 ? nil : text
        }
        guard let scope = scope(of: operand, variables) else { return text }
        if case .subquery = operand.node, let first = keys.first, first.hasPrefix("@") {
            return isSure(first, Array(keys.dropFirst()), scope) ? nil : text
        }
        return isSure(keys, scope) ? nil : text
    }

    private func isSure(_ keys: [String], _ scope: Scope) -> Bool {
        if keys == ["entity", "name"] { return true }
        guard let place = keys.firstIndex(where: { $0.hasPrefix("@") }) else { return scope.targets(keys) != nil }
        guard case .relationship(let relationship)? = scope.targets(Array(keys[..<place]))?.last,
            relationship.isToMany, let entity = relationship.destinationName
        else { return false }
        return isSure(keys[place], Array(keys[(place + 1)...]), Scope(entity: entity, model: scope.model))
    }

    /// Whether a collection operator can work with what follows it.
    private func isSure(_ operation: String, _ rest: [String], _ scope: Scope) -> Bool {
        if operation == "@count" { return rest.isEmpty }
        guard !rest.isEmpty, !rest.contains(where: { $0.hasPrefix("@") }),
            case .attribute(let attribute)? = scope.targets(rest)?.last
        else { return false }
        switch operation {
        case "@sum", "@avg": return attribute.type.isNumber
        case "@min", "@max", "@unionOfObjects", "@distinctUnionOfObjects": return true
        default: return false
        }
    }
}

extension ExpressionSafety.Scope {
    /// What a key leads to.
    fileprivate enum Target {
        case attribute(Model.Attribute)
        case relationship(Model.Relationship)
        /// What every managed object has.
        case other
    }

    private static let commonKeys: Set<String> = [
        "self", "objectID", "entity", "managedObjectContext", "description", "isFault", "hasChanges",
    ]

    /// What the keys of a path lead to, one after another; nil where an object may not have one of them.
    ///
    /// Properties of subentities are not sure: the object may be of another one.
    fileprivate func targets(_ keys: [String]) -> [Target]? {
        guard let key = keys.first else { return [] }
        let (lineage, rest) = (model.lineage(of: entity), Array(keys.dropFirst()))
        if let attribute = lineage.lazy.flatMap(\.attributes).first(where: { $0.name == key }) {
            return elements(attribute, rest)
        }
        if let relationship = lineage.lazy.flatMap(\.relationships).first(where: { $0.name == key }) {
            if rest.isEmpty { return [.relationship(relationship)] }
            let next = relationship.destinationName.flatMap {
                ExpressionSafety.Scope(entity: $0, model: model).targets(rest)
            }
            return next.map { [.relationship(relationship)] + $0 }
        }
        return rest.isEmpty && Self.commonKeys.contains(key) ? [.other] : nil
    }

    /// An attribute, and elements of a composite one.
    private func elements(_ attribute: Model.Attribute, _ rest: [String]) -> [Target]? {
        guard let key = rest.first else { return [.attribute(attribute)] }
        let composite = model.composites.first { $0.name == attribute.compositeName }
        return composite?.elements.first { $0.name == key }.flatMap { elements($0, Array(rest.dropFirst())) }
    }
}
