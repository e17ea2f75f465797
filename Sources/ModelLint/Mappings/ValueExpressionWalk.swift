import FoundationGaps
import ModelArchive
import ModelDocument

/// Goes through a value expression: every key path, every function that it calls, and the kind of its value.
struct ValueExpressionWalk {
    struct Finding: Hashable {
        var code: MappingProblem.Code
        var message: String
        var fix: MappingProblem.Fix?
    }

    private let lint: MappingLint
    private let entity: MappingModel.EntityMapping
    private(set) var findings: [Finding] = []
    /// Variables of subqueries; nothing is known of their objects.
    private var inner: Set<String> = []

    init(_ lint: MappingLint, _ entity: MappingModel.EntityMapping) { (self.lint, self.entity) = (lint, entity) }

    private mutating func add(_ code: MappingProblem.Code, _ message: String, _ fix: MappingProblem.Fix? = nil) {
        let finding = Finding(code: code, message: message, fix: fix)
        if !findings.contains(finding) { findings.append(finding) }
    }

    mutating func visit(_ expression: NSExpression) {
        switch expression.node {
        case .keyPath(let operand, let path): visit(path, of: operand)
        case .function(_, let arguments): arguments.forEach { visit($0) }
        case .message(let receiver, let selector, let arguments): visit(receiver, selector, arguments)
        case .set(_, let left, let right): [left, right].forEach { visit($0) }
        case .aggregate(let elements): elements.forEach { visit($0) }
        case .conditional(_, let yes, let no): [yes, no].forEach { visit($0) }
        case .assignment(_, let value): visit(value)
        case .fetch(let request, let context, _): [request, context].forEach { visit($0) }
        case .subquery(let collection, let variable, _):
            visit(collection)
            inner.insert(variable)
        case .variable(let name): check(variable: name)
        case .constant, .evaluatedObject, .anyKey, .symbol, .block, .custom: break
        }
    }

    // MARK: Variables and key paths

    /// What the variables of value expressions stand for.
    static let variables = [
        ("source", "the source object"), ("destination", "the object that is made"), ("manager", "the migration"),
        ("entityMapping", "this mapping"), ("propertyMapping", "this property's mapping"),
        ("entityPolicy", "the migration policy"),
    ]

    private mutating func check(variable name: String) {
        guard !inner.contains(name), !Self.variables.contains(where: { $0.0 == name }) else { return }
        add(.unknownVariable, "There is no variable $\(name).")
    }

    private mutating func visit(_ path: PredicateKeyPath, of operand: NSExpression) {
        visit(operand)
        guard let start = start(of: operand) else { return }
        switch start {
        case .source(let name): check(path.keys, name, lint.sourceKeys)
        case .destination(let name): check(path.keys, name, lint.destinationKeys)
        }
    }

    private enum Start {
        case source(String?)
        case destination(String?)
    }

    private func start(of operand: NSExpression) -> Start? {
        switch operand.node {
        case .evaluatedObject, .variable("source"): .source(entity.sourceName)
        case .variable("destination"): .destination(entity.destinationName)
        default: nil
        }
    }

    private static let commonKeys: Set<String> = [
        "self", "objectID", "entity", "managedObjectContext", "description", "isFault", "hasChanges",
    ]

    private mutating func check(_ keys: [String], _ name: String?, _ all: ModelKeys?) {
        guard let all, let name, !keys.contains(where: Self.commonKeys.contains) else { return }
        if case .unknown(let key, let owner) = all.resolve(keys, from: name) {
            add(.unknownKey, "\(owner) has no property \(key).")
        }
    }

    // MARK: Functions

    private static let byMapping = "destinationInstancesForEntityMappingNamed:sourceInstances:"
    private static let byRelationship = "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
    private static let sourcesByMapping = "sourceInstancesForEntityMappingNamed:destinationInstances:"
    private static let request = "fetchRequestForSourceEntityNamed:predicateString:"

    private mutating func visit(_ receiver: NSExpression, _ selector: String, _ arguments: [NSExpression]) {
        visit(receiver)
        arguments.forEach { visit($0) }
        switch receiver.node {
        case .variable("manager"): checkManager(selector, arguments)
        case .variable("entityPolicy") where entity.migrationPolicyClassName == nil:
            add(.unknownFunction, "The expression calls \(selector) of a migration policy, and none is named.")
        default: break
        }
    }

