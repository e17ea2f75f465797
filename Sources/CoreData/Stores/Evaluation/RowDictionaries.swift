import FoundationGaps

/// Computes dictionaries from the objects that a fetch finds: columns, groups, aggregates, conditions on groups, order,
/// window.
struct RowDictionaries {
    let columns: [StoreColumn]
    let groups: [StoreColumn]
    let having: NSPredicate?
    let isDistinct: Bool
    let fetch: StoreFetch

    /// - Throws: 134091 where the request can't be answered from rows.
    func of(_ objects: [RowObject]) throws -> [NSDictionary] {
        guard having == nil || !groups.isEmpty else {
            throw StoreRequestFailure.unsupported("havingPredicate is about groups, and propertiesToGroupBy names none")
        }
        try fetch.checkForRows()
        let expressions = Dictionary(columns.map { ($0.name, $0.expression) }, uniquingKeysWith: { first, _ in first })
        var rows = try grouped(objects).map { DictionaryRow($0, expressions, entity: fetch.entity) }
        if let having { rows = try rows.filter { try $0.fulfils(having) } }
        for row in rows { row.dictionary = try dictionary(of: row) }
        if isDistinct {
            var seen: Set<NSDictionary> = []
            rows = rows.filter { seen.insert($0.dictionary).inserted }
        }
        if !fetch.sortDescriptors.isEmpty {
            rows = ObjectOrder(fetch.sortDescriptors).sorted(rows).map(\.object)
            if let failure = rows.lazy.compactMap(\.failure).first { throw failure }
        }
        return fetch.window(rows).map(\.dictionary)
    }

    /// The objects that make one dictionary each: all of a group; all together where only aggregates are wanted; else
    /// each alone.
    private func grouped(_ objects: [RowObject]) throws -> [[RowObject]] {
        if groups.isEmpty {
            let isAggregated = columns.contains { RowAggregate.isIn($0.expression, fetch.entity) }
            return isAggregated ? [objects] : objects.map { [$0] }
        }
        var places: [[PredicateValue]: Int] = [:]
        var found: [[RowObject]] = []
        for object in objects {
            let key = try groups.map { try $0.expression.value(in: object.scope) }
            if let place = places[key] {
                found[place].append(object)
            } else {
                places[key] = found.count
                found.append([object])
            }
        }
        return found
    }

    private func dictionary(of row: DictionaryRow) throws -> NSDictionary {
        var (keys, values) = ([NSString](), [AnyObject]())
        for column in columns {
            guard let value = try row.value(of: column.expression).delivered(as: column.type) else { continue }
            keys.append(column.name as NSString)
            values.append(value)
        }
        return NSDictionary(objects: values, forKeys: keys)
    }
}

/// The objects that one dictionary is computed of.
private final class DictionaryRow: SortableObject {
    private let objects: [RowObject]
    /// What names of columns stand for in conditions and in the order.
    private let columns: [String: NSExpression]
    private let entity: EntityLayout
    var dictionary = NSDictionary()
    /// The first error of a comparison.
    private(set) var failure: (any Error)?

    init(_ objects: [RowObject], _ columns: [String: NSExpression], entity: EntityLayout) {
        (self.objects, self.columns, self.entity) = (objects, columns, entity)
    }

    /// A value of the group: aggregates are computed over its objects, all else of the first one.
    func value(of expression: NSExpression) throws -> PredicateValue {
        if let aggregate = RowAggregate(expression, entity) { return try aggregate.value(over: objects) }
        if case .function(let function, let arguments) = expression.node, RowAggregate.isIn(expression, entity) {
            let constants = try arguments.map { NSExpression(forConstantValue: try value(of: $0).boxed) }
            return try NSExpression(forFunction: function.rawValue, arguments: constants).value(
                in: EvaluationScope(object: nil))
        }
        guard !RowAggregate.isIn(expression, entity) else {
            throw StoreRequestFailure.unsupported("\(expression) has an aggregate inside of what is no function")
        }
        guard let first = objects.first else { return .null }
        return try expression.value(in: first.scope)
    }

    // MARK: Conditions and order

    func fulfils(_ predicate: NSPredicate) throws -> Bool {
        if let compound = predicate.plainCompound {
            switch compound.compoundPredicateType {
            case .and: return try compound.subpredicates.allSatisfy { try fulfils($0) }
            case .or: return try compound.subpredicates.contains { try fulfils($0) }
            case .not: return try !fulfils(compound.subpredicates[0])
            }
        }
        guard let comparison = predicate as? NSComparisonPredicate else {
            return try predicate.evaluateOrThrow(with: objects.first)
        }
        func constant(_ expression: NSExpression) throws -> NSExpression {
            NSExpression(forConstantValue: try value(of: meaning(of: expression)).boxed)
        }
        let (left, right) = try (constant(comparison.leftExpression), constant(comparison.rightExpression))
        if let selector = comparison.customSelector {
            return try NSComparisonPredicate(leftExpression: left, rightExpression: right, customSelector: selector)
                .evaluateOrThrow(with: nil)
        }
        return try NSComparisonPredicate(
            leftExpression: left, rightExpression: right,
            modifier: comparison.comparisonPredicateModifier, type: comparison.predicateOperatorType,
            options: comparison.options
        ).evaluateOrThrow(with: nil)
    }

    func sortValue(at path: PredicateKeyPath) -> PredicateValue {
        do { return try value(of: columns[path.text] ?? NSExpression(forKeyPath: path.text)) } catch {
            failure = error
            return .null
        }
    }

