import FoundationGaps
import ModelDocument

/// What a store can derive an attribute from.
struct DerivationRules {
    let keys: ModelKeys
    let entity: String

    /// Why an expression can't be derived from; nil if it can.
    func refusal(of expression: NSExpression) -> String? {
        switch expression.node {
        case .function(.now, let arguments) where arguments.isEmpty: nil
        case .function(.count, let arguments) where arguments.count == 1: members(arguments[0], isSummed: false)
        case .function(.sum, let arguments) where arguments.count == 1: members(arguments[0], isSummed: true)
        case .function(let function, let arguments)
        where [.canonical, .lowercase, .uppercase].contains(function) && arguments.count == 1:
            value(arguments[0], isText: true)
        case .keyPath: value(expression, isText: false)
        default: Self.rule
        }
    }

    private static let rule =
        "it should be now(), an attribute, one over to-one relationships, canonical:(…), lowercase:(…) or uppercase:(…) of such a text, relationship.@count or relationship.@sum.attribute"

    /// An attribute of the object, or over to-ones of another.
    private func value(_ expression: NSExpression, isText: Bool) -> String? {
        guard case .keyPath(let operand, let path) = expression.node, case .evaluatedObject = operand.node,
            !path.hasOperator
        else { return Self.rule }
        let targets: [ModelKeys.Target]
        switch keys.resolve(path.keys, from: entity) {
        case .unknown(let key, let owner): return "\(owner) has no property \(key)"
        case .open: return Self.rule
        case .found(let found): targets = found
        }
        for case .relationship(let relationship) in targets where relationship.isToMany {
            return "\(relationship.name) is to many"
        }
        guard case .attribute(let attribute)? = targets.last else { return "\(path.text) is no attribute" }
        if attribute.isTransient { return "\(path.text) is transient" }
        return isText && attribute.type != .string ? "\(path.text) is no text" : nil
    }

    /// How many objects a to-many relationship has, or the sum of one of their attributes.
    private func members(_ expression: NSExpression, isSummed: Bool) -> String? {
        guard case .keyPath(let operand, let path) = expression.node, case .evaluatedObject = operand.node,
            path.keys.count == (isSummed ? 2 : 1)
        else { return Self.rule }
        switch keys.resolve(path.keys, from: entity) {
        case .unknown(let key, let owner): return "\(owner) has no property \(key)"
        case .open: return Self.rule
        case .found(let targets):
            guard case .relationship(let relationship)? = targets.first, relationship.isToMany else {
                return "\(path.keys[0]) is no to-many relationship"
            }
            guard isSummed else { return nil }
            guard case .attribute(let attribute)? = targets.last, attribute.isSummable else {
                return "\(path.text) is no number"
            }
            return nil
        }
    }
}

extension Model.Attribute {
    fileprivate var isSummable: Bool {
        switch type {
        case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: !isTransient
        default: false
        }
    }
}