    private mutating func checkManager(_ selector: String, _ arguments: [NSExpression]) {
        guard [Self.byMapping, Self.byRelationship, Self.sourcesByMapping, Self.request].contains(selector) else {
            return add(.unknownFunction, "The migration manager has no function \(selector).")
        }
        guard arguments.count == 2 else { return add(.unknownFunction, "\(selector) takes 2 arguments.") }
        guard case .constant(let value, _) = arguments[0].node, let name = value as? String else { return }
        switch selector {
        case Self.byMapping, Self.sourcesByMapping:
            if !lint.hasMapping(name) { add(.unknownMapping, "There is no entity mapping “\(name)”.") }
        case Self.byRelationship:
            let source = MappingLint.Properties(entity.sourceName, in: lint.source)
            if source.isKnown, source.relationship(name) == nil {
                add(.unknownKey, "\(entity.sourceName ?? "") has no relationship \(name).")
            }
        default:
            if let source = lint.source, source.entity(named: name) == nil {
                add(.unknownEntity, "The source model has no entity \(name).")
            }
        }
    }

    // MARK: Kinds of values

    private enum Kind {
        case value(Model.AttributeType)
        /// Objects of the source store.
        case sourceObjects
        /// Objects of the new store, of an entity as far as it is known.
        case destinationObjects(String?)
    }

    private func kind(of expression: NSExpression) -> Kind? {
        switch expression.node {
        case .evaluatedObject, .variable("source"): .sourceObjects
        case .variable("destination"): .destinationObjects(entity.destinationName)
        case .constant(let value, _): kind(ofConstant: value)
        case .message(let receiver, let selector, let arguments): kind(of: receiver, selector, arguments)
        case .keyPath(let operand, let path): kind(of: path, operand)
        default: nil
        }
    }

    private func kind(ofConstant value: Any?) -> Kind? {
        switch value {
        case is String: .value(.string)
        case is NSNumber: .value(.double)
        case is Date: .value(.date)
        default: nil
        }
    }

    private func kind(of receiver: NSExpression, _ selector: String, _ arguments: [NSExpression]) -> Kind? {
        guard case .variable("manager") = receiver.node else { return nil }
        switch selector {
        case Self.byMapping:
            guard case .constant(let value, _)? = arguments.first?.node else { return .destinationObjects(nil) }
            let target = lint.mapping.entityMappings.first { $0.effectiveName == value as? String }
            return .destinationObjects(target?.destinationName)
        case Self.byRelationship: return .destinationObjects(nil)
        case Self.sourcesByMapping: return .sourceObjects
        default: return nil
        }
    }

    private func kind(of path: PredicateKeyPath, _ operand: NSExpression) -> Kind? {
        guard case .source(let known)? = start(of: operand), let name = known, !path.hasOperator,
            case .found(let targets)? = lint.sourceKeys?.resolve(path.keys, from: name)
        else { return nil }
        for case .relationship(let relationship) in targets.dropLast() where relationship.isToMany { return nil }
        switch targets.last {
        case .attribute(let attribute): return .value(attribute.type)
        case .relationship: return .sourceObjects
        default: return nil
        }
    }

    /// Whether the value can be that of an attribute.
    mutating func check(_ expression: NSExpression, for attribute: Model.Attribute) {
        switch kind(of: expression) {
        case .value(let type) where !type.fits(attribute.type):
            add(
                .wrongValue,
                "\(attribute.name) is of the type \(attribute.type.title), and the value of the type \(type.title).")
        case .sourceObjects, .destinationObjects:
            add(.wrongValue, "\(attribute.name) is an attribute, and the value is an object.")
        case .value, nil: break
        }
    }

    /// Whether the value can be that of a relationship.
    mutating func check(_ expression: NSExpression, for relationship: Model.Relationship) {
        switch kind(of: expression) {
        case .value: add(.wrongValue, "\(relationship.name) is a relationship, and the value is no object.")
        case .sourceObjects:
            add(
                .wrongValue,
                "\(relationship.name) can't lead to objects of the old store. FUNCTION($manager, …) finds what became of them.",
                followed(expression, relationship))
        case .destinationObjects(let known):
            guard let name = known, let wanted = relationship.destinationName, let model = lint.destination,
                !model.lineage(of: name).contains(where: { $0.name == wanted })
            else { return }
            add(.wrongValue, "\(relationship.name) leads to \(wanted), and the value is of \(name).")
        case nil: break
        }
    }

    /// What follows the objects that an expression names.
    private func followed(_ expression: NSExpression, _ relationship: Model.Relationship) -> MappingProblem.Fix? {
        guard case .keyPath(_, let path) = expression.node, path.keys.count == 1 else { return nil }
        return .setExpression(
            "FUNCTION($manager, \"\(Self.byRelationship)\", \"\(path.keys[0])\", $source.\(path.keys[0]))")
    }
}

extension Model.AttributeType {
    var isNumber: Bool {
        switch self {
        case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: true
        default: false
        }
    }

    /// Whether a value of this type can be one of another type.
    fileprivate func fits(_ other: Self) -> Bool {
        let open: [Self] = [.undefined, .transformable]
        return self == other || isNumber && other.isNumber || open.contains(self) || open.contains(other)
    }
}