    /// The expression of a column where its name stands, or a variable of that name.
    private func meaning(of expression: NSExpression) -> NSExpression {
        switch expression.node {
        case .variable(let name): columns[name] ?? expression
        case .keyPath(let operand, let path) where operand.expressionType == .evaluatedObject:
            columns[path.text] ?? expression
        default: expression
        }
    }
}

extension RowObject {
    fileprivate var scope: EvaluationScope { EvaluationScope(object: self, reader: graph) }
}

/// An aggregate over the objects of a group: `sum:(age)`, `@sum.age`, `@count`.
private struct RowAggregate {
    private let function: PredicateFunction
    /// What is aggregated of each object; nil: the object itself.
    private let operand: NSExpression?
    /// Whether equal values count once.
    private var isDistinct = false

    /// - Returns: Nil for an expression that is no aggregate. Over the members of a to-many, a function computes a
    ///   value of one object.
    init?(_ expression: NSExpression, _ entity: EntityLayout) {
        switch expression.node {
        case .function(let function, let arguments) where arguments.count == 1:
            guard Self.functions.contains(function), !Self.collects(arguments[0], entity) else { return nil }
            self.function = function
            let path = arguments[0].ownPath
            isDistinct = path?.first == "@distinctUnionOfObjects"
            operand = isDistinct ? path.map { Self.expression($0.dropFirst()) } : arguments[0]
        case .keyPath(let object, let path):
            guard case .evaluatedObject = object.node, let name = path.keys.first,
                let function = Self.operators[name]
            else { return nil }
            self.function = function
            let rest = path.keys.dropFirst()
            operand = rest.isEmpty || function == .count ? nil : Self.expression(rest)
        default: return nil
        }
    }

    private static let functions: Set<PredicateFunction> = [.sum, .count, .minimum, .maximum, .average]
    private static let operators: [String: PredicateFunction] = [
        "@count": .count, "@sum": .sum, "@avg": .average, "@min": .minimum, "@max": .maximum,
    ]

    private static func expression(_ keys: ArraySlice<String>) -> NSExpression {
        NSExpression(forKeyPath: keys.joined(separator: "."))
    }

    /// Nil counts as nothing, and nothing has no sum.
    func value(over objects: [RowObject]) throws -> PredicateValue {
        var values = try objects.map { try operand?.value(in: $0.scope) ?? .object($0) }.filter { !$0.isNull }
        if isDistinct { values = Array(Set(values)) }
        if function == .count { return .integer(Int64(values.count)) }
        if values.isEmpty { return .null }
        let list = NSExpression(forConstantValue: values.compactMap(\.boxed))
        return try NSExpression(forFunction: function.rawValue, arguments: [list]).value(
            in: EvaluationScope(object: nil))
    }

    /// Whether there is an aggregate in an expression.
    static func isIn(_ expression: NSExpression, _ entity: EntityLayout) -> Bool {
        if RowAggregate(expression, entity) != nil { return true }
        return expression.parts.contains { isIn($0, entity) }
    }

    /// Whether an expression leads to the members of a to-many.
    private static func collects(_ expression: NSExpression, _ entity: EntityLayout) -> Bool {
        guard case .keyPath(_, let path) = expression.node else {
            return expression.parts.contains { collects($0, entity) }
        }
        var layout = entity
        for key in path.keys {
            guard let slot = layout.slot(named: key), slot.kind.isRelationship else { return false }
            if slot.kind.isToMany { return true }
            layout = layout.model[slot.destination]
        }
        return false
    }
}

extension NSExpression {
    /// The keys of a path that starts at the object itself.
    fileprivate var ownPath: [String]? {
        guard case .keyPath(let operand, let path) = node, case .evaluatedObject = operand.node else { return nil }
        return path.keys
    }

    /// The expressions that the expression is made of.
    fileprivate var parts: [NSExpression] {
        switch node {
        case .function(_, let arguments), .aggregate(let arguments): arguments
        case .message(let receiver, _, let arguments): [receiver] + arguments
        case .set(_, let left, let right): [left, right]
        case .conditional(_, let whenTrue, let whenFalse): [whenTrue, whenFalse]
        case .keyPath(let operand, _): [operand]
        default: []
        }
    }
}

extension PredicateValue {
    /// The value as a dictionary has it, converted to the type that the request declares; nil for null.
    fileprivate func delivered(as type: NSAttributeType) -> AnyObject? {
        if case .object(let row as RowObject) = self { return row.objectID }
        guard let boxed, !isNull else { return nil }
        let number = boxed as? NSNumber
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            if let number { return NSNumber(value: number.int64Value) }
        case .booleanAttributeType: if let number { return NSNumber(value: number.doubleValue != 0) }
        case .doubleAttributeType: if let number { return NSNumber(value: number.doubleValue) }
        case .floatAttributeType: if let number { return NSNumber(value: number.floatValue) }
        case .decimalAttributeType: if let number { return DecimalNumber(decimal: number.decimalValue) }
        case .dateAttributeType:
            if let number { return NSDate(timeIntervalSinceReferenceDate: number.doubleValue) }
        default: break
        }
        switch self {
        case .string(let text): return text as NSString
        case .date(let date): return date as NSDate
        case .data(let data): return data as NSData
        case .uuid(let uuid): return uuid as NSUUID
        case .url(let url): return url as NSURL
        default: return boxed as AnyObject
        }
    }
}
