import FoundationGaps

/// The fetch indexes that would let a database find a fetch's rows without looking at all of them.
struct SQLIndexAdvice {
    /// An index, as a list of the properties that it is over.
    struct Index: Equatable {
        var elements: [Element]

        /// As in `team, age (descending)`.
        var description: String {
            elements.map { $0.property + ($0.isAscending ? "" : " (descending)") }.joined(separator: ", ")
        }
    }

    struct Element: Equatable {
        let property: String
        var isAscending = true
    }

    /// One index; or several, of which each answers one side of an OR. Empty where no index can help.
    private(set) var indexes: [Index] = []
    /// Why no index answers some of the conditions, a sentence each.
    private(set) var obstacles: [String] = []

    private let layout: EntityLayout
    private let root: SQLAlias
    private let names: [String: String]

    /// - Parameter select: The statement of a fetch for the entity, not a count of a part.
    init(_ select: SQLSelect, for layout: EntityLayout, in schema: SQLSchema) {
        self.layout = layout
        guard case .table(_, let alias) = select.source else {
            (root, names) = (SQLAlias(number: 0), [:])
            return
        }
        root = alias
        var names: [String: String] = [:]
        for slot in layout.slots {
            if let column = schema.column(of: layout, slot: slot.index) { names[column.name] = slot.name }
        }
        self.names = names
        indexes = indexes(for: select.conditions.flatMap(\.flattened), order: select.order)
    }

    private mutating func indexes(for conditions: [SQLExpression], order: [SQLOrder]) -> [Index] {
        var (equal, ranges) = ([String](), [String]())
        var alternatives: [Index] = []
        for condition in conditions {
            switch usefulness(of: condition) {
            case .equality(let property): if !equal.contains(property) { equal.append(property) }
            case .range(let property): ranges.append(property)
            case .alternatives(let indexes): alternatives = indexes
            case .none: break
            }
        }
        if equal.isEmpty, ranges.isEmpty, !alternatives.isEmpty { return alternatives }
        let sorted = sortElements(order)
        let range = ranges.first { !equal.contains($0) }
        var elements = equal.map { Element(property: $0) }
        if let range, range != sorted.first?.property {
            elements.append(Element(property: range))
        } else {
            elements += sorted.filter { !equal.contains($0.property) }
        }
        return elements.isEmpty ? [] : [Index(elements: elements)]
    }

    /// The order, if an index can have it: nothing but properties of the entity itself, as they are stored.
    private func sortElements(_ order: [SQLOrder]) -> [Element] {
        var elements: [Element] = []
        for order in order {
            guard case .column(let name, root) = order.expression, order.comparison == .standard else { return [] }
            if name == "Z_PK" { break }
            guard let property = names[name] else { return [] }
            elements.append(Element(property: property, isAscending: order.ascending))
        }
        // An index is walked in either direction.
        let isUniform = elements.allSatisfy { $0.isAscending == elements[0].isAscending }
        return isUniform ? elements.map { Element(property: $0.property) } : elements
    }

    private enum Usefulness {
        case none
        case equality(String)
        case range(String)
        case alternatives([Index])
    }

    private mutating func usefulness(of condition: SQLExpression) -> Usefulness {
        switch condition {
        case .compare(.notEqual, _, _): explain("What is not equal to something is nearly everything")
        case .compare(let comparison, let left, let right):
            if let property = property(left) ?? property(right) {
                return comparison == .equal ? .equality(property) : .range(property)
            }
            explain(left)
            explain(right)
        case .isMember(let operand, _):
            if let property = property(operand) { return .equality(property) }
            explain(operand)
        case .isNull(let operand): if let property = property(operand) { return .equality(property) }
        case .between(let operand, _, _):
            if let property = property(operand) { return .range(property) }
            explain(operand)
        case .text(let operand, .beginsWith, _):
            if let property = property(operand) { return .range(property) }
            explain(operand)
        case .text(let operand, _, _):
            explain("No index knows what a text contains or ends with (CONTAINS, ENDSWITH)")
            explain(operand)
        case .call(.like, _), .call(.matches, _):
            explain("No index knows what fits a pattern that begins with a wildcard (LIKE, MATCHES)")
        case .any(let parts): return alternatives(parts)
        default: break
        }
        return .none
    }

    /// Each side of an OR needs an index of its own.
    private mutating func alternatives(_ parts: [SQLExpression]) -> Usefulness {
        var found: [Index] = []
        for part in parts {
            let index = indexes(for: part.flattened, order: [])
            if index.isEmpty { return .none }
            found += index.filter { !found.contains($0) }
        }
        return .alternatives(found)
    }

    private func property(_ expression: SQLExpression) -> String? {
        guard case .column(let name, root) = expression else { return nil }
        return names[name]
    }

    // MARK: Obstacles

    private mutating func explain(_ sentence: String) {
        if !obstacles.contains(sentence) { obstacles.append(sentence) }
    }

    private mutating func explain(_ operand: SQLExpression) {
        switch operand {
        case .call(.fold, let arguments):
            guard let name = arguments.first.flatMap(property) else { return }
            explain(
                "[c] and [d] are worked out for each row; a derived attribute “canonical:(\(name))” with a fetch index can be compared without them"
            )
        case .call(_, let arguments) where arguments.contains { property($0) != nil }:
            explain(
                "What a function makes of an attribute is worked out for each row; a derived attribute can have an index"
            )
        case .arithmetic(_, let left, let right) where property(left) != nil || property(right) != nil:
            explain("What is computed of an attribute is in an index only if the index is over that very expression")
        case .scalar:
            explain(
                "What is computed of a relationship's members is worked out for each row; a derived attribute can have an index"
            )
        case .unindexed: explain("noindex: keeps indexes out")
        default: break
        }
    }
}

extension SQLExpression {
    /// The parts that all must hold, those of parts too.
    fileprivate var flattened: [SQLExpression] {
        if case .all(let parts) = self { parts.flatMap(\.flattened) } else { [self] }
    }
}
